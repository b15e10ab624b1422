let share = 0;

export function setWaitingJobShare(jobs: number): void {
  share = jobs;
}

export function getWaitingJobShare(): number {
  return share;
}
