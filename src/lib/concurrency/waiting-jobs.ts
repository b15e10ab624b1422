let waiting = 0;

export function countWaitingJobs(): number {
  return waiting;
}

/** Counts one more waiting job until the returned function is called. A second call of the function has no effect. */
export function registerWaitingJob(): () => void {
  waiting += 1;
  let waits = true;
  return () => {
    if (waits) waiting -= 1;
    waits = false;
  };
}
