let share = 0;

/** Stores this process's share of the jobs that wait for any node: the number of those jobs divided by the number of nodes. */
export function setSharedWaiting(jobs: number): void {
  share = jobs;
}

export function sharedWaiting(): number {
  return share;
}
