import { parentPort } from 'node:worker_threads';
import { asAppError } from '../errors.ts';
import type { TextAnswer, TextJob } from './text-desk.ts';
import { runTask } from './text-tasks.ts';

/** Takes one task at a time off the event loop; see text-desk.ts. */
parentPort?.on('message', ({ task, values }: TextJob) => {
  let answer: TextAnswer;
  try {
    answer = { value: runTask(task, values) };
  } catch (thrown) {
    const { code, message } = asAppError(thrown);
    answer = { error: { code, message, cause: thrown instanceof Error ? String(thrown.stack) : '' } };
  }
  parentPort?.postMessage(answer);
});
