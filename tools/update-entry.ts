import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { collection, tags } from './schemas/knowledge.ts';
import { renderStatus, statusBody } from './schemas/status.ts';
import { wayBack } from './schemas/trash.ts';

export const updateEntry = defineOperation({
  name: 'updateEntry',
  title: 'Correct an entry',
  description:
    'Changes one saved entry by its id; parameters that are left out stay as they are. Ids come from ' +
    'query or listEntries.',
  toolset: 'knowledge',
  essential: true,
  terse: 'output',
  routes: ['POST /updateEntry'],
  effect: 'write',
  openWorld: false,
  scope: 'write',
  input: z.object({
    id: z.string().trim().min(1).max(500).describe('Id of the entry'),
    text: z.string().regex(/\S/).optional().describe('New text, in full'),
    title: z.string().max(500).optional().describe('New title; a blank removes it'),
    source: z.string().max(2000).optional().describe('New source; a blank removes it'),
    tags: tags.optional().describe('All its tags from now on'),
    collection: collection.describe('Collection to move it to'),
    key: z.string().max(2000).optional().describe('New key; a blank removes it'),
  }),
  output: statusBody.extend({ id: z.string() }),
  example: { id: 'ada-1763710000000001', tags: ['birds'] },
  async run({ id, key, ...change }, ctx) {
    const knowledge = await ctx.services.knowledge();
    const { replaced } = await knowledge.updateEntry(
      ctx.caller.id,
      id,
      { ...change, key: key?.trim() },
      ctx.signal,
    );
    return { status: { status: `Changed ${id}.${wayBack(replaced, ctx)}` }, id };
  },
  render: renderStatus,
});
