let share = 0;

/** Sets the share of the queue's waiting jobs that this process counts as its own. */
export function setWaitingJobShare(jobs: number): void {
  share = jobs;
}

export function getWaitingJobShare(): number {
  return share;
}
