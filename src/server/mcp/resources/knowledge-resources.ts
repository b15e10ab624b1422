import type { CollectionSummary, Knowledge, KnowledgeEntry, TrashList } from '../../../knowledge/types.ts';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import {
  COLLECTIONS_URI,
  ENTRIES_URI,
  entryIdOf,
  entryUri,
  type KnowledgeListPage,
  listUri,
  parseKnowledgeListUri,
  STATS_URI,
  TAGS_URI,
} from '../../../lib/resource-uri.ts';
import { takeCharacters } from '../../../lib/text/text.ts';
import { isoTime } from '../../../lib/time/microseconds.ts';
import listings from './listings.json' with { type: 'json' };
import type { ResourceFamily, ResourceScope } from './resource-family.ts';

const COMPLETED = 1000;

export const knowledgeResources: ResourceFamily = {
  scheme: 'kb://',
  ...listings.knowledge,
  async listResources({ caller, services }, limit, cursor) {
    const knowledge = await services.knowledge();
    const { entries, next } = await knowledge.listEntries(caller.id, limit, cursor);
    return { resources: entries.map(entryResource), next };
  },
  async readResource({ caller, services }, uri, limit) {
    const knowledge = await services.knowledge();
    if (uri === STATS_URI) {
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
    if (uri === STATS_URI) return true;
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
  return { mimeType: 'application/json', text: JSON.stringify(value) };
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
  return line.length > BEGINNING ? `${takeCharacters(line, BEGINNING - 1).trimEnd()}…` : line;
}
