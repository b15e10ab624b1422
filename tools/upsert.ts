import { z } from 'zod';
import { type Context, defineOperation } from '../src/operation.ts';
import { tags } from './schemas/knowledge.ts';
import { renderStatus } from './schemas/status.ts';

const newText = z.object({
  q: z.string().regex(/\S/).describe('The text to keep'),
  title: z.string().trim().min(1).max(500).optional(),
  source: z.string().trim().min(1).max(2000).optional().describe('Where it is from, such as a URL'),
  tags: tags.optional(),
  id: z.string().trim().min(1).max(500).optional().describe('Entry whose text this replaces'),
});

/** The contract's status body, and what was kept under which id. */
const keptBody = z.object({
  status: z.object({ status: z.string() }),
  id: z.string(),
  passages: z.int().optional(),
});

/** Keeps a text, or with `id` changes an entry. It is on disk when this resolves. */
async function keep(
  { q, title, source, tags: labels, id }: z.output<typeof newText>,
  { services, caller, signal }: Context,
): Promise<z.input<typeof keptBody>> {
  const knowledge = await services.knowledge();
  const entry = { text: q, title, source, tags: labels };
  if (id !== undefined) {
    await knowledge.updateEntry(caller.id, id, entry, signal);
    return { status: { status: `Changed ${id} in the knowledge base.` }, id };
  }
  const { id: own, known, passages } = await knowledge.insertEntry(caller.id, entry, signal);
  const how = passages === 1 ? '' : `, in ${passages} passages`;
  const status = known
    ? `The knowledge base has this text already, as ${own}.`
    : `Kept in the knowledge base as ${own}${how}.`;
  return { status: { status }, id: own, passages };
}

const shared = {
  toolset: 'knowledge',
  effect: 'write',
  openWorld: false,
  scope: 'write',
  piped: true,
  input: newText,
  output: keptBody,
  unlisted: ['title', 'source', 'tags', 'id'],
  run: keep,
  render: renderStatus,
} as const;

export const upsert = defineOperation({
  ...shared,
  name: 'upsert',
  title: 'Remember this',
  description:
    "Please remember, don't forget, note that: keeps what the user says about themselves, family, dates, " +
    'numbers, likes and decisions. One self-contained text a call. With id it replaces that entry.',
  essential: true,
  routes: ['GET /upsert'],
  unlisted: [],
  example: { q: 'Magpies recognise themselves in a mirror (Prior, Schwarz and Güntürkün, 2008).' },
});

export const insert = defineOperation({
  ...shared,
  name: 'insert',
  family: 'upsert',
  title: 'Make a note',
  description: "Don't forget that, note it, write it down and save it for later, as upsert does.",
  routes: ['GET /insert'],
  example: { q: 'A magpie weighs about 220 grams.' },
});

export const upsertToUsersKnowledgeBase = defineOperation({
  ...shared,
  name: 'upsertToUsersKnowledgeBase',
  family: 'upsert',
  title: 'Save a text to the knowledge base',
  description: "Store a text or fact in the user's knowledge base, as upsert does.",
  routes: ['GET /upsertToUsersKnowledgeBase'],
  helpName: 'upsertToUsersKnowledgeBase',
  example: { q: 'Magpies build domed nests of thorny twigs, with a side entrance.' },
});

export const upsertjson = defineOperation({
  ...shared,
  name: 'upsertjson',
  family: 'upsert',
  title: 'Save a long text',
  description: "Store a long text in the user's knowledge base, as upsert does.",
  routes: ['POST /upsertjson'],
  example: { q: 'The magpie (Pica pica) lives in most of Europe and Asia, often near people.' },
});
