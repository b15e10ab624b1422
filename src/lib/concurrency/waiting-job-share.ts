let share = 0;

/** Stores this process's share of the waiting jobs: their number divided by that of the nodes. */
export function setWaitingJobShare(jobs: number): void {
  share = jobs;
}

export function getWaitingJobShare(): number {
  return share;
}
