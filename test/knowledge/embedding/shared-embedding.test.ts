import { expect, test } from 'vitest';
import { shareEmbedding } from '../../../src/knowledge/embedding/shared-embedding.ts';
import type { JobQueue } from '../../../src/lib/concurrency/job-queue.ts';
import { createLog } from '../../../src/log.ts';

/** Asks for the embedding of owners, whose jobs are noted as they are sent; `during` is called as each is. */
function requests(during: (request: (owner: string) => void, sent: readonly string[]) => void) {
  const sent: string[] = [];
  const jobs: Pick<JobQueue, 'handle' | 'send'> = {
    handle() {},
    async send(_kind, { owner }) {
      sent.push(owner);
      during(request, sent);
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
  return { request, sent };
}

test('an owner whose job is being sent and who gets further passages meanwhile is sent again', async () => {
  // A fast node has embedded all by now, before the answer is here.
  const { request, sent } = requests((again, { length }) => {
    if (length === 1) again('ada');
  });
  request('ada');
  request('grace');
  await expect.poll(() => sent).toEqual(['ada', 'grace', 'ada']);
});

test('owners who are requested again before all are sent get their turn', async () => {
  const owners = ['ada', 'bob', 'cal', 'dan'];
  // Each search finds all who wait.
  const { request, sent } = requests((again, { length }) => {
    if (length < 4) for (const owner of owners) again(owner);
  });
  for (const owner of owners) request(owner);
  await expect.poll(() => sent.length).toBeGreaterThanOrEqual(4);
  expect(sent.slice(0, 4)).toEqual(owners);
});
