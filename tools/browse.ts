import { z } from 'zod';
import type { CrawlCommand } from '../src/flows/reading/browse-input.ts';
import { browseSeveral } from '../src/flows/reading/browse-several.ts';
import { registerCrawlHandler } from '../src/flows/reading/site-crawl.ts';
import { type SearchBody, searchBody } from '../src/flows/searching/search-body.ts';
import { defineOperation, type JobStopContext, type OperationContext, optional } from '../src/operation.ts';
import { toMicroseconds } from './schemas/knowledge.ts';
import {
  anyPageAddress,
  maxAnswerWordsParameter,
  pageAddress,
  renderBody,
  textReductionParameter,
} from './schemas/web.ts';

const numofpages = z.int().min(1).max(10).describe('Number of parts');
const paging = optional(z.int().min(1), 'First part. Default 1');
const section = optional(z.string().trim().min(1).max(300), 'Only this heading or its number');
const since = optional(
  z
    .string()
    .trim()
    .max(100)
    .refine((text) => sinceOf(text) !== undefined),
  'Only changes since then; last: your last reading',
).meta({
  examples: ['last', '2026-01-31', '2026-01-31T09:30:00Z', 'last week'],
  $comment: '`last` is when you last read it',
});

function sinceOf(text: string | undefined): 'last' | number | undefined {
  if (text === undefined) return undefined;
  if (text.toLowerCase() === 'last') return 'last';
  const time = toMicroseconds(text);
  return time === undefined ? undefined : Math.floor(time / 1000);
}

const links = optional(z.boolean(), 'Also list its links');

const addresses = optional(z.enum(['inline', 'list', 'none']), 'Link addresses. Default inline');

const extract = optional(z.record(z.string(), z.unknown()), 'JSON schema of data to return');

const map = optional(z.boolean(), 'List its site instead');

const crawl = optional(
  z.coerce.string().regex(/^(?:\d|status|stop|list)$/),
  'Index its site to this depth (0 to 9); or status, stop, list',
).meta({ type: 'string', $comment: 'a depth from 0 to 9, or one of status, stop, list' });

const changesCrawl = ({ crawl: asked }: Readonly<Record<string, unknown>>) =>
  asked !== undefined && asked !== '' && asked !== 'status' && asked !== 'list';

const crawlOf = (text: string | undefined): number | CrawlCommand | undefined =>
  text !== undefined && /^\d$/.test(text) ? Number(text) : (text as CrawlCommand | undefined);

const urls = optional(z.array(anyPageAddress).max(9), 'More pages to read');

const input = z.object({
  q: pageAddress,
  percentile: textReductionParameter,
  numofpages,
  paging,
  section,
  links,
  addresses,
  since,
  extract,
  map,
  crawl,
  urls,
});
const giant = input.extend({ inputwindowwords: maxAnswerWordsParameter.optional() });
const shared = {
  hasLargeAnswer: true,
  toolset: 'web',
  effect: 'read',
  openWorld: true,
  scope: 'read',
  output: searchBody,
  run: (wanted: z.output<typeof giant>, ctx: OperationContext) =>
    browseSeveral({ ...wanted, since: sinceOf(wanted.since), crawl: crawlOf(wanted.crawl) }, ctx),
  writes: changesCrawl,
  long: ({ crawl: asked }: Readonly<Record<string, unknown>>) =>
    typeof crawlOf(asked as string | undefined) === 'number',
  laterAt: ({ results: [first] }: SearchBody) =>
    first?.crawl?.state === 'running'
      ? `/browse?q=${encodeURIComponent(first.link)}&percentile=1&numofpages=1&crawl=status`
      : undefined,
  async stopJob({ results: [first] }: SearchBody, { caller, services, startedAt }: JobStopContext) {
    if (!first?.crawl || Date.parse(first.crawl.started) < startedAt) return;
    await (await services.sites()).stopCrawl(caller.id, first.link);
  },
  render: renderBody,
} as const;
const start = { percentile: 1, numofpages: 1 };
const example = { q: 'https://example.com/', percentile: 1, numofpages: 1 };

export const browse = defineOperation({
  ...shared,
  name: 'browse',
  terse: 'output',
  title: 'Open a website or link',
  description:
    'Opens web pages, PDFs or feeds by address and returns their text, in parts if long, or a section, ' +
    'changes, data or links. Use search to find pages. If it fails, double percentile.',
  essential: true,
  routes: ['GET /browse'],
  handleJobs: registerCrawlHandler,
  input,
  start,
  example,
});

export const browsegiant = defineOperation({
  ...shared,
  name: 'browsegiant',
  family: 'browse',
  title: 'Read a long web page',
  description: 'Opens a long page as browse does: returns as many parts as fit in inputwindowwords words.',
  unlisted: ['section', 'links', 'addresses', 'since', 'extract', 'map', 'crawl', 'urls'],
  routes: ['GET /browsegiant'],
  input: input.extend({ inputwindowwords: maxAnswerWordsParameter }),
  start: { ...start, inputwindowwords: 50_000 },
  example: { ...example, inputwindowwords: 50_000 },
});

export const browseByUrl = defineOperation({
  ...shared,
  name: 'browseByUrl',
  family: 'browse',
  title: 'Read a URL',
  description: 'Opens a web page by its address: the same as browse.',
  unlisted: ['section', 'links', 'addresses', 'since', 'extract', 'map', 'crawl', 'urls'],
  routes: ['GET /browseByUrl'],
  input,
  start,
  helpName: 'browseByUrl',
  example,
});
