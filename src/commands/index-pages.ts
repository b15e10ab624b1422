import { z } from 'zod';
import type { CommandContext } from '../command.ts';
import { badRequestError, notFoundError } from '../errors.ts';
import { formatCount } from '../lib/text/format-count.ts';
import type { IndexListing, IndexSummary } from '../search/types.ts';
import { documentedCommand } from './documented-command.ts';
import { booleanFlag, integerFlag, wordFlag } from './flags.ts';

const HOSTS = 20;

export const indexPages = documentedCommand('index', {
  words: ['source'],
  flags: {
    source: wordFlag,
    depth: integerFlag(0, 100),
    limit: integerFlag(1, 10_000_000),
    delay: z.number().min(0).max(3600).default(0.5),
    include: z.array(z.string().min(1)).default([]),
    exclude: z.array(z.string().min(1)).default([]),
    list: booleanFlag,
    forget: wordFlag,
  },
  effect: ({ list, forget }) => (list ? 'read' : forget === undefined ? 'write' : 'destroy'),
  async question({ source, list, forget }, ctx) {
    if (forget !== 'all' || list || source !== undefined) return undefined;
    const indexer = await ctx.services.indexer();
    const { pages } = await indexer.listIndex(ctx.caller.id);
    return pages === 0
      ? undefined
      : `Delete ${formatCount(pages, 'page')} of your local index, which is all of it?`;
  },
  async run({ source, list, forget, delay, include, exclude, depth, limit }, ctx) {
    const asked = [source !== undefined, list, forget !== undefined].filter(Boolean).length;
    if (asked !== 1) {
      throw badRequestError(
        'index takes one of these: a folder or an address, --list, --forget; magpie index --help shows more',
      );
    }
    const indexer = await ctx.services.indexer();
    if (list) return showListing(await indexer.listIndex(ctx.caller.id), ctx);
    if (forget !== undefined) {
      const { sources } = await indexer.listIndex(ctx.caller.id);
      const count = await indexer.forgetSource(ctx.caller.id, forget);
      const left = count > 0 ? [] : (await indexer.listIndex(ctx.caller.id)).sources;
      if (count === 0 && forget !== 'all' && left.length === sources.length) {
        throw notFoundError(
          `nothing at or under ${JSON.stringify(forget)} is in the index: magpie index --list shows what is`,
        );
      }
      return ctx.print(
        ctx.json ? JSON.stringify({ forgotten: count }) : `${formatCount(count, 'page')} forgotten`,
      );
    }
    const { readBytes } = await ctx.services.browse();
    const summary = await indexer.indexSource(ctx.caller.id, source ?? '', {
      delayMs: delay * 1000,
      include,
      exclude,
      depth,
      limit,
      read: readBytes,
      signal: ctx.signal,
      progress: ctx.progress,
    });
    await showSummary(summary, ctx);
    if (summary.state === 'stopped') return 'stopped';
    return summary.indexed + summary.unchanged > 0 ? 'done' : 'failed';
  },
});

async function showSummary(summary: IndexSummary, ctx: CommandContext): Promise<void> {
  if (ctx.json) return ctx.print(JSON.stringify(summary));
  const { source, kind, state, resumed, waiting, failures, failed } = summary;
  const again = 'the same command continues from here';
  const ends = {
    finished: '',
    limit: ` The limit of this run is reached, ${waitingOf(waiting)}: ${again}.`,
    stopped: ` Stopped, ${waitingOf(waiting)}: ${again}.`,
  };
  await ctx.print(`${resumed ? 'Went on with' : 'Read'} the ${kind} ${source}.${ends[state]}`);
  const skipped = Object.values(summary.skipped).reduce((sum, n) => sum + n, 0);
  const rows: [number, string][] = [
    [summary.indexed, 'indexed'],
    [summary.unchanged, 'unchanged'],
    [summary.forgotten, 'forgotten, since they are gone'],
    [skipped, 'skipped'],
    [failed, 'failed'],
  ];
  for (const [count, what] of rows) {
    if (count === 0 && what !== 'indexed') continue;
    await ctx.print(`  ${String(count).padStart(6)}  ${what}`);
    if (what === 'skipped') {
      const reasons = Object.entries(summary.skipped).sort(([, a], [, b]) => b - a);
      for (const [why, n] of reasons) await ctx.print(`          ${String(n).padStart(6)}  ${why}`);
    }
  }
  for (const { url, why } of failures) await ctx.print(`          ${url}: ${why}`);
  if (failed > failures.length) await ctx.print(`          and ${failed - failures.length} more`);
}

async function showListing(listing: IndexListing, ctx: CommandContext): Promise<void> {
  if (ctx.json) return ctx.print(JSON.stringify(listing));
  const { bounds, sources, hosts } = listing;
  await ctx.print(
    `${formatCount(listing.pages, 'page')} with ${megabytes(listing.bytes)} MB of text ` +
      `(at most ${formatCount(bounds.pages, 'page')} and ${megabytes(bounds.bytes)} MB are kept, the newest)`,
  );
  if (sources.length > 0) await ctx.print('\nIndexed:');
  for (const { source, kind, read, waiting, state, endedAt, startedAt } of sources) {
    const when = new Date(endedAt ?? startedAt).toISOString().slice(0, 16).replace('T', ' ');
    const rest = state === 'finished' ? '' : `, ${waitingOf(waiting)}`;
    await ctx.print(`  ${source}  (${kind}, ${formatCount(read, 'page')}, ${STATES[state]} ${when}${rest})`);
  }
  if (hosts.length > 0) await ctx.print('\nWhere the pages are from:');
  for (const { host, pages: n } of hosts.slice(0, HOSTS)) {
    await ctx.print(`  ${String(n).padStart(6)}  ${host}`);
  }
  if (hosts.length > HOSTS) await ctx.print(`          and ${hosts.length - HOSTS} more`);
}

const STATES = {
  running: 'being read since',
  interrupted: 'interrupted',
  finished: 'finished',
  limit: 'stopped at its limit',
  stopped: 'stopped',
  failed: 'failed',
} as const;

const waitingOf = (count: number): string => `${count} ${count === 1 ? 'waits' : 'wait'}`;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
