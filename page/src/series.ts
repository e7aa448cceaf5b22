// SPDX-License-Identifier: Apache-2.0
// Ascending lists of cycles.

/** How many of the ascending numbers are at most `value`. */
export function countUpTo(list: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first cycle of a list after `cycle`, or the last before it. */
export function nearest(list: ArrayLike<number>, cycle: number, forward: boolean): number | null {
  const at = forward ? countUpTo(list, cycle) : countUpTo(list, cycle - 1) - 1;
  return list[at] ?? null;
}

/** The indices that have exactly this cycle. */
export function indicesOf(list: ArrayLike<number>, cycle: number): number[] {
  const found: number[] = [];
  for (let i = countUpTo(list, cycle - 1); list[i] === cycle; i++) found.push(i);
  return found;
}

/** Rows of so many numbers, the first of which counts from the row before: with whole cycles. */
export function* rowsOf(list: number[], width: number): Generator<number[]> {
  let cycle = 0;
  for (let i = 0; i < list.length; i += width) {
    cycle += list[i];
    yield [cycle, ...list.slice(i + 1, i + width)];
  }
}

/** The first of cycles, or the last if time runs back; null if there is none. */
export function first(forward: boolean, cycles: (number | null)[]): number | null {
  const found = cycles.filter((cycle) => cycle !== null);
  if (found.length === 0) return null;
  return forward ? Math.min(...found) : Math.max(...found);
}
