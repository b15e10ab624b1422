import { z } from 'zod';
import { defineOperation, optional } from '../src/operation.ts';
import { collection } from './schemas/knowledge.ts';
import {
  permanentRemoval,
  removedAnswer,
  removedBody,
  renderRemoved,
  restoreFromTrash,
} from './schemas/trash.ts';

export const deleteEntry = defineOperation({
  name: 'deleteEntry',
  title: 'Forget one thing',
  description: 'Deletes one saved entry, or brings it back from the trash. Use reset to delete all entries.',
  toolset: 'knowledge',
  essential: true,
  routes: ['POST /deleteEntry'],
  effect: 'destroy',
  openWorld: false,
  scope: 'write',
  input: z.object({
    id: z.string().trim().min(1).max(500).describe('Its id, from query or listEntries'),
    restore: optional(z.boolean(), 'true undoes the deletion'),
    collection: collection.describe('Delete it only if it is in this collection'),
    permanent: permanentRemoval,
  }),
  output: removedBody,
  unlisted: ['collection', 'permanent'],
  example: { id: 'ada-1763710000000000' },
  async run({ id, restore: back, permanent: forGood, collection: of }, ctx) {
    if (back) return restoreFromTrash({ entry: id }, ctx, of);
    const knowledge = await ctx.services.knowledge();
    const removed = await knowledge.removeEntry(ctx.caller.id, id, { permanent: forGood, collection: of });
    const done = removed.records === 0 ? `There is no entry ${id}: nothing was deleted.` : `Deleted ${id}.`;
    return removedAnswer(done, removed, () => `deleteEntry with restore true brings it back`);
  },
  missed: ({ deleted, restored = 0 }) => deleted + restored === 0,
  render: renderRemoved,
});
