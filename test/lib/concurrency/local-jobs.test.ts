import { expect, test } from 'vitest';
import { createLocalJobs } from '../../../src/lib/concurrency/local-jobs.ts';
import { describeJobQueue, heldWorker, KIND } from '../../contracts/job-queue.ts';

describeJobQueue('this process', async () => ({
  open: async () => createLocalJobs(),
  remove: async () => {},
}));

test('a job that has not begun is dropped on cancellation or close, and its worker is informed', async () => {
  const queue = createLocalJobs();
  const { worker, ids, dropped } = heldWorker(1);
  queue.handle(KIND, worker);
  for (const id of ['a', 'b', 'c']) await queue.send(KIND, { id, owner: 'ann' }, async () => {});
  await expect.poll(ids).toEqual(['a']);
  await queue.cancel(KIND, 'b');
  expect(dropped).toEqual(['b']);
  await queue.close();
  expect([ids(), dropped]).toEqual([['a'], ['b', 'c']]);
});
