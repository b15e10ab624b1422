import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import { extractWrittenUrl } from '../../lib/network/written-address.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { PageStore } from '../page-store.ts';
import type { CrawlTally, Indexer, IndexOptions, IndexSummary } from '../types.ts';
import { type HeldRun, isHoldOfJob, parseOutcome, runWhileHeld, toCrawlReport } from './crawl-hold.ts';
import { type CrawlSource, normalizeWebAddress, openCrawlSource } from './crawl-source.ts';
import type { CrawlStore, OpenedCrawl, SourceKind } from './crawl-store.ts';
import { createFileVisit, hasFileAt, resolveRealPath, walkFolder } from './folder.ts';
import { type IndexRunOptions, type IndexRunTally, visitCrawlQueue } from './index-run.ts';
import type { SiteMapServices } from './site-map.ts';

export interface IndexerOptions extends Omit<SiteMapServices, 'mapDelayMs'> {
  readonly pages: PageStore;
  readonly crawls: CrawlStore;
  readonly maxPages: number;
  readonly maxBytes: number;
  readonly crawlBeatMs?: number | undefined;
}

const WEB_PAGES_LIMIT = 1000;
const SITE_DEPTH = 5;
const FOLDER_DEPTH = 32;
const FILES_AT_ONCE = 4;

export function createIndexer(own: IndexerOptions): Indexer {
  const { pages, crawls, maxPages, maxBytes } = own;
  return {
    async indexSource(owner, source, options) {
      const address = (await isKnownFolder(own, owner, source)) ? undefined : webAddressOf(source);
      return address === undefined
        ? indexFolder(own, owner, pathOf(source), options)
        : indexWeb(own, owner, address, options);
    },

    async listIndex(owner) {
      const [usage, sources, hosts] = await Promise.all([
        pages.measureUsage(owner),
        crawls.listCrawls(owner),
        pages.countByHost(owner),
      ]);
      return {
        ...usage,
        bounds: { pages: maxPages, bytes: maxBytes },
        sources: sources.map(toCrawlReport),
        hosts,
      };
    },

    async readCrawls(owner, source) {
      if (source === undefined) return (await crawls.listCrawls(owner)).map(toCrawlReport);
      const info = await crawls.readCrawl(owner, source);
      return info ? [toCrawlReport(info)] : [];
    },
    askToStop: (owner, source) => crawls.askToStop(owner, source),
    ...createRunEnds(crawls),
    trimCrawls: (owner, keep) => crawls.trimCrawls(owner, keep),

    async forgetSource(owner, source) {
      if (source === 'all') {
        await crawls.deleteCrawls(owner);
        return pages.deleteAllPages(owner);
      }
      const forget = async (name: string, prefix: string) => {
        const lost = await crawls.deleteCrawls(owner, name);
        const count = await pages.deletePagesUnder(owner, prefix);
        return { count, isKnown: lost + count > 0 };
      };
      const path = await lostOrReal(pathOf(source));
      const { count, isKnown } = await forget(path, addressOf(path));
      const address = isKnown ? undefined : webAddressOf(source);
      if (address === undefined) return count;
      const prefix = normalizeWebAddress(address);
      return (await forget(prefix, prefix)).count;
    },
  };
}

async function isKnownFolder({ crawls }: IndexerOptions, owner: string, source: string): Promise<boolean> {
  return (await crawls.readCrawl(owner, await lostOrReal(pathOf(source)))) !== undefined;
}

function webAddressOf(source: string): string | undefined {
  if (/^https?:/i.test(source)) return extractWrittenUrl(source) ?? source;
  const path = pathOf(source);
  return [path, path.split('/', 1).join()].some(existsSync) ? undefined : extractWrittenUrl(source);
}

function createRunEnds(crawls: CrawlStore): Pick<Indexer, 'endRunOf' | 'isDone'> {
  return {
    async endRunOf({ id, owner, source }, state) {
      const info = await crawls.readCrawl(owner, source);
      if (info?.runner === undefined || !isHoldOfJob(id, info.runner)) return;
      await crawls.letCrawlGo(info, info.runner, JSON.stringify({ ...parseOutcome(info.outcome), state }));
    },
    async isDone({ id, owner, source }) {
      const info = await crawls.readCrawl(owner, source);
      if (info === undefined) return true;
      if (!isHoldOfJob(id, info.runner)) return true;
      return info.finishedAt !== undefined;
    },
  };
}

async function indexFolder(
  own: IndexerOptions,
  owner: string,
  path: string,
  options: IndexOptions,
): Promise<IndexSummary> {
  const { pages, crawls, maxPages, pageBytes } = own;
  const { read } = options;
  const real = await resolveRealPath(path);
  const crawl = await openCrawl(own, owner, real.path, 'folder', options);
  const { signal, held } = holdOf(own, crawl, real.path, options);
  const skipped: Record<string, number> = {};
  const tally = await held(async ({ report }) => {
    if (real.isFolder) await queueFiles(crawls, crawl, real.path, { ...options, signal }, skipped);
    else await crawls.queueAddresses(crawl, [{ url: addressOf(real.path), depth: 0 }]);
    const isKept = async (url: string) => (await pages.getReadTime(owner, url)) !== undefined;
    const visit = createFileVisit({ maxBytes: pageBytes, signal, read, isKept });
    const run = runOptions(own, owner, crawl, { ...options, signal }, maxPages);
    const done = await visitCrawlQueue({ ...run, report, atOnce: FILES_AT_ONCE }, visit);
    for (const [why, n] of Object.entries(done.skipped)) skipped[why] = (skipped[why] ?? 0) + n;
    if (done.state !== 'finished') return { ...done, skipped };
    const lost = await forgetLost(own, owner, crawl);
    await crawls.finishCrawl(crawl);
    return { ...done, skipped, forgotten: done.forgotten + lost };
  });
  return { source: real.path, kind: 'folder', resumed: crawl.resumed, ...tally };
}

