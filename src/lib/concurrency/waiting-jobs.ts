let waiting = 0;

export function countWaitingJobs(): number {
  return waiting;
}

/** Counts one waiting job until the returned function is called, once or more. */
export function registerWaitingJob(): () => void {
  waiting += 1;
  let waits = true;
  return () => {
    if (waits) waiting -= 1;
    waits = false;
  };
}
