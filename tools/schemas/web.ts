import { z } from 'zod';
import { withoutRecommendations } from '../../src/flows/searching/rules.ts';
import type { SearchBody, SearchItem } from '../../src/flows/searching/search-body.ts';
import { readHosts } from '../../src/lib/network/host-list.ts';
import { formatCount } from '../../src/lib/text/format-count.ts';
import { type AnswerReaderKind, optional } from '../../src/operation.ts';
import type { Topic } from '../../src/search/types.ts';
import { warningLines } from './knowledge.ts';

export const textReductionParameter = z
  .int()
  .min(1)
  .max(100)
  .describe('1 keeps all text, 100 the best passage');

export const resultCountParameter = z.int().min(1).max(10).describe('Number of results');

export const maxAnswerWordsParameter = z
  .int()
  .min(1)
  .max(1_000_000)
  .describe('Most words of the answer, such as half of your input window');

export const answerWords = optional(maxAnswerWordsParameter, 'Most words of the answer. Default 4,000');

export const searchWords = z.string().trim().min(1).max(2000).describe('What to search for');

const TOPICS = [
  'general',
  'news',
  'papers',
  'code',
  'packages',
  'definitions',
  'discussions',
  'places',
] as const satisfies readonly Topic[];

const TOPIC = 'Default: guessed from q';

const hosts = z
  .string()
  .max(1000)
  .refine((text) => readHosts(text) !== undefined)
  .optional();
const HOSTS_TAKEN = 'hosts without a path, 10 at most';

export const filters = {
  language: optional(
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z]{2}(?:-[a-z]{2})?$/),
    'Language of the pages',
  ).meta({ examples: ['de'], $comment: 'two letters, `pt-br` with a region' }),
  region: optional(
    z
      .string()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/),
    'Country code',
  ).meta({ $comment: 'a country such as AT' }),
  timeRange: optional(z.enum(['day', 'week', 'month', 'year']), 'Maximum age'),
  site: hosts.describe('Only these hosts').meta({ examples: ['a.com,b.org'], $comment: HOSTS_TAKEN }),
  // `examples` are omitted to keep the tool listing short.
  excludeSite: hosts
    .describe('Not these hosts')
    .meta({ $comment: `a value such as a.com,b.org (${HOSTS_TAKEN})` }),
  topic: optional(z.enum(TOPICS), TOPIC),
};

export const resultPageParameter = optional(z.int().min(1).max(10), '2 for the next ten results. Default 1');

export const topicOrPictures = optional(z.enum([...TOPICS, 'images']), TOPIC);

export const anyPageAddress = z
  .url({ protocol: /^(?:https?|file)$/, normalize: true })
  .max(8000)
  .refine((address) => !/%20https?:/.test(address));

export const pageAddress = anyPageAddress.describe('Full address of the page');

function aboutLines(item: SearchItem): string[] {
  const { author, published, site, section, next, reduced, shortened, copies = [], outline = [] } = item;
  const { page, link: preview = '' } = item.citation ?? {};
  const facts = [author && `by ${author}`, published, site].filter(Boolean).join(' · ');
  const headings = outline.map(({ number, title, part }, index) => {
    const begins = part !== outline[index - 1]?.part;
    return `${begins ? `${index > 0 ? '\n' : ''}Part ${part}: ` : ' · '}${number} ${title}`;
  });
  return [
    ...(facts ? [facts] : []),
    ...(page !== undefined && /^https?:/.test(preview) ? [`Page ${page}: ${preview}`] : []),
    ...(item.image ? [`Picture: ${item.image}`] : []),
    ...(section ? [`Section: ${section}`] : []),
    ...(next ? [`Next page: ${next}`] : []),
    ...warningLines(item.warnings),
    ...(reduced ? [`Reduced: ${reduced}`] : []),
    ...(shortened ? [`Shortened: ${shortened}`] : []),
    ...(copies.length > 0 ? [`The same text: ${copies.join(', ')}`] : []),
    ...(headings.length > 0 ? [headings.join('')] : []),
  ];
}

function linkLines({ links = [], linkCount = 0 }: SearchItem): string {
  if (links.length === 0) return '';
  const shown = links.map(({ title, url, lastModified }) => {
    return `- ${title ? `${title}: ` : ''}${url}${lastModified ? ` (${lastModified})` : ''}`;
  });
  // `linkCount` is the number of all links. Only the first part of a site map has it.
  if (linkCount === 0) return `\n\n${shown.join('\n')}`;
  const count =
    links.length < linkCount ? `${links.length} of ${linkCount} links` : formatCount(linkCount, 'link');
  return `\n\n${count}:\n${shown.join('\n')}`;
}

