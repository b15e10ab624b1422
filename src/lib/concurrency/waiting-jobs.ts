let waiting = 0;

export function waitingJobs(): number {
  return waiting;
}

/** Counts one waiting job until the returned function is called, once or more. */
export function countWaiting(): () => void {
  waiting += 1;
  let waits = true;
  return () => {
    if (waits) waiting -= 1;
    waits = false;
  };
}
