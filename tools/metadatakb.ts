import { z } from 'zod';
import { entryUri } from '../src/lib/resource-uri.ts';
import { formatCount } from '../src/lib/text/format-count.ts';
import { isoTime } from '../src/lib/time/microseconds.ts';
import { defineOperation } from '../src/operation.ts';
import { collection, emptyTextParameter, type MatchesBody, statsBody } from './schemas/knowledge.ts';

export const metadatakb = defineOperation({
  name: 'metadatakb',
  title: 'Count what is stored',
  description:
    'Counts what the knowledge base holds: entries, passages and bytes, oldest and newest date, ' +
    'collections. Use listEntries to see them.',
  toolset: 'knowledge',
  routes: ['GET /metadatakb'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input: z.object({ q: emptyTextParameter, collection: collection.describe('Only this collection') }),
  output: statsBody,
  start: { q: '' },
  example: { q: '' },
  async run({ collection: of }, { services, caller }) {
    const knowledge = await services.knowledge();
    const [stats, sample, collections] = await Promise.all([
      knowledge.readStats(caller.id, of),
      knowledge.findNewestEntry(caller.id, of),
      knowledge.listCollections(caller.id),
    ]);
    const { oldest, newest, ...counts } = stats;
    const metadata = {
      text: sample?.text ?? '',
      title: sample?.title || undefined,
      uri: sample ? entryUri(sample.id) : undefined,
      ...counts,
      oldest: oldest !== undefined ? isoTime(oldest) : undefined,
      newest: newest !== undefined ? isoTime(newest) : undefined,
      collection: of && sample?.collection,
      collections:
        of === undefined && collections.length > 1
          ? collections.map(({ name, records }) => ({ name, records }))
          : undefined,
    };
    return {
      matches: [{ id: sample?.id ?? `${caller.id}-0`, metadata, score: 1, sparseValues: {}, values: [] }],
    };
  },
  render: describe,
});

function describe({ matches }: MatchesBody): string {
  const [first] = matches;
  if (!first) return '';
  const { text, collections = [], records = 0, passages = 0, bytes = 0, ...kept } = first.metadata;
  const { oldest, newest, model, pending = 0, advice } = kept;
  const lines = [
    `${formatCount(records, 'entry', 'entries')} in ${formatCount(passages, 'passage')}, ${formatCount(bytes, 'byte')} of text`,
    oldest && newest && `kept from ${oldest.slice(0, 10)} to ${newest.slice(0, 10)}`,
    `embedded by ${model}${pending > 0 ? `, ${formatCount(pending, 'passage')} to come` : ''}`,
    collections.length > 0 &&
      `collections: ${collections.map(({ name, records: count }) => `${name} (${count})`).join(', ')}`,
    advice,
    text && `newest (${first.id}):\n\n${text}`,
  ];
  return lines.filter(Boolean).join('\n');
}
