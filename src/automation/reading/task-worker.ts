import { asAppError } from '../../errors.ts';
import { readTask } from './read-task.ts';
import type { TaskAnswer } from './task-pool.ts';

export function handleJob(task: string): TaskAnswer {
  try {
    return { reading: readTask(task) };
  } catch (thrown) {
    const { code, message } = asAppError(thrown);
    return { error: { code, message } };
  }
}
