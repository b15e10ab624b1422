import { z } from 'zod';
import { type Citation, citation } from '../../src/flows/connector/citation.ts';
import { FILE_PREFIX, getMatchUri } from '../../src/flows/searching/match.ts';
import { type SearchItem, warnings } from '../../src/flows/searching/search-body.ts';
import type { PassageMatch } from '../../src/knowledge/types.ts';
import { isoTime } from '../../src/lib/time/microseconds.ts';
import { localDay, timeSpanOf } from '../../src/lib/time/time-words.ts';
import { type AnswerReaderKind, listedObject, optional } from '../../src/operation.ts';

/** The API contract requires this parameter in every call, even in calls that use no text. */
export const emptyTextParameter = z.string().max(2000).describe('Leave empty');

/** The knowledge module validates the name, so that all interfaces report the same error. */
export const collection = optional(z.string().max(2000), 'Collection, such as a project');

export const speaker = optional(z.string().trim().min(1).max(200), 'Said by this person');

export const tags = z.array(z.string().trim().min(1).max(100)).max(50);

/** An ISO time, a date, or words. Words such as `last week` mean the start of the period. */
export const timeParameter = (what: string, { blank = false } = {}) =>
  optional(
    z
      .string()
      .trim()
      .max(100)
      .refine((text) => (blank && text === '') || toMicroseconds(text) !== undefined),
    what,
  ).meta({
    examples: ['2026-01-31', '2026-01-31T09:30:00Z', 'last week', 'letzte Woche'],
    $comment: 'words in fourteen languages',
  });

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Converts an ISO time (UTC by default) or words such as `last week` (local) to microseconds since 1970. */
export function toMicroseconds(text: string): number | undefined {
  if (!ISO.test(text)) {
    const span = timeSpanOf(text, Date.now());
    return span && span.since * 1000;
  }
  const zoned = /\d{2}:\d{2}/.test(text) && !/(Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
  const time = Date.parse(zoned) * 1000;
  return Number.isNaN(time) ? undefined : time;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const [HALF_DAY_US, DAY_US] = [43_200_000_000, 86_400_000_000];

/** Converts a time to microseconds since 1970. A local day means its noon, or its end, which belongs to it. */
export function toMoment(text: string | undefined, ofDay: 'noon' | 'end'): number | undefined {
  if (text === undefined) return undefined;
  if (ISO.test(text) && !DAY.test(text)) return toMicroseconds(text);
  const days = DAY.test(text) ? undefined : timeSpanOf(text, Date.now());
  const since = (days?.since ?? Date.parse(`${text}T00:00`)) * 1000;
  if (ofDay === 'noon') return since + HALF_DAY_US;
  return (days ? days.until * 1000 : since + DAY_US) - 1;
}

const advice = optional(
  z.string(),
  'Texts are in languages that the embedding model does not read: what adds one that does',
);

export const weakMatchesNoteField = optional(
  z.string(),
  'Says so if no match is close to the question, and which of its words no text has',
);

export const isWeakMatchField = optional(z.boolean(), 'It has little to do with the question');

const metadata = listedObject(['text', 'source', 'fileName', 'page'], {
  text: z.string(),
  title: z.string().optional(),
  source: z.string().optional(),
  tags: z.array(z.string()).optional(),
  collection: optional(z.string(), 'Left out for the default one'),
  key: z.string().optional(),
  createdAt: z.string().optional(),
  until: optional(z.string(), 'When the text ceases to hold'),
  uri: optional(z.string(), 'Where the whole text is read as an MCP resource'),
  passage: optional(z.int(), 'Place of the passage in its text, from 1'),
  fileName: z.string().optional(),
  page: z.int().optional(),
  part: optional(z.int(), 'Part of the file: partId of document'),
  before: optional(z.string(), 'Text before the passage'),
  after: optional(z.string(), 'Text after the passage'),
  citation: citation.optional(),
  records: z.int().optional(),
  passages: z.int().optional(),
  bytes: z.int().optional(),
  oldest: z.string().optional(),
  newest: z.string().optional(),
  collections: z.array(z.object({ name: z.string(), records: z.int() })).optional(),
  model: z.string().optional(),
  pending: optional(z.int(), 'Passages whose vector is still to come'),
  nonenglish: optional(z.int(), 'Passages that are not in English'),
  advice,
});

const match = listedObject(['id', 'metadata', 'score'], {
  id: z.string(),
  metadata,
  score: z.number().min(0).max(1).describe('Closeness, 0 to 1'),
  weak: isWeakMatchField,
  warnings,
  replaces: optional(z.array(z.string()), 'Ids of older entries of which this one says something else'),
  supersededBy: optional(
    z.string(),
    'Id of the newest entry that says something else: it stands before this one',
  ),
  ended: optional(z.boolean(), 'The text had ended at the asked time'),
  sparseValues: z.record(z.string(), z.number()),
  values: z.array(z.number()),
});

export const matchesBody = listedObject(['matches'], {
  matches: z.array(match),
  pending: optional(z.int(), 'Passages that are found by their words only, until their vectors are made'),
  period: optional(
    z.object({ since: z.string(), until: z.string(), found: z.boolean() }),
    'When the question says that it was kept: only that is searched; found is false where nothing of then fits, and all is searched',
  ),
  wordsOnly: optional(
    z.enum(['opening', 'failed']),
    'Why the answer goes by words alone: the index of vectors is being opened, or vectors cannot be used',
  ),
  note: weakMatchesNoteField,
  advice,
});

export const statsBody = listedObject(['matches'], {
  ...matchesBody.shape,
  matches: z.array(
    listedObject(['metadata'], {
      ...match.shape,
      metadata: listedObject(['text', 'records'], metadata.shape),
    }),
  ),
});

export type MatchesBody = z.output<typeof matchesBody>;
export type MatchItem = MatchesBody['matches'][number];

export const MAX_PENDING_COUNT = 1000;

export function matchItem(found: PassageMatch, owner: string, part?: number, cited?: Citation): MatchItem {
  const { passage, source, createdAt, neighbours = [] } = found;
  const file = passage.of.startsWith(FILE_PREFIX) ? passage.of.slice(FILE_PREFIX.length) : undefined;
  const around = (side: typeof neighbours) => side.map(({ text }) => text).join('\n\n');
  const before = around(neighbours.filter(({ ordinal }) => ordinal < passage.ordinal));
  const after = around(neighbours.filter(({ ordinal }) => ordinal > passage.ordinal));
  return {
    id: file === undefined ? passage.of : `${owner}-${createdAt}`,
    metadata: {
      text: passage.text,
      title: passage.title || undefined,
      source: source && file === undefined ? source : undefined,
      tags: found.tags.length > 0 ? [...found.tags] : undefined,
      collection: found.collection,
      key: found.key,
      createdAt: isoTime(createdAt),
      until: found.validUntil === undefined ? undefined : isoTime(found.validUntil),
      uri: getMatchUri(found),
      passage: passage.ordinal + 1,
      fileName: file,
      page: passage.page,
      part,
      before: before || undefined,
      after: after || undefined,
      citation: cited,
    },
    score: found.score,
    weak: found.weak,
    replaces: found.replaces && [...found.replaces],
    supersededBy: found.supersededBy,
    ended: found.ended,
    sparseValues: { ...found.sparseValues },
    values: [...(found.values ?? [])],
  };
}

export function renderMatches(
  { matches, pending = 0, wordsOnly, period, note: none, advice: hint }: MatchesBody,
  reader: AnswerReaderKind,
): string {
  const incomplete = pending > 0 || wordsOnly !== undefined;
  const notes = [
    aboutPeriod(period),
    matches.length === 0 ? aboutNoMatch(reader, incomplete) : none,
    aboutPending(pending),
    aboutWords(wordsOnly),
    hint,
  ];
  return [notes.filter(Boolean).join(' '), ...matches.map(renderMatch)].filter(Boolean).join('\n\n');
}

function aboutNoMatch(reader: AnswerReaderKind, incomplete: boolean): string {
  if (reader !== 'model') return incomplete ? 'No match yet.' : 'No match.';
  return incomplete
    ? 'No match yet: the answer may be in what is not searched by meaning yet. Ask again shortly, or with other words.'
    : 'No match: the knowledge base has nothing on this. Try other words, or search the web.';
}

function aboutPeriod(period: MatchesBody['period']): string {
  if (!period) return '';
  const [since, until] = [period.since, period.until].map((time) => localDay(Date.parse(time)));
  return period.found
    ? `Kept from ${since} on and before ${until}, as the question says.`
    : `Nothing that was kept from ${since} on and before ${until} fits: this is of all times.`;
}

function aboutPending(pending: number): string {
  if (pending === 0) return '';
  const count = pending < MAX_PENDING_COUNT ? `${pending}` : `${MAX_PENDING_COUNT} or more`;
  return pending === 1
    ? '1 passage waits for its vector, and is found by its words only.'
    : `${count} passages wait for their vectors, and are found by their words only.`;
}

function aboutWords(why: MatchesBody['wordsOnly']): string {
  if (why === undefined) return '';
  return why === 'opening'
    ? 'The index of the vectors is being opened: until then texts are found by their words only.'
    : 'The vectors cannot be used now: texts are found by their words only.';
}

/** Shows warnings in a text, one per line. */
export function warningLines(found: SearchItem['warnings'] = []): string[] {
  return found.map(
    ({ kind, place, text }) =>
      `Warning: this text gives orders to a model (${kind}, at ${place}): ${JSON.stringify(text)}`,
  );
}

function renderMatch(
  { id, metadata, score, weak, warnings: orders, replaces, supersededBy, ended }: MatchItem,
  index: number,
) {
  const { text, title, source, tags: labels, createdAt, fileName, page, part, before, after } = metadata;
  const link = metadata.citation?.link ?? '';
  const place =
    fileName && [fileName, page && `page ${page}`, part && `part ${part}`].filter(Boolean).join(', ');
  const facts = [
    `closeness ${score.toFixed(2)}${weak ? ' (weak)' : ''}`,
    createdAt?.slice(0, 10),
    metadata.until && `${ended ? 'ended' : 'until'} ${metadata.until.slice(0, 10)}`,
    place ?? id,
    source,
    labels && `tags: ${labels.join(', ')}`,
    replaces && `newer than ${replaces.join(', ')}, which says something else`,
    supersededBy && `superseded by ${supersededBy}`,
    // Shows only web links, because a person cannot open other addresses.
    /^https?:/.test(link) && link,
  ];
  const heading = title && !text.startsWith(title) ? ` ${title}` : '';
  const whole = [before, text, after].filter(Boolean).join('\n\n');
  const lines = [facts.filter(Boolean).join(' · '), ...warningLines(orders)];
  return `## ${index + 1}.${heading}\n${lines.join('\n')}\n\n${whole}`;
}
