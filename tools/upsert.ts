import { z } from 'zod';
import { badRequestError } from '../src/errors.ts';
import { loadTextToKeep } from '../src/flows/text-to-keep.ts';
import type { NewEntry, RelatedEntries } from '../src/knowledge/types.ts';
import { omitUndefined } from '../src/lib/omit-undefined.ts';
import { formatCount } from '../src/lib/text/format-count.ts';
import { defineOperation, listedObject, type OperationContext, optional } from '../src/operation.ts';
import { collection, tags, timeParameter, toMoment } from './schemas/knowledge.ts';
import { renderStatus, statusBody } from './schemas/status.ts';
import { describeRestore } from './schemas/trash.ts';

const newText = z.object({
  q: optional(z.string(), 'Text to save, or a URL alone'),
  url: optional(z.url({ protocol: /^https?$/ }).max(2000), 'Page to save; q is a note on it'),
  path: optional(z.string().min(1).max(2000), 'File of this machine to save; not over HTTP'),
  password: optional(z.string().min(1).max(500), 'Password of an encrypted PDF at path; it is not saved'),
  title: optional(z.string().trim().min(1).max(500), 'Heading'),
  source: optional(z.string().trim().min(1).max(2000), 'Origin, such as a URL'),
  tags: optional(tags, 'Labels'),
  collection: collection.describe('Group of notes, such as a project'),
  key: optional(z.string().max(2000), 'Unique name, such as favourite-colour; replaces the text that has it'),
  id: optional(z.string().trim().min(1).max(500), 'Id of the entry whose text this replaces'),
  at: timeParameter('When it was said, or happened. Default now'),
  until: timeParameter('Last day or time at which it holds'),
});

const keptBody = listedObject(['status', 'id'], {
  ...statusBody.shape,
  id: z.string(),
  passages: z.int().optional(),
  similar: optional(
    z.array(z.object({ id: z.string(), score: z.number() })),
    'Entries that are nearly the same, the most alike first; score to 1',
  ),
  conflicts: optional(
    z.array(z.object({ id: z.string(), text: z.string(), differs: z.string() })),
    'Older entries of which the text says something else, the newest first: the sentence, and what differs',
  ),
});

async function keep(
  { q, url, path, password, id, at, until, ...facts }: z.output<typeof newText>,
  ctx: OperationContext,
): Promise<z.input<typeof keptBody>> {
  const { services, caller, signal } = ctx;
  const knowledge = await services.knowledge();
  const { entry: kept, what, remark = '' } = await loadTextToKeep({ q, url, path, password }, ctx);
  const saidAt = toMoment(at, 'noon');
  const entry = { ...kept, ...omitUndefined({ ...facts, validUntil: toMoment(until, 'end') }) };
  if (id !== undefined) {
    if (saidAt !== undefined) throw badRequestError('at and id are both given: an entry keeps its time');
    const change = { ...entry, key: facts.key, validUntil: entry.validUntil ?? 0 };
    const { replaced } = await knowledge.updateEntry(caller.id, id, change, signal);
    return {
      status: { status: `Changed ${id} in the knowledge base.${describeRestore(replaced, ctx)}${remark}` },
      id,
    };
  }
  const long = url !== undefined || path !== undefined || what !== undefined;
  const {
    id: own,
    known,
    passages,
    replaced,
    parts = 1,
  } = await (long
    ? knowledge.insertText(caller.id, entry, signal, saidAt)
    : knowledge
        .insertEntry(caller.id, entry, signal, saidAt)
        .then((inserted) => ({ ...inserted, parts: 1 })));
  const more = parts === 1 ? '' : ` and ${formatCount(parts - 1, 'more entry', 'more entries')}`;
  const how = `${more}${passages === 1 ? '' : `, in ${passages} passages`}`;
  const status = known
    ? `The knowledge base has ${what ?? 'this text'} already, as ${own}.`
    : `${replaced ? 'Replaced' : 'Kept'} ${what === undefined ? '' : `${what} `}in the knowledge base as ${own}${how}.${describeRestore(replaced, ctx)}`;
  const { similar: near, conflicts } = await relatedTo(own, entry, ctx);
  const similar = known ? [] : near;
  const same = similar.filter(({ id }) => !conflicts.some((other) => other.id === id));
  return {
    status: { status: `${status}${remark}${describeConflicts(conflicts)}${adviceOn(same, ctx)}` },
    id: own,
    passages,
    ...(similar.length > 0 && { similar }),
    ...(conflicts.length > 0 && { conflicts }),
  };
}

