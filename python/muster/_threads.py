# SPDX-License-Identifier: Apache-2.0
"""Many runs at once, on threads of this process: a run holds no lock of the interpreter."""

import concurrent.futures
import os
from collections.abc import Callable
from typing import Any

from . import _core


def on_threads(count: int, jobs: int | None, work: Callable[[int, _core.Stop], Any],
               progress: Callable[[int, int], Any] | None) -> list[Any]:
    """What work(number, stop) returns for each number below `count`. If some raise, no further one
    is begun, and the exception of the lowest number is raised when all threads have ended. After
    Ctrl-C the exception has the list, with None for what is missing, as `result`."""
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        raise _core.InputError(f"jobs: {jobs!r} is not a whole number from 1 on")
    stop = _core.Stop()
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        futures = [pool.submit(work, number, stop) for number in range(count)]
        try:
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                if future.exception() is not None:
                    break
                if progress is not None:
                    progress(done, count)
        except BaseException as error:
            stop.set()
            pool.shutdown(cancel_futures=True)
            error.result = [_complete(future) for future in futures]
            raise
        pool.shutdown(cancel_futures=True)
    return [future.result() for future in futures]


def _complete(future: concurrent.futures.Future) -> Any:
    """Its result, or None."""
    whole = future.done() and not future.cancelled() and future.exception() is None
    return future.result() if whole else None
