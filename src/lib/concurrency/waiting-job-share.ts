let share = 0;

export function setWaitingJobShare(jobs: number): void {
  share = jobs;
}

export const getWaitingJobShare = (): number => share;
