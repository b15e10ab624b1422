import type { CollectionSummary, Knowledge, KnowledgeEntry, TrashList } from '../../../knowledge/types.ts';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import {
  COLLECTIONS_URI as COLLECTIONS,
  COLLECTIONS_URI,
  ENTRIES_URI as ENTRIES,
  ENTRIES_URI,
  entryIdOf,
  entryUri,
  type KnowledgeListPage,
  listUri,
  parseKnowledgeListUri,
  STATS_URI as STATS,
  TAGS_URI as TAGS,
  TAGS_URI,
  TRASH_URI as TRASH,
} from '../../../lib/resource-uri.ts';
import { isoTime } from '../../../lib/time/microseconds.ts';
import type { ResourceFamily, ResourceScope } from './resource-family.ts';

const COMPLETED = 1000;
const JSON_TYPE = 'application/json';

export const knowledgeResources: ResourceFamily = {
  scheme: 'kb://',
  fixed: [
    {
      uri: STATS,
      name: 'knowledge-base-stats',
      title: 'The knowledge base in figures',
      description: 'How many entries and passages there are, their size, the oldest and the newest.',
      mimeType: JSON_TYPE,
    },
    {
      uri: ENTRIES,
      name: 'knowledge-base-entries',
      title: 'The knowledge base',
      description: 'Its entries, newest first, in pages: `next` is the address of the next one.',
      mimeType: JSON_TYPE,
    },
    {
      uri: COLLECTIONS,
      name: 'knowledge-base-collections',
      title: 'Collections of the knowledge base',
      description: 'Each with its size, its times and the address of its entries, in pages.',
      mimeType: JSON_TYPE,
    },
    {
      uri: TAGS,
      name: 'knowledge-base-tags',
      title: 'Tags of the knowledge base',
      description: 'Each with the number of its entries and their address, in pages.',
      mimeType: JSON_TYPE,
    },
    {
      uri: TRASH,
      name: 'knowledge-base-trash',
      title: 'The trash of the knowledge base',
      description: 'What was deleted or replaced and can be restored, until when, newest first, in pages.',
      mimeType: JSON_TYPE,
    },
  ],
  templates: [
    {
      uriTemplate: `${ENTRIES}/{id}`,
      name: 'knowledge-base-entry',
      title: 'An entry of the knowledge base',
      description:
        'The text of an entry as it was kept; `_meta` has its collection, key, tags, source and times.',
      mimeType: 'text/plain',
    },
    {
      uriTemplate: `${COLLECTIONS}/{collection}{?cursor}`,
      name: 'knowledge-base-collection',
      title: 'A collection',
      description:
        'Its entries, newest first, in pages. A change of any entry is notified by `kb://collections`.',
      mimeType: JSON_TYPE,
    },
    {
      uriTemplate: `${TAGS}/{tag}{?cursor}`,
      name: 'knowledge-base-tag',
      title: 'Entries with a tag',
      description: 'Newest first, in pages. A change of any entry is notified by `kb://tags`.',
      mimeType: JSON_TYPE,
    },
    ...[
      { list: ENTRIES, name: 'knowledge-base-page', title: 'A page of the knowledge base', what: 'Entries' },
      {
        list: COLLECTIONS,
        name: 'collections-page',
        title: 'A page of the collections',
        what: 'Collections',
      },
      { list: TAGS, name: 'tags-page', title: 'A page of the tags', what: 'Tags' },
      { list: TRASH, name: 'trash-page', title: 'A page of the trash', what: 'Deletions' },
    ].map(({ list, name, title, what }) => ({
      ...{ uriTemplate: `${list}{?cursor}`, name, title, mimeType: JSON_TYPE },
      description: `${what} after those of the page before.`,
    })),
  ],
  async listResources({ caller, services }, limit, cursor) {
    const knowledge = await services.knowledge();
    const { entries, next } = await knowledge.listEntries(caller.id, limit, cursor);
    return { resources: entries.map(entryResource), next };
  },
  async readResource({ caller, services }, uri, limit) {
    const knowledge = await services.knowledge();
    if (uri === STATS) {
      const { oldest, newest, ...counts } = await knowledge.readStats(caller.id);
      return json({
        ...counts,
        oldest: oldest !== undefined ? isoTime(oldest) : undefined,
        newest: newest !== undefined ? isoTime(newest) : undefined,
      });
    }
    const place = parseKnowledgeListUri(uri);
    if (place) {
      const page = await readKnowledgeList(knowledge, caller.id, place, limit);
      return page && json(page);
    }
    const id = entryIdOf(uri);
    const entry = id === undefined ? undefined : await knowledge.findEntry(caller.id, id);
    if (!entry) return undefined;
    return {
      mimeType: 'text/plain',
      text: entry.text,
      _meta: { title: entry.title || undefined, ...entryMetadata(entry) },
    };
  },
  async hasResource({ caller, services }, uri) {
    if (uri === STATS) return true;
    const knowledge = await services.knowledge();
    const place = parseKnowledgeListUri(uri);
    if (place) return (await readKnowledgeList(knowledge, caller.id, place, 1)) !== undefined;
    const id = entryIdOf(uri);
    return id !== undefined && knowledge.hasEntry(caller.id, id);
  },
  async completeVariable(scope, argument, value) {
    const names = await namesFor(scope, argument);
    return names
      .map((name) => ({ name, encoded: encodeURIComponent(name) }))
      .filter(({ name, encoded }) => name.includes(value) || encoded.includes(value))
      .map(({ encoded }) => encoded);
  },
};