function highlightLines({ full_content, highlights = [] }: SearchItem): string {
  if (full_content !== undefined) return '';
  return highlights.map(({ text, section }) => `\n\n- ${section ? `${section}: ` : ''}${text}`).join('');
}

function crawlLines({ crawl }: SearchItem): string {
  if (!crawl) return '';
  const { state, bound, why, indexed, unchanged, forgotten, failed, waiting, started, ended } = crawl;
  const counts = { indexed, unchanged, forgotten, failed, waiting };
  const shown = Object.entries(counts).filter(([name, count]) => count > 0 || name === 'indexed');
  const how = `${state}${bound ? ` (${bound})` : ''}${why ? ` (${why})` : ''}`;
  return [
    `${how}: ${shown.map(([name, count]) => `${count} ${name}`).join(', ')}; ${started} to ${ended ?? 'now'}`,
    ...Object.entries(crawl.skipped).map(([reason, count]) => `- ${count} skipped: ${reason}`),
    ...crawl.failures.map(({ url, why: reason }) => `- ${url}: ${reason}`),
  ].join('\n');
}

const dataLines = ({ data }: SearchItem): string => (data === undefined ? '' : JSON.stringify(data, null, 2));

const inPlace = (item: SearchItem): string => changeLines(item) || dataLines(item) || crawlLines(item);

const KINDS = { added: 'New', removed: 'Gone', changed: 'Changed' } as const;

function changeLines({ changes }: SearchItem): string {
  if (!changes) return '';
  const { since, added, removed, changed, list } = changes;
  const blocks = list.map(({ kind, section, text, before }) => {
    const head = `${KINDS[kind]}${section ? `, under ${section}` : ''}:`;
    return before === undefined ? `${head}\n${text}` : `${head}\n${before}\n-> ${text}`;
  });
  return [`Since ${since}: ${added} new, ${changed} changed, ${removed} gone`, ...blocks].join('\n\n');
}

/** Matches lines of a page that imitate Magpie's separators, also with invisible characters. */
const FORGED =
  /^[\t\v\f\p{Zs}\p{Cf}]*(?==\p{Cf}?=\p{Cf}?=[\t\v\f\p{Zs}\p{Cf}]*(?:result|part|advice|answered|not in this answer)(?!\p{L}))/gimu;

const theirs = (text: string): string => text.replace(FORGED, '$&\\');

const frame = (words: string): string => `=== ${words.replace(/[\s\p{Cc}]+/gu, ' ').trim()} ===`;

export function renderBody({ results, rules, engines }: SearchBody, reader: AnswerReaderKind): string {
  const sections = results.map((result, index) => {
    const { part, parts, title, full_content, summary, snippet } = result;
    const place = part ? `part ${part} of ${parts}` : `result ${index + 1} of ${results.length}`;
    const short = full_content && summary && !part ? `> ${summary}\n\n` : '';
    const error = result.error ? `(${result.error})\n\n` : '';
    const about = [result.link, ...aboutLines(result)].join('\n');
    const said = full_content ?? summary ?? snippet ?? inPlace(result);
    const words = `${error}${short}${said}`;
    const text = `${about}${words ? `\n\n${words}` : ''}${highlightLines(result)}${linkLines(result)}`;
    return `${frame(`${place}: ${title}`)}\n${theirs(text)}`.trimEnd();
  });
  const advice = (reader === 'model' ? rules : withoutRecommendations(rules)).trim();
  const answered = engines?.flatMap(({ name, ok }) => (ok ? [name] : [])) ?? [];
  const count = `${answered.length} of ${formatCount(engines?.length ?? 0, 'engine')}`;
  const without = engines?.filter(({ ok }) => !ok).map(({ name, reason }) => `- ${name}: ${reason}`) ?? [];
  return [
    ...sections,
    ...(advice ? [`${frame('advice')}\n${theirs(advice)}`] : []),
    ...(answered.length > 0 ? [frame(`answered by ${answered.join(', ')}: ${count}`)] : []),
    ...(without.length > 0 ? [`${frame('not in this answer')}\n${theirs(without.join('\n'))}`] : []),
  ].join('\n\n');
}