const NONE: RelatedEntries = { similar: [], conflicts: [] };

async function relatedTo(
  id: string,
  { text, title, collection = 'default' }: NewEntry,
  { services, caller, signal }: Pick<OperationContext, 'services' | 'caller' | 'signal'>,
): Promise<RelatedEntries> {
  const knowledge = await services.knowledge();
  return knowledge
    .findRelated(caller.id, { id, text, collection, ...omitUndefined({ title }) }, signal)
    .catch(() => NONE);
}

function describeConflicts(conflicts: RelatedEntries['conflicts']): string {
  if (conflicts.length === 0) return '';
  const older = conflicts.map(({ id, text, differs }) => `${id} ("${text}": ${differs})`).join(', ');
  return ` It says something else than ${older}. All are kept, and query gives this one first.`;
}

function adviceOn(near: RelatedEntries['similar'], { offers }: Pick<OperationContext, 'offers'>): string {
  if (near.length === 0) return '';
  const ids = near.map(({ id, score }) => `${id} (${Math.round(score * 100)}%)`).join(', ');
  const how = offers('updateEntry') && offers('deleteEntry');
  return ` Nearly the same is kept as ${ids}.${how ? ' If they say one thing, updateEntry and deleteEntry make one of them.' : ''}`;
}

const shared = {
  toolset: 'knowledge',
  effect: 'write',
  openWorld: true,
  scope: 'write',
  piped: { unless: ['url', 'path'] },
  input: newText,
  output: keptBody,
  needed: ['q'],
  unlisted: ['url', 'path', 'password', 'title', 'source', 'tags', 'collection', 'key', 'id', 'at', 'until'],
  run: keep,
  render: renderStatus,
} as const;

export const upsert = defineOperation({
  ...shared,
  name: 'upsert',
  title: 'Remember this',
  description:
    'Saves what the user wants remembered (a fact, note, text or web page) in the knowledge base and ' +
    'returns its id. One self-contained text a call. Use updateEntry to correct an entry; use query to ' +
    'recall one.',
  essential: true,
  routes: ['GET /upsert'],
  unlisted: ['path', 'password', 'id', 'at', 'until'],
  example: { q: 'Magpies recognise themselves in a mirror (Prior, Schwarz and Güntürkün, 2008).' },
});

export const insert = defineOperation({
  ...shared,
  name: 'insert',
  family: 'upsert',
  title: 'Make a note',
  description: 'Saves a note: the same as upsert.',
  routes: ['GET /insert'],
  example: { q: 'A magpie weighs about 220 grams.' },
});

export const upsertToUsersKnowledgeBase = defineOperation({
  ...shared,
  name: 'upsertToUsersKnowledgeBase',
  family: 'upsert',
  title: 'Save a text to the knowledge base',
  description: "Saves a text in the user's knowledge base: the same as upsert.",
  routes: ['GET /upsertToUsersKnowledgeBase'],
  helpName: 'upsertToUsersKnowledgeBase',
  example: { q: 'Magpies build domed nests of thorny twigs, with a side entrance.' },
});

export const upsertjson = defineOperation({
  ...shared,
  name: 'upsertjson',
  family: 'upsert',
  title: 'Save a long text',
  description: 'Saves a long text: the same as upsert.',
  routes: ['POST /upsertjson'],
  example: { q: 'The magpie (Pica pica) lives in most of Europe and Asia, often near people.' },
});