function holdOf(
  { crawls, crawlBeatMs: beatMs }: IndexerOptions,
  crawl: OpenedCrawl,
  source: string,
  options: IndexOptions,
) {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const hold = { crawls, crawl, source, signal, as: options.job?.as, beatMs };
  return {
    signal,
    held: (work: (held: HeldRun) => Promise<IndexRunTally>) => runWhileHeld(hold, () => stop.abort(), work),
  };
}

async function queueFiles(
  crawls: CrawlStore,
  crawl: OpenedCrawl,
  path: string,
  options: IndexOptions,
  skipped: Record<string, number>,
): Promise<void> {
  const { depth: maxDepth = FOLDER_DEPTH, include, exclude, signal, progress } = options;
  const skip = (why: string) => {
    skipped[why] = (skipped[why] ?? 0) + 1;
  };
  let count = 0;
  for await (const files of walkFolder(path, { maxDepth, include, exclude }, skip)) {
    if (signal.aborted) break;
    await crawls.queueAddresses(crawl, files);
    count += files.length;
    progress(`${formatCount(count, 'file')} found in ${path}`);
  }
}

async function forgetLost({ pages, crawls, maxPages }: IndexerOptions, owner: string, crawl: OpenedCrawl) {
  const lost: string[] = [];
  for (const url of await crawls.listUnmet(crawl, maxPages)) if (!(await hasFileAt(url))) lost.push(url);
  await crawls.deleteAddresses(crawl, lost);
  return pages.deletePages(owner, lost);
}

async function indexWeb(
  own: IndexerOptions,
  owner: string,
  address: string,
  options: IndexOptions,
): Promise<IndexSummary> {
  const { fetch, pages, crawls, pageBytes: maxBytes, pageTimeout: timeoutMs } = own;
  const { job } = options;
  // Aborts the fetches that begin before the crawl is locked, because they lack the lock's signal.
  const ends = new AbortController();
  const within = { ...options, signal: AbortSignal.any([options.signal, ends.signal]) };
  const parts = { owner, hosts: own.hosts, fetch, timeoutMs, maxBytes, depth: SITE_DEPTH };
  const site = await openCrawlSource(address, within, parts);
  const crawl = await openCrawl(own, owner, site.source, site.kind, options);
  const { signal, held } = holdOf(own, crawl, site.source, within);
  signal.addEventListener('abort', () => ends.abort(signal.reason), { once: true });
  const tally = await held(async ({ report, before }) => {
    await job?.onOpen();
    await queueStarts(crawls, crawl, await site.starts(), job?.maxAddresses);
    const visit = site.createVisit({
      conditional: crawl.sameOptions,
      isKept: async (url) => (await pages.getReadTime(owner, url)) !== undefined,
      getState: (url) => crawls.getAddressState(crawl, url),
      async queueAddresses(urls, depth) {
        const addresses = urls.map((url) => ({ url, depth }));
        await crawls.queueAddresses(crawl, addresses, job?.maxAddresses);
      },
    });
    const asked = before.indexed + before.unchanged + before.failed;
    const limit = Math.max(0, (options.limit ?? WEB_PAGES_LIMIT) - asked);
    const run = runOptions(own, owner, crawl, { ...options, limit, signal }, WEB_PAGES_LIMIT);
    const both = (tally: CrawlTally) => {
      report(tally);
      job?.report(tally);
    };
    const done = await visitCrawlQueue({ ...run, job, report: both, atOnce: 1 }, visit);
    if (done.state === 'finished') await crawls.finishCrawl(crawl);
    return done;
  });
  return { source: site.source, kind: site.kind, resumed: crawl.resumed, ...tally };
}

const QUEUED_AT_ONCE = 500;

async function queueStarts(
  crawls: CrawlStore,
  crawl: OpenedCrawl,
  starts: Awaited<ReturnType<CrawlSource['starts']>>,
  most: number | undefined,
): Promise<void> {
  const pause = createYieldPoint();
  for (let at = 0; at < starts.length; at += QUEUED_AT_ONCE) {
    await crawls.queueAddresses(crawl, starts.slice(at, at + QUEUED_AT_ONCE), most);
    await pause();
  }
}

function openCrawl(
  { crawls }: IndexerOptions,
  owner: string,
  source: string,
  kind: SourceKind,
  { depth, include, exclude }: IndexOptions,
): Promise<OpenedCrawl> {
  const options = JSON.stringify({ depth, include, exclude });
  return crawls.openCrawl(owner, source, { kind, options, requeue: kind !== 'folder' });
}

function runOptions(
  { pages, crawls }: IndexerOptions,
  owner: string,
  crawl: OpenedCrawl,
  { limit, signal, progress }: IndexOptions,
  usualLimit: number,
): Omit<IndexRunOptions, 'atOnce' | 'report' | 'job'> {
  return { owner, crawl, pages, crawls, limit: limit ?? usualLimit, signal, progress };
}

function pathOf(source: string): string {
  return /^file:\/\//i.test(source) && URL.canParse(source) ? fileURLToPath(source) : source;
}

function addressOf(path: string): string {
  return pathToFileURL(path).href;
}

async function lostOrReal(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
