import { expect, test } from 'vitest';
import { shareEmbedding } from '../../src/knowledge/shared-embedding.ts';
import type { JobQueue } from '../../src/lib/job-queue.ts';
import { createLog } from '../../src/log.ts';

test('an owner whose job is being sent, and who has more passages meanwhile, is sent again', async () => {
  const sent: string[] = [];
  let during = () => {};
  const jobs: Pick<JobQueue, 'handle' | 'send'> = {
    handle() {},
    async send(_kind, { id }) {
      sent.push(id);
      // A fast node has embedded all by now, before the answer is here.
      during();
    },
  };
  const model = { suffix: '', isReady: () => true, embedOwner: async () => {} };
  const { request } = shareEmbedding({
    store: { numberOf: async (owner) => owner.length, ownerOf: async () => undefined },
    jobs: jobs as JobQueue,
    log: createLog('silent'),
    models: [model],
    modelOf: async () => model,
  });
  during = () => {
    during = () => {};
    request('ada');
  };
  request('ada');
  request('grace');
  await expect.poll(() => sent).toEqual(['3', '5', '3']);
});
