import { z } from 'zod';
import { expandSource } from '../src/flows/reading/file-source.ts';
import type { KnowledgeEntry } from '../src/knowledge/types.ts';
import { entryUri } from '../src/lib/resource-uri.ts';
import { takeCharacters } from '../src/lib/text/text.ts';
import { isoTime } from '../src/lib/time/microseconds.ts';
import { defineOperation, listedObject, type OperationContext, optional } from '../src/operation.ts';
import { collection, tags, timeParameter, toMicroseconds } from './schemas/knowledge.ts';

const input = z.object({
  text: optional(z.string().trim().min(1).max(2000), 'With these words in a row'),
  tags: optional(tags, 'Having all these tags'),
  source: optional(z.string().trim().min(1).max(2000), 'From this source'),
  collection: collection.describe('Default all'),
  since: timeParameter('Saved at or after'),
  until: timeParameter('Saved before'),
  id: optional(z.string().trim().min(1).max(500), 'One entry, whole'),
  limit: optional(z.int().min(1).max(100), 'Default 20'),
  cursor: optional(z.string().max(100), 'next of the last answer'),
  whole: optional(z.boolean(), 'Return whole texts. Default false'),
});

const DEFAULT_LIMIT = 20;
const SHOWN_CHARS = 300;

const entryItem = listedObject(['id', 'text'], {
  id: z.string(),
  text: z.string(),
  more: optional(z.boolean(), 'The text goes on'),
  title: z.string().optional(),
  source: z.string().optional(),
  tags: z.array(z.string()).optional(),
  collection: z.string(),
  key: z.string().optional(),
  createdAt: z.string(),
  updatedAt: optional(z.string(), 'Where it was changed'),
  until: optional(z.string(), 'When the text ceases to hold'),
  uri: z.string(),
});

const output = z.object({
  entries: z.array(entryItem),
  next: optional(z.string(), 'cursor of the next page'),
});

type ListedEntry = z.output<typeof entryItem>;

export const listEntries = defineOperation({
  name: 'listEntries',
  title: 'List what is saved',
  description: 'Lists saved entries with their ids, newest first. Use query to search by meaning.',
  toolset: 'knowledge',
  hasLargeAnswer: true,
  essential: true,
  terse: 'output',
  routes: ['GET /listEntries'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input,
  output,
  unlisted: ['whole'],
  example: { tags: ['birds'], limit: 5 },
  async run({ id, whole, limit = DEFAULT_LIMIT, cursor, ...asked }, ctx) {
    const knowledge = await ctx.services.knowledge();
    if (id !== undefined) {
      const entry = await knowledge.findEntry(ctx.caller.id, id);
      return { entries: entry ? [itemOf(entry, true)] : [] };
    }
    const filter = await filterOf(asked, ctx);
    const { entries, next } = await knowledge.listEntries(ctx.caller.id, limit, cursor, filter);
    return { entries: entries.map((entry) => itemOf(entry, whole === true)), next };
  },
  missed: ({ entries, next }) => entries.length === 0 && next === undefined,
  render: ({ entries, next }) => {
    if (entries.length === 0)
      return next === undefined ? 'No entry.' : `None so far. Next page: cursor ${next}`;
    const list = entries.map(renderEntry).join('\n\n');
    return next === undefined ? list : `${list}\n\nNext page: cursor ${next}`;
  },
});

async function filterOf(
  { source, since, until, ...rest }: Pick<z.output<typeof input>, 'source' | 'since' | 'until'>,
  ctx: OperationContext,
) {
  return {
    ...rest,
    source: source === undefined ? undefined : await expandSource(source, ctx),
    since: since ? toMicroseconds(since) : undefined,
    until: until ? toMicroseconds(until) : undefined,
  };
}

function itemOf(entry: KnowledgeEntry, whole: boolean): ListedEntry {
  const { id, text, createdAt, updatedAt, validUntil } = entry;
  const more = !whole && text.length > SHOWN_CHARS;
  return {
    id,
    text: more ? takeCharacters(text, SHOWN_CHARS) : text,
    more: more || undefined,
    title: entry.title || undefined,
    source: entry.source || undefined,
    tags: entry.tags.length > 0 ? [...entry.tags] : undefined,
    collection: entry.collection,
    key: entry.key || undefined,
    createdAt: isoTime(createdAt),
    updatedAt: updatedAt === createdAt ? undefined : isoTime(updatedAt),
    until: validUntil === undefined ? undefined : isoTime(validUntil),
    uri: entryUri(id),
  };
}

function renderEntry(entry: ListedEntry): string {
  const { text, more, title, until, collection: of } = entry;
  const facts = [
    entry.createdAt.slice(0, 10),
    until && `until ${until.slice(0, 10)}`,
    entry.id,
    of !== 'default' && `in ${of}`,
    entry.key && `key: ${entry.key}`,
    entry.source,
    entry.tags && `tags: ${entry.tags.join(', ')}`,
  ];
  const heading = title && !text.startsWith(title) ? `${title}\n` : '';
  return `${facts.filter(Boolean).join(' · ')}\n${heading}${text.trim()}${more ? ' …' : ''}`;
}
