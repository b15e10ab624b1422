let share = 0;

/** Stores this process's share of the waiting jobs: the number of jobs divided by the number of nodes. */
export function setWaitingJobShare(jobs: number): void {
  share = jobs;
}

export function getWaitingJobShare(): number {
  return share;
}
