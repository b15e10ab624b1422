import {
  COLLECTIONS_URI as COLLECTIONS,
  ENTRIES_URI as ENTRIES,
  entryIdOf,
  parseKnowledgeListUri,
  STATS_URI as STATS,
  TAGS_URI as TAGS,
  TRASH_URI as TRASH,
} from '../../../lib/resource-uri.ts';
import { isoTime } from '../../../lib/time/microseconds.ts';
import { entryMetadata, entryResource, readKnowledgeList } from './knowledge-lists.ts';
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
