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
