let share = 0;

/** Sets how many jobs of the shared queue this process counts as its own: the waiting jobs divided by the nodes. */
export function setWaitingJobShare(jobs: number): void {
  share = jobs;
}

export function getWaitingJobShare(): number {
  return share;
}