async function namesFor({ caller, services }: ResourceScope, argument: string): Promise<string[]> {
  const knowledge = await services.knowledge();
  if (argument === 'id')
    return (await knowledge.listEntries(caller.id, COMPLETED)).entries.map(({ id }) => id);
  if (argument === 'collection') return (await knowledge.listCollections(caller.id)).map(({ name }) => name);
  if (argument === 'tag') return (await knowledge.listTags(caller.id, COMPLETED)).map(({ name }) => name);
  return [];
}

function json(value: unknown) {
  return { mimeType: JSON_TYPE, text: JSON.stringify(value) };
}

const BEGINNING = 120;

async function readKnowledgeList(
  knowledge: Knowledge,
  owner: string,
  place: KnowledgeListPage,
  limit: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { list, name, cursor } = place;
  if (list === ENTRIES_URI || name !== undefined) return entriesPage(knowledge, owner, place, limit);
  if (list === COLLECTIONS_URI) {
    const all = await knowledge.listCollections(owner);
    const rest = all.filter((one) => cursor === undefined || one.name > cursor);
    const collections = rest.slice(0, limit).map(collectionItem);
    return { collections, next: nextPage(list, rest.length > limit, collections.at(-1)?.name) };
  }
  if (list === TAGS_URI) {
    const found = await knowledge.listTags(owner, limit + 1, cursor);
    const tags = found.slice(0, limit).map((tag) => ({ ...tag, uri: listUri(TAGS_URI, tag.name) }));
    return { tags, next: nextPage(list, found.length > limit, tags.at(-1)?.name) };
  }
  const { batches, ...counts } = await knowledge.listTrash(owner, limit + 1, undefined, cursor);
  const trash = batches.slice(0, limit).map(trashItem);
  const { records, bytes, days } = counts;
  return { records, bytes, days, trash, next: nextPage(list, batches.length > limit, trash.at(-1)?.id) };
}

async function entriesPage(
  knowledge: Knowledge,
  owner: string,
  { list, name, cursor }: KnowledgeListPage,
  limit: number,
) {
  const filter = name === undefined ? {} : list === COLLECTIONS_URI ? { collection: name } : { tags: [name] };
  const { entries, next } = await knowledge.listEntries(owner, limit, cursor, filter);
  if (name !== undefined && cursor === undefined && entries.length === 0) return undefined;
  const address = name === undefined ? list : `${list}/${encodeURIComponent(name)}`;
  return { entries: entries.map(entryItem), next: nextPage(address, next !== undefined, next) };
}

function nextPage(address: string, more: boolean, cursor: string | undefined): string | undefined {
  return more && cursor !== undefined ? `${address}?cursor=${encodeURIComponent(cursor)}` : undefined;
}

function entryItem(entry: KnowledgeEntry) {
  const { id, title, text } = entry;
  return {
    id,
    uri: entryUri(id),
    title: title || truncateListText(text),
    beginning: truncateListText(text),
    ...entryMetadata(entry),
  };
}

function entryMetadata({ source, tags, collection, key, createdAt, updatedAt }: KnowledgeEntry) {
  return {
    collection,
    key: key || undefined,
    source: source || undefined,
    tags: tags.length > 0 ? tags : undefined,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

function entryResource({ id, title, text, collection, key, updatedAt }: KnowledgeEntry) {
  const facts = [collection !== DEFAULT_COLLECTION && `in ${collection}`, key && `key: ${key}`];
  return {
    uri: entryUri(id),
    name: title || key || truncateListText(text),
    description: [...facts.filter(Boolean), truncateListText(text)].join(' · '),
    mimeType: 'text/plain',
    annotations: { lastModified: isoTime(updatedAt) },
  };
}

function collectionItem({ name, oldest, newest, ...counts }: CollectionSummary) {
  const uri = listUri(COLLECTIONS_URI, name);
  return { name, uri, ...counts, oldest: isoTime(oldest), newest: isoTime(newest) };
}

function trashItem(batch: TrashList['batches'][number]) {
  const { id, removedAt, until, records, bytes, entry, text, versionOf } = batch;
  return {
    id,
    removedAt: isoTime(removedAt),
    until: isoTime(until),
    ...{ records, bytes, entry, beginning: truncateListText(text), replacedIn: versionOf },
  };
}

function truncateListText(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > BEGINNING ? `${line.slice(0, BEGINNING - 1).trimEnd()}…` : line;
}
