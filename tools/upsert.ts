import { z } from 'zod';
import { type Context, defineOperation } from '../src/operation.ts';
import { collection, tags } from './schemas/knowledge.ts';
import { renderStatus, statusBody } from './schemas/status.ts';
import { wayBack } from './schemas/trash.ts';

const newText = z.object({
  q: z.string().regex(/\S/).describe('The text to keep'),
  title: z.string().trim().min(1).max(500).optional(),
  source: z.string().trim().min(1).max(2000).optional().describe('Where it is from, such as a URL'),
  tags: tags.optional(),
  collection,
  key: z.string().max(2000).optional().describe('Own name, such as favourite-colour'),
  id: z.string().trim().min(1).max(500).optional().describe('Entry whose text this replaces'),
});

/** The contract's status body, and what was kept under which id. */
const keptBody = statusBody.extend({
  id: z.string(),
  passages: z.int().optional(),
});

/** Keeps a text, or with `id` or a known key changes an entry. It is on disk when this resolves. */
async function keep(
  { q, id, ...facts }: z.output<typeof newText>,
  ctx: Context,
): Promise<z.input<typeof keptBody>> {
  const { services, caller, signal } = ctx;
  const knowledge = await services.knowledge();
  const entry = { ...facts, text: q };
  if (id !== undefined) {
    const { replaced } = await knowledge.updateEntry(caller.id, id, entry, signal);
    return { status: { status: `Changed ${id} in the knowledge base.${wayBack(replaced, ctx)}` }, id };
  }
  const { id: own, known, passages, replaced } = await knowledge.insertEntry(caller.id, entry, signal);
  const how = passages === 1 ? '' : `, in ${passages} passages`;
  const status = known
    ? `The knowledge base has this text already, as ${own}.`
    : `${replaced ? 'Replaced in' : 'Kept in'} the knowledge base as ${own}${how}.${wayBack(replaced, ctx)}`;
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
  unlisted: ['title', 'source', 'tags', 'collection', 'key', 'id'],
  run: keep,
  render: renderStatus,
} as const;

export const upsert = defineOperation({
  ...shared,
  name: 'upsert',
  title: 'Remember this',
  description:
    "Please remember, don't forget, note that: keeps what the user says about themselves, family, dates, " +
    'numbers, likes and decisions. One self-contained text a call. With a key it replaces what had that key.',
  essential: true,
  routes: ['GET /upsert'],
  unlisted: ['id'],
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
