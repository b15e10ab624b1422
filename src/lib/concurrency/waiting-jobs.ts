let waiting = 0;

export const countWaitingJobs = (): number => waiting;

export function registerWaitingJob(): () => void {
  waiting += 1;
  let waits = true;
  return () => {
    if (waits) waiting -= 1;
    waits = false;
  };
}
