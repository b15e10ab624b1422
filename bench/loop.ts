import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bareRepository, type Entry } from '../test/helpers/git.ts';
import { environment, spawnServer, temporaryFolder } from '../test/helpers/magpie.ts';
import { printBusyCallers } from './callers.ts';
import { printTable } from './figures.ts';

/**
 * The event loop of a real server after its start, at rest, while it reads 16 hostile pages at once and while it scans a
 * repository with long names, by its own metric (which counts the 10 ms of its timer), and what another call (`GET /list`) takes
 * meanwhile: the 99th percentile, and its ratio to that at rest. The longest turn is the processor time of the main thread
 * alone, which other work of the machine does not make longer. The first question on 100,000 passages is part of `bench -- scale`.
 */

const [CALLS_AFTER_START, CALLS_AT_REST] = [250, 300];
/** Milliseconds in which what a turn took is written. */
const WRITTEN_MS = 50;
const [LONG_NAMES, LONG_NAME_CHARS] = [300, 3900];
const PAUSE_MS = 20;
const PAGE_CHARS = 9_000_000;

const SENTENCE = 'Magpies build their nests in high trees and roof them with thorns against the crows. ';
const fill = (piece: string, chars: number) => piece.repeat(Math.floor(chars / piece.length));
const nested = (tag: string) => (share: number) => fill(`<${tag}>`, share * 1_000_000);
const many = (piece: string) => (share: number) => fill(piece, share * PAGE_CHARS);
/** What stands in the body of each page, of a share of its length. */
const HOSTILE: readonly ((share: number) => string)[] = [
  nested('div'),
  nested('b'),
  nested('ul><li'),
  nested('blockquote'),
  nested('a href=x'),
  nested('table><tr><td'),
  many('<div>word</div>'),
  many('<span>a</span> '),
  many('<a href="/x">y z</a> '),
  (share) => `<table>${many('<tr><td>a</td><td>1</td></tr>')(share)}</table>`,
  (share) => `<p ${many('a=b ')(share)}>`,
  (share) => `<p style="${many('color:red;')(share)}">`,
  many('a'),
  many('&amp;'),
  (share) => fill('<p>', share * 2_000_000),
  many(`<h2>Nests</h2><p>${SENTENCE}</p>`),
];

/** What was measured meanwhile. */
interface Phase {
  readonly delayMs: number;
  readonly turnMs: number;
  readonly p99Ms: number;
}

/** `--rounds <n>`: so many times all pages, 1 when left out; `--short`: a quarter of the pages, a hundredth as long, few calls and names. */
export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '1' }, short: { type: 'boolean', default: false } },
  });
  const share = values.short ? 0.01 : 1;
  const hostile = values.short ? HOSTILE.filter((_, at) => at % 4 === 0) : HOSTILE;
  const site = createServer((request, response) => {
    const body = hostile[Number(request.url?.split('/')[1])]?.(share) ?? '';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>A page</title><p>${SENTENCE}</p>${body}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const folder = temporaryFolder();
  const turns = join(folder.path, 'turns');
  const roots = temporaryFolder();
  const repository = await bareRepository(join(roots.path, 'long-names'), [longNames(share * LONG_NAMES)]);
  const env = {
    ...environment(folder.path),
    MAGPIE_SCAN_ROOTS: roots.path,
    MAGPIE_ALLOW_HOSTS: host,
    MAGPIE_CACHE_BYTES: '0',
    MAGPIE_BENCH_TURNS: turns,
    NODE_OPTIONS: `--import=${new URL('./turns.ts', import.meta.url)}`,
  };
  const server = await spawnServer(env);
  try {
    const measured = async (work: Promise<unknown> | number): Promise<Phase> => {
      let done = false;
      const ended = typeof work === 'number' ? undefined : work.finally(() => (done = true));
      const times = await watched(server.url, () => done, typeof work === 'number' ? work : Infinity);
      await ended;
      const delayMs = await longestDelay(server.url);
      await wait(WRITTEN_MS);
      return { delayMs, turnMs: longestTurn(turns), p99Ms: percentile(times) };
    };
    const read = async () => {
      for (let round = 0; round < Number(values.rounds); round++) {
        await Promise.all(hostile.map((_, at) => browse(server.url, `http://${host}/${at}/${round}`)));
      }
    };
    // The first calls of all are a matter of the start.
    await list(server.url);
    await longestDelay(server.url);
    await wait(WRITTEN_MS);
    longestTurn(turns);
    const phases = [
      await measured(share * CALLS_AFTER_START),
      await measured(share * CALLS_AT_REST),
      await measured(read()),
      await measured(scan(server.url, repository)),
    ];
    const rest = phases[1]?.p99Ms ?? Number.NaN;
    printTable(
      [
        '',
        'after the start',
        'at rest',
        `reading ${hostile.length} hostile pages`,
        `scanning ${share * LONG_NAMES} long names`,
      ],
      [
        ['longest delay of the event loop, ms', ...phases.map(({ delayMs }) => delayMs.toFixed(0))],
        ['longest turn, ms of processor time', ...phases.map(({ turnMs }) => turnMs.toFixed(0))],
        ['GET /list, p99 in ms', ...phases.map(({ p99Ms }) => p99Ms.toFixed(1))],
        ['and its ratio to that at rest', ...phases.map(({ p99Ms }) => (p99Ms / rest).toFixed(1))],
      ],
    );
  } finally {
    await server.stop();
    site.close();
    folder.remove();
    roots.remove();
  }
  await printBusyCallers(share);
}

function longNames(count: number): Entry[] {
  return Array.from({ length: count }, (_, at) => ({
    path: `${String(at).padStart(3, '0')}${'a'.repeat(LONG_NAME_CHARS - 6)}.js`,
    data: `export const at = ${at};\n`,
  }));
}

async function scan(base: string, repository: string): Promise<void> {
  const body = JSON.stringify({ repository, options: { deep_scan: true } });
  const response = await fetch(new URL('/v1/scan', base), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the scan: ${response.status} ${text.slice(0, 500)}`);
}

async function list(base: string): Promise<number> {
  const began = performance.now();
  await (await fetch(new URL('/list', base))).text();
  return performance.now() - began;
}

async function browse(base: string, page: string): Promise<void> {
  const query = new URLSearchParams({ q: page, percentile: '1', numofpages: '1' });
  await (await fetch(new URL(`/browse?${query}`, base))).text();
}

/** Milliseconds of one call after the other, until `done`, or so many of them. */
async function watched(base: string, done: () => boolean, most = Infinity): Promise<number[]> {
  const times: number[] = [];
  while (!done() && times.length < most) {
    times.push(await list(base));
    await wait(PAUSE_MS);
  }
  return times;
}

/** Milliseconds, since it was last asked. */
async function longestDelay(base: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', base))).text();
  return 1000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]);
}

/** Milliseconds of processor time, since it was last asked; 0 where no turn was long. */
function longestTurn(file: string): number {
  if (!existsSync(file)) return 0;
  const turns = readFileSync(file, 'utf8').trim().split('\n').map(Number);
  rmSync(file);
  return Math.max(...turns);
}

function percentile(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
