let waiting = 0;

export function countWaitingJobs(): number {
  return waiting;
}

/** Counts one waiting job until the returned function is called. Calling it again has no effect. */
export function registerWaitingJob(): () => void {
  waiting += 1;
  let waits = true;
  return () => {
    if (waits) waiting -= 1;
    waits = false;
  };
}
