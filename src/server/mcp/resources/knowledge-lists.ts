import type { Collection, Entry, Knowledge, TrashList } from '../../../knowledge/types.ts';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import {
  COLLECTIONS_URI,
  ENTRIES_URI,
  entryUri,
  type KnowledgeListPage,
  listUri,
  TAGS_URI,
} from '../../../lib/resource-uri.ts';
import { isoTime } from '../../../lib/time/microseconds.ts';

const BEGINNING = 120;

export async function readKnowledgeList(
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

function entryItem(entry: Entry) {
  const { id, title, text } = entry;
  return {
    id,
    uri: entryUri(id),
    title: title || truncateListText(text),
    beginning: truncateListText(text),
    ...entryMetadata(entry),
  };
}

export function entryMetadata({ source, tags, collection, key, createdAt, updatedAt }: Entry) {
  return {
    collection,
    key: key || undefined,
    source: source || undefined,
    tags: tags.length > 0 ? tags : undefined,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

export function entryResource({ id, title, text, collection, key, updatedAt }: Entry) {
  const facts = [collection !== DEFAULT_COLLECTION && `in ${collection}`, key && `key: ${key}`];
  return {
    uri: entryUri(id),
    name: title || key || truncateListText(text),
    description: [...facts.filter(Boolean), truncateListText(text)].join(' · '),
    mimeType: 'text/plain',
    annotations: { lastModified: isoTime(updatedAt) },
  };
}

function collectionItem({ name, oldest, newest, ...counts }: Collection) {
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

export function truncateListText(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > BEGINNING ? `${line.slice(0, BEGINNING - 1).trimEnd()}…` : line;
}
