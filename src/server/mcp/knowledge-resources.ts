import { isoTime } from '../../lib/microseconds.ts';
import { ENTRIES_URI as ENTRIES, entryIdOf, entryUri, STATS_URI as STATS } from '../../lib/resource-uri.ts';
import type { ResourceFamily } from './resource-family.ts';

/** The caller's knowledge base: `kb://stats`, `kb://entries` and `kb://entries/{id}`. */

const COMPLETED = 1000;
/** Characters of an entry's text that stand in a list. */
const BEGINNING = 120;

export const knowledgeResources: ResourceFamily = {
  scheme: 'kb://',
  fixed: [
    {
      uri: STATS,
      name: 'knowledge-base-stats',
      title: 'The knowledge base in figures',
      description: 'How many entries and passages there are, their size, the oldest and the newest.',
      mimeType: 'application/json',
    },
    {
      uri: ENTRIES,
      name: 'knowledge-base-entries',
      title: 'The knowledge base',
      description: 'Its entries, newest first, in pages: `next` is the address of the next one.',
      mimeType: 'application/json',
    },
  ],
  templates: [
    {
      uriTemplate: `${ENTRIES}/{id}`,
      name: 'knowledge-base-entry',
      title: 'An entry of the knowledge base',
      description: 'The text of an entry as it was kept.',
      mimeType: 'text/plain',
    },
    {
      uriTemplate: `${ENTRIES}{?cursor}`,
      name: 'knowledge-base-page',
      title: 'A page of the knowledge base',
      description: 'Entries after those of the page before.',
      mimeType: 'application/json',
    },
  ],
  async listResources({ caller, services }, limit, cursor) {
    const knowledge = await services.knowledge();
    const { entries, next } = await knowledge.listEntries(caller.id, limit, cursor);
    const resources = entries.map(({ id, title, text, updatedAt }) => ({
      uri: entryUri(id),
      name: title || beginning(text),
      description: beginning(text),
      mimeType: 'text/plain',
      annotations: { lastModified: isoTime(updatedAt) },
    }));
    return { resources, next };
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
    const cursor = cursorOf(uri);
    if (cursor !== undefined) {
      const { entries, next } = await knowledge.listEntries(caller.id, limit, cursor || undefined);
      return json({
        entries: entries.map(({ id, title, text, source, tags, createdAt, updatedAt }) => ({
          id,
          uri: entryUri(id),
          title: title || beginning(text),
          beginning: beginning(text),
          source: source || undefined,
          tags: tags.length > 0 ? tags : undefined,
          createdAt: isoTime(createdAt),
          updatedAt: isoTime(updatedAt),
        })),
        next: next !== undefined ? `${ENTRIES}?cursor=${encodeURIComponent(next)}` : undefined,
      });
    }
    const id = entryIdOf(uri);
    const entry = id === undefined ? undefined : await knowledge.findEntry(caller.id, id);
    return entry && { mimeType: 'text/plain', text: entry.text };
  },
  async completeVariable({ caller, services }, argument, value) {
    if (argument !== 'id') return [];
    const knowledge = await services.knowledge();
    const { entries } = await knowledge.listEntries(caller.id, COMPLETED);
    return entries.map(({ id }) => encodeURIComponent(id)).filter((id) => id.includes(value));
  },
};

/** The cursor in the address of a page of entries, empty in that of the first; undefined for other addresses. */
function cursorOf(uri: string): string | undefined {
  if (uri === ENTRIES) return '';
  if (!uri.startsWith(`${ENTRIES}?`)) return undefined;
  return new URLSearchParams(uri.slice(ENTRIES.length)).get('cursor') ?? undefined;
}

function beginning(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > BEGINNING ? `${line.slice(0, BEGINNING - 1).trimEnd()}…` : line;
}

function json(value: unknown) {
  return { mimeType: 'application/json', text: JSON.stringify(value) };
}
