let waiting = 0;

/** Jobs of this process that wait for a worker, and pages that wait until they may be fetched for one. */
export function waitingJobs(): number {
  return waiting;
}

/** Counts one that waits, until the function that it gives is called; calling that twice is harmless. */
export function countWaiting(): () => void {
  waiting += 1;
  let waits = true;
  return () => {
    if (waits) waiting -= 1;
    waits = false;
  };
}
