import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { collection, tags } from './schemas/knowledge.ts';
import { renderStatus, statusBody } from './schemas/status.ts';
import { wayBack } from './schemas/trash.ts';

export const updateEntry = defineOperation({
  name: 'updateEntry',
  title: 'Correct an entry',
  description:
    'Edits one stored entry by its id: its text, title, source, tags, collection or key; the rest stays.',
  toolset: 'knowledge',
  essential: true,
  terse: 'both',
  routes: ['POST /updateEntry'],
  effect: 'write',
  openWorld: false,
  scope: 'write',
  input: z.object({
    id: z.string().trim().min(1).max(500),
    text: z.string().regex(/\S/).optional(),
    title: z.string().max(500).optional().describe('A blank for none, as of source and key'),
    source: z.string().max(2000).optional(),
    tags: tags.optional().describe('In place of those there are'),
    collection,
    key: z.string().max(2000).optional(),
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
