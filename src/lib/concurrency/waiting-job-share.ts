let share = 0;

/** Sets how many of the jobs that wait in the shared queue this process counts as its own: all jobs divided by nodes. */
export function setWaitingJobShare(jobs: number): void {
  share = jobs;
}

export function getWaitingJobShare(): number {
  return share;
}
