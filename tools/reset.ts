import { z } from 'zod';
import { badRequestError } from '../src/errors.ts';
import type { RestoreTarget } from '../src/knowledge/types.ts';
import { formatCount } from '../src/lib/text/format-count.ts';
import { defineOperation, type OperationContext, optional } from '../src/operation.ts';
import { collection, emptyTextParameter } from './schemas/knowledge.ts';
import {
  permanentRemoval,
  type RemovedBody,
  removedAnswer,
  removedBody,
  renderRemoved,
  restoredNothing,
  restoreFromTrash,
} from './schemas/trash.ts';

const input = z.object({
  q: emptyTextParameter,
  restore: optional(z.string().trim().min(1).max(20), 'Undo a deletion instead: latest, all, or a trash id'),
  collection: collection.describe('Only this collection'),
  permanent: permanentRemoval,
});

type Input = z.output<typeof input>;

const TRASH_ID = /^\d{1,20}$/;

async function reset(given: Input, ctx: OperationContext): Promise<RemovedBody> {
  if (given.restore !== undefined) return restoreFromTrash(restorable(given.restore), ctx, given.collection);
  if (ctx.consent === 'no') {
    return { status: { status: 'Nothing was deleted: the user did not agree.' }, deleted: 0 };
  }
  const knowledge = await ctx.services.knowledge();
  const { permanent: forGood, collection: of } = given;
  const removed = await knowledge.removeAllEntries(ctx.caller.id, { permanent: forGood, collection: of });
  const what = of === undefined ? 'the knowledge base' : `the collection ${JSON.stringify(of)}`;
  const done =
    removed.records === 0
      ? `${what[0]?.toUpperCase()}${what.slice(1)} is empty; there was nothing to delete.`
      : `Deleted ${entries(removed.records)}: ${what} is empty.`;
  return removedAnswer(done, removed, (id) => `reset with restore ${id} brings all of it back`);
}

function restorable(which: string): RestoreTarget {
  if (which === 'all') return 'all';
  if (which === 'latest' || which === 'true') return 'latest';
  if (TRASH_ID.test(which)) return { batch: which };
  throw badRequestError(
    `there is no trash id ${JSON.stringify(which)}: restore takes latest, all, or the number that the deletion answered`,
  );
}

const entries = (count: number): string =>
  `${count === 1 ? '' : 'all '}${formatCount(count, 'entry', 'entries')}`;

const shared = {
  toolset: 'knowledge',
  effect: 'destroy',
  openWorld: false,
  scope: 'write',
  input,
  output: removedBody,
  start: { q: '' },
  example: { q: '' },
  async question({ services, caller }: OperationContext, given: Input) {
    if (given.restore !== undefined) return undefined;
    const knowledge = await services.knowledge();
    const [{ records }, trash] = await Promise.all([
      knowledge.readStats(caller.id, given.collection),
      knowledge.listTrash(caller.id, 1, given.collection),
    ]);
    const what =
      given.collection === undefined
        ? 'the knowledge base'
        : `the collection ${JSON.stringify(given.collection)} of the knowledge base`;
    if (given.permanent || trash.days === 0) {
      if (records + trash.records === 0) return undefined;
      const besides = trash.records > 0 ? `, and the ${trash.records} of its trash,` : '';
      return `Delete ${entries(records)} of ${what}${besides} for good? Uploaded files stay.`;
    }
    return records === 0
      ? undefined
      : `Delete ${entries(records)} of ${what}? For ${formatCount(trash.days, 'day')} this can be undone. Uploaded files stay.`;
  },
  unlisted: ['permanent'],
  run: reset,
  missed: restoredNothing,
  render: renderRemoved,
} as const;

export const resetOperation = defineOperation({
  ...shared,
  name: 'reset',
  title: 'Erase the knowledge base',
  description:
    "Deletes ALL entries of the user's knowledge base; uploaded files stay. Call it only after the user " +
    'has clearly confirmed. restore undoes it; use deleteEntry for one entry.',
  essential: true,
  routes: ['GET /reset'],
});

export const resetUsersKnowledgeBase = defineOperation({
  ...shared,
  name: 'resetUsersKnowledgeBase',
  family: 'reset',
  title: 'Erase the knowledge base',
  description: 'Deletes ALL entries, only after the user has clearly confirmed: the same as reset.',
  routes: ['GET /resetKnowledgeBase', 'GET /resetUsersKnowledgeBase'],
  unlisted: ['restore', 'collection', 'permanent'],
  helpName: 'resetUsersKnowledgeBase',
});
