import type { PageBrowser } from '../../browse/types.ts';
import type { Caller } from '../../caller.ts';
import { badRequestError, notFoundError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { OperationContext } from '../../operation.ts';
import type { CrawlReport, SiteCrawler } from '../../search/types.ts';
import type { Services } from '../../wiring/services.ts';
import { composeAnswerRules } from '../searching/rules.ts';
import type { SearchBody, SearchItem } from '../searching/search-body.ts';
import type { BrowseInput, CrawlCommand } from './browse-input.ts';

type CrawlInput = BrowseInput & { readonly crawl: number | CrawlCommand };
/** Milliseconds that a call waits for its crawl, because most clients end a call after a minute. */
const WAIT_MS = 20_000;
const MAX_LISTED = 100;

export async function handleCrawlRequest(
  input: CrawlInput,
  browse: PageBrowser,
  ctx: OperationContext,
): Promise<SearchBody> {
  const { q, crawl } = input;
  const { id } = ctx.caller;
  const sites = await ctx.services.sites();
  if (crawl === 'list') return listing(await sites.readCrawls(id), ctx);
  if (q.startsWith('file:')) throw badRequestError('crawl takes a site of the web: q is a file');
  if (crawl === 'status') return body([await reportOn(q, sites, ctx)], ctx);
  if (crawl === 'stop') return stop(q, sites, ctx);
  return follow(crawl, q, sites, browse, ctx);
}

async function stop(q: string, sites: SiteCrawler, ctx: OperationContext): Promise<SearchBody> {
  const { id } = ctx.caller;
  const stopped = await sites.stopCrawl(id, q);
  // A crawl that was stopped before its first page has no record to return.
  if (stopped && (await sites.readCrawls(id, q)).length === 0) {
    return body([], ctx, 'It was stopped before its first page was read. ');
  }
  const report = await reportOn(q, sites, ctx);
  const asked = report.state === 'running' ? 'It was asked to stop. ' : '';
  return body([report], ctx, stopped ? asked : 'It did not run. ');
}

async function follow(
  depth: number,
  q: string,
  sites: SiteCrawler,
  browse: PageBrowser,
  ctx: OperationContext,
): Promise<SearchBody> {
  const { caller, signal } = ctx;
  ctx.progress(`reading ${q}`);
  const run = await sites.startCrawl(caller.id, q, {
    depth,
    signal,
    read: (raw, until) => browse.readBytes(raw, until, caller.id),
    mayFetch: ctx.countFetch,
    // `terms` lets another node continue the crawl for this caller. Only a server has other nodes.
    terms: caller.via === 'http' ? termsOf(caller) : undefined,
  });
  // A command waits as long as the crawl takes, because the crawl ends with the command's process.
  const patience = caller.via === 'cli' ? Number.POSITIVE_INFINITY : WAIT_MS;
  try {
    await run.wait(ctx.wishes.later ? 0 : patience, signal, ctx.progress);
  } catch (error) {
    // A cancelled call stops its crawl, unless an earlier call started the crawl.
    if (!run.joined) await run.stop();
    throw error;
  }
  return body(
    [await reportOn(q, sites, ctx)],
    ctx,
    run.joined ? 'It ran already, and goes on as it was. ' : '',
  );
}

type CrawlTerms = Pick<Caller, 'credential' | 'expiresAt' | 'address'>;

function termsOf({ credential, expiresAt, address }: Caller): string {
  const terms: CrawlTerms = { ...(credential && { credential }), ...(expiresAt && { expiresAt }) };
  return JSON.stringify({ ...terms, address });
}

export async function registerCrawlHandler(services: Services): Promise<void> {
  const [sites, browse, access] = await Promise.all([
    services.sites(),
    services.browse(),
    services.identity.access(),
  ]);
  sites.handleCrawls((owner, terms) => {
    const own: Caller = { ...(JSON.parse(terms) as CrawlTerms), id: owner, via: 'http', scopes: new Set() };
    return {
      read: (raw, until) => browse.readBytes(raw, until, owner),
      mayFetch: () => access.countFetch(own),
    };
  });
}

async function reportOn(q: string, sites: SiteCrawler, { caller }: OperationContext): Promise<CrawlReport> {
  const [report] = await sites.readCrawls(caller.id, q);
  if (report) return report;
  const others = (await sites.readCrawls(caller.id)).slice(0, 5).map(({ source }) => JSON.stringify(source));
  const known = others.length > 0 ? `; there are ${others.join(', ')}` : '';
  throw notFoundError(`no crawl of ${JSON.stringify(q)} is known${known}: a depth begins one`);
}

function listing(reports: readonly CrawlReport[], ctx: OperationContext): SearchBody {
  const more = reports.length > MAX_LISTED ? `the newest ${MAX_LISTED} of ` : '';
  const said =
    reports.length === 0 ? 'No site was crawled yet. ' : `${more}${formatCount(reports.length, 'crawl')}. `;
  const results = reports.slice(0, MAX_LISTED).map(itemOf);
  return { results, rules: said + composeAnswerRules({ hasLinks: false, hasText: false }, ctx) };
}

function body(reports: readonly CrawlReport[], ctx: OperationContext, remark = ''): SearchBody {
  const next = reports.map((report) => nextOf(report, ctx)).join('');
  return {
    results: reports.map(itemOf),
    rules: remark + next + composeAnswerRules({ hasLinks: false, hasText: false }, ctx),
  };
}

function nextOf({ state, source, waiting }: CrawlReport, { offers }: OperationContext): string {
  const { hostname } = new URL(source);
  const find = offers('search')
    ? `Its pages are in the local index, where search finds them: with site ${hostname} pages of that host alone. `
    : '';
  switch (state) {
    case 'running':
      return 'It goes on in the background: call again with crawl status for how far it is, with stop to end it. ';
    case 'finished':
      return find;
    default:
      return waiting > 0
        ? `${formatCount(waiting, 'address', 'addresses')} wait: call again with a depth to go on from there. ${find}`
        : find;
  }
}

function itemOf(report: CrawlReport): SearchItem {
  const { source, state, depth, bound, why } = report;
  const { indexed, unchanged, forgotten, failed, skipped, waiting, startedAt, endedAt } = report;
  return {
    title: `Crawl of ${source}`,
    link: source,
    crawl: {
      state,
      ...(depth !== undefined && { depth }),
      ...{ indexed, unchanged, forgotten, failed, skipped: { ...skipped }, waiting },
      failures: report.failures.map((one) => ({ ...one })),
      started: new Date(startedAt).toISOString(),
      ...(endedAt !== undefined && { ended: new Date(endedAt).toISOString() }),
      ...(bound !== undefined && { bound }),
      ...(why !== undefined && { why }),
    },
  };
}
