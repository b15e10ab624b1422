import { z } from 'zod';
import { defineOperation, optional } from '../src/operation.ts';
import { collection, tags, timeParameter, toMoment } from './schemas/knowledge.ts';
import { renderStatus, statusBody } from './schemas/status.ts';
import { describeRestore } from './schemas/trash.ts';

export const updateEntry = defineOperation({
  name: 'updateEntry',
  title: 'Correct an entry',
  description:
    'Changes one saved entry by its id. What is left out stays; tags replace all tags; a blank title, ' +
    'source or key removes it. Ids come from query or listEntries.',
  toolset: 'knowledge',
  essential: true,
  terse: 'both',
  routes: ['POST /updateEntry'],
  effect: 'write',
  openWorld: false,
  scope: 'write',
  input: z.object({
    id: z.string().trim().min(1).max(500).describe('Id of the entry'),
    text: optional(z.string().regex(/\S/), 'Whole new text'),
    title: optional(z.string().max(500), 'A blank removes it'),
    source: optional(z.string().max(2000), 'A blank removes it'),
    tags: optional(tags, 'Replaces all tags'),
    collection: collection.describe('Moves it there'),
    key: optional(z.string().max(2000), 'A blank removes it'),
    until: timeParameter('Last day or time at which it holds; a blank removes it', { blank: true }),
  }),
  unlisted: ['until'],
  output: statusBody.extend({ id: z.string() }),
  example: { id: 'ada-1763710000000001', tags: ['birds'] },
  async run({ id, key, until, ...change }, ctx) {
    const validUntil = until === '' ? 0 : toMoment(until, 'end');
    const knowledge = await ctx.services.knowledge();
    const { replaced } = await knowledge.updateEntry(
      ctx.caller.id,
      id,
      { ...change, key: key?.trim(), validUntil },
      ctx.signal,
    );
    return { status: { status: `Changed ${id}.${describeRestore(replaced, ctx)}` }, id };
  },
  render: renderStatus,
});
