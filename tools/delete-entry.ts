import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { renderStatus } from './schemas/status.ts';

export const deleteEntry = defineOperation({
  name: 'deleteEntry',
  title: 'Forget one entry',
  description:
    "Delete one entry of the user's knowledge base for good, by the id of a match. Use when the user asks to forget something.",
  toolset: 'knowledge',
  essential: true,
  routes: ['POST /deleteEntry'],
  effect: 'destroy',
  openWorld: false,
  scope: 'write',
  input: z.object({ id: z.string().trim().min(1).max(500).describe('Its id') }),
  output: z.object({ status: z.object({ status: z.string() }), deleted: z.int() }),
  example: { id: 'ada-1763710000000000' },
  async run({ id }, { services, caller }) {
    const knowledge = await services.knowledge();
    const deleted = await knowledge.removeEntry(caller.id, id);
    const status = deleted ? `Deleted ${id}.` : `There is no entry ${id}: nothing was deleted.`;
    return { status: { status }, deleted: deleted ? 1 : 0 };
  },
  missed: ({ deleted }) => deleted === 0,
  render: renderStatus,
});
