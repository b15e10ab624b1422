let share = 0;

/** Notes this process's part of the jobs that wait for any node: all of them, divided by the nodes. */
export function setSharedWaiting(jobs: number): void {
  share = jobs;
}

export function sharedWaiting(): number {
  return share;
}
