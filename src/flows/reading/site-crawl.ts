import type { Browse } from '../../browse/types.ts';
import type { Caller } from '../../caller.ts';
import { AppError } from '../../errors.ts';
import { counted } from '../../lib/text/counted.ts';
import type { Context } from '../../operation.ts';
import type { CrawlReport, Sites } from '../../search/types.ts';
import type { Services } from '../../wiring/services.ts';
import { rulesFor } from '../searching/rules.ts';
import type { SearchBody, SearchItem } from '../searching/search-body.ts';
import type { CrawlWord, WebBrowse } from './browse-input.ts';

type CrawlInput = WebBrowse & { readonly crawl: number | CrawlWord };

/** Milliseconds that a call waits for a crawl, which goes on behind it: clients give a call a minute. */
const WAIT_MS = 20_000;
/** Crawls that an answer lists. */
const MAX_LISTED = 100;

/** Crawls of sites into the caller's local index: begins one, says how it stands, stops it, or lists all. */
export async function siteCrawl(input: CrawlInput, browse: Browse, ctx: Context): Promise<SearchBody> {
  const { q, crawl } = input;
  const { id } = ctx.caller;
  const sites = await ctx.services.sites();
  if (crawl === 'list') return listing(await sites.readCrawls(id), ctx);
  if (q.startsWith('file:')) throw new AppError('bad_request', 'crawl takes a site of the web: q is a file');
  if (crawl === 'status') return body([await reportOn(q, sites, ctx)], ctx);
  if (crawl === 'stop') return stop(q, sites, ctx);
  return follow(crawl, q, sites, browse, ctx);
}

async function stop(q: string, sites: Sites, ctx: Context): Promise<SearchBody> {
  const { id } = ctx.caller;
  const stopped = await sites.stopCrawl(id, q);
  // Nothing is kept of one whose first page was not there yet.
  if (stopped && (await sites.readCrawls(id, q)).length === 0) {
    return body([], ctx, 'It was stopped before its first page was read. ');
  }
  const report = await reportOn(q, sites, ctx);
  const asked = report.state === 'running' ? 'It was asked to stop. ' : '';
  return body([report], ctx, stopped ? asked : 'It did not run. ');
}

/** Begins a crawl, or joins the one that runs, and waits for it a while. */
async function follow(
  depth: number,
  q: string,
  sites: Sites,
  browse: Browse,
  ctx: Context,
): Promise<SearchBody> {
  const { caller, signal } = ctx;
  ctx.progress(`reading ${q}`);
  const run = await sites.startCrawl(caller.id, q, {
    depth,
    signal,
    read: (raw, until) => browse.readBytes(raw, until, caller.id),
    mayFetch: ctx.countFetch,
    // A terminal, or an assistant's own process, waits for its crawl: there need be no server that would run it.
    terms: caller.via === 'http' ? termsOf(caller) : undefined,
  });
  // A process that answers one call ends with it, and the crawl would too.
  const patience = caller.via === 'cli' ? Number.POSITIVE_INFINITY : WAIT_MS;
  try {
    await run.wait(ctx.wishes.later ? 0 : patience, signal, ctx.progress);
  } catch (error) {
    // Who began it and breaks off has stopped it; who joined it has left it.
    if (!run.joined) await run.stop();
    throw error;
  }
  return body(
    [await reportOn(q, sites, ctx)],
    ctx,
    run.joined ? 'It ran already, and goes on as it was. ' : '',
  );
}

/** The caller of a crawl as the node needs it that runs it: whose fetches they are, and by what key. */
type CrawlTerms = Pick<Caller, 'credential' | 'expiresAt' | 'address'>;

function termsOf({ credential, expiresAt, address }: Caller): string {
  const terms: CrawlTerms = { ...(credential && { credential }), ...(expiresAt && { expiresAt }) };
  return JSON.stringify({ ...terms, address });
}

/** Has this process run crawls that any node may run; called once, where a server begins to work. */
export async function handleCrawls(services: Services): Promise<void> {
  const [sites, browse, access] = await Promise.all([services.sites(), services.browse(), services.access()]);
  sites.handleCrawls((owner, terms) => {
    const own: Caller = { ...(JSON.parse(terms) as CrawlTerms), id: owner, via: 'http', scopes: new Set() };
    return {
      read: (raw, until) => browse.readBytes(raw, until, owner),
      mayFetch: () => access.countFetch(own),
    };
  });
}

async function reportOn(q: string, sites: Sites, { caller }: Context): Promise<CrawlReport> {
  const [report] = await sites.readCrawls(caller.id, q);
  if (report) return report;
  const others = (await sites.readCrawls(caller.id)).slice(0, 5).map(({ source }) => JSON.stringify(source));
  const known = others.length > 0 ? `; there are ${others.join(', ')}` : '';
  throw new AppError('not_found', `no crawl of ${JSON.stringify(q)} is known${known}: a depth begins one`);
}

function listing(reports: readonly CrawlReport[], ctx: Context): SearchBody {
  const more = reports.length > MAX_LISTED ? `the newest ${MAX_LISTED} of ` : '';
  const said =
    reports.length === 0 ? 'No site was crawled yet. ' : `${more}${counted(reports.length, 'crawl')}. `;
  const results = reports.slice(0, MAX_LISTED).map(itemOf);
  return { results, rules: said + rulesFor({ links: false, text: false }, ctx) };
}

function body(reports: readonly CrawlReport[], ctx: Context, remark = ''): SearchBody {
  const next = reports.map((report) => nextOf(report, ctx)).join('');
  return {
    results: reports.map(itemOf),
    rules: remark + next + rulesFor({ links: false, text: false }, ctx),
  };
}

/** What to do with a crawl as it stands. */
function nextOf({ state, source, waiting }: CrawlReport, { offers }: Context): string {
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
        ? `${counted(waiting, 'address', 'addresses')} wait: call again with a depth to go on from there. ${find}`
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
