import { z } from 'zod';
import { counted } from '../src/lib/counted.ts';
import { type Context, defineOperation } from '../src/operation.ts';
import { emptyWords } from './schemas/knowledge.ts';
import { renderStatus } from './schemas/status.ts';

/** Deletes every entry, unless the user was asked and said no. */
async function reset(_input: unknown, { services, caller, consent }: Context) {
  if (consent === 'no') {
    return { status: { status: 'Nothing was deleted: the user did not agree.' }, deleted: 0 };
  }
  const knowledge = await services.knowledge();
  const deleted = await knowledge.removeAllEntries(caller.id);
  const status =
    deleted === 0
      ? 'The knowledge base is empty; there was nothing to delete.'
      : `Deleted ${entries(deleted)}: the knowledge base is empty.`;
  return { status: { status }, deleted };
}

function entries(count: number): string {
  return `${count === 1 ? '' : 'all '}${counted(count, 'entry', 'entries')}`;
}

const shared = {
  toolset: 'knowledge',
  effect: 'destroy',
  openWorld: false,
  scope: 'write',
  input: z.object({ q: emptyWords }),
  output: z.object({ status: z.object({ status: z.string() }), deleted: z.int() }),
  start: { q: '' },
  example: { q: '' },
  async question({ services, caller }: Context) {
    const knowledge = await services.knowledge();
    const { records } = await knowledge.readStats(caller.id);
    return records === 0
      ? undefined
      : `Delete ${entries(records)} of the knowledge base for good? Uploaded files stay.`;
  },
  run: reset,
  render: renderStatus,
} as const;

export const resetOperation = defineOperation({
  ...shared,
  name: 'reset',
  title: 'Empty the knowledge base',
  description:
    "Delete ALL entries of the user's knowledge base, for good. Call it only after the user has clearly confirmed that " +
    'everything goes; deleteEntry deletes one. Uploaded files stay.',
  essential: true,
  routes: ['GET /reset'],
});

export const resetUsersKnowledgeBase = defineOperation({
  ...shared,
  name: 'resetUsersKnowledgeBase',
  family: 'reset',
  title: 'Empty the knowledge base',
  description:
    "Delete ALL entries of the user's knowledge base, as reset does: only after the user has clearly confirmed.",
  routes: ['GET /resetKnowledgeBase', 'GET /resetUsersKnowledgeBase'],
  helpName: 'resetUsersKnowledgeBase',
});
