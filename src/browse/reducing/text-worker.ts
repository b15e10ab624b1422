import { asAppError } from '../../errors.ts';
import type { TextAnswer, TextJob } from './text-pool.ts';
import { runTextTask } from './text-tasks.ts';

export function answer({ task, values }: TextJob): TextAnswer {
  try {
    return { value: runTextTask(task, values) };
  } catch (thrown) {
    const { code, message } = asAppError(thrown);
    return { error: { code, message, cause: thrown instanceof Error ? String(thrown.stack) : '' } };
  }
}
