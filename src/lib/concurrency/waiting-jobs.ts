let waiting = 0;

/** Returns the number of this process's jobs that wait for a worker, including pages that wait to be fetched for one. */
export function waitingJobs(): number {
  return waiting;
}

/** Counts one waiting job until the returned function is called. Calling that function twice does no harm. */
export function countWaiting(): () => void {
  waiting += 1;
  let waits = true;
  return () => {
    if (waits) waiting -= 1;
    waits = false;
  };
}
