import { catchJobError } from '../../lib/workers/job-error.ts';
import type { TextAnswer, TextJob } from './text-pool.ts';
import { runTextTask } from './text-tasks.ts';

export function handleJob({ task, values }: TextJob): Promise<TextAnswer> {
  return catchJobError<unknown>(() => runTextTask(task, values));
}
