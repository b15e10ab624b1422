import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { environment, spawnServer, temporaryFolder } from '../test/helpers/magpie.ts';
import { printTable } from './figures.ts';

/**
 * The event loop of a real server while it reads 16 hostile pages at once, by its own metric, and what another call
 * (`GET /list`) takes at rest and during that: the 99th percentile, and the two as a ratio. The longest turn is the processor
 * time of the main thread alone, which other work of the machine does not make longer.
 */

const CALLS_AT_REST = 300;
const PAUSE_MS = 20;
const PAGE_CHARS = 9_000_000;

const SENTENCE = 'Magpies build their nests in high trees and roof them with thorns against the crows. ';
const fill = (piece: string, chars = PAGE_CHARS) => piece.repeat(Math.floor(chars / piece.length));
const nested = (tag: string) => fill(`<${tag}>`, 1_000_000);
/** What stands in the body of each page. */
const HOSTILE: readonly (() => string)[] = [
  () => nested('div'),
  () => nested('b'),
  () => nested('ul><li'),
  () => nested('blockquote'),
  () => nested('a href=x'),
  () => nested('table><tr><td'),
  () => fill('<div>word</div>'),
  () => fill('<span>a</span> '),
  () => fill('<a href="/x">y z</a> '),
  () => `<table>${fill('<tr><td>a</td><td>1</td></tr>')}</table>`,
  () => `<p ${fill('a=b ')}>`,
  () => `<p style="${fill('color:red;')}">`,
  () => fill('a'),
  () => fill('&amp;'),
  () => fill('<p>', 2_000_000),
  () => fill(`<h2>Nests</h2><p>${SENTENCE}</p>`),
];

/** `--rounds <n>`: so many times all pages; 1 when left out. */
export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '1' } } });
  const site = createServer((request, response) => {
    const body = HOSTILE[Number(request.url?.split('/')[1])]?.() ?? '';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>A page</title><p>${SENTENCE}</p>${body}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const folder = temporaryFolder();
  const turns = join(folder.path, 'turns');
  const env = {
    ...environment(folder.path),
    MAGPIE_ALLOW_HOSTS: host,
    MAGPIE_CACHE_BYTES: '0',
    MAGPIE_BENCH_TURNS: turns,
    NODE_OPTIONS: `--import=${new URL('./turns.ts', import.meta.url)}`,
  };
  const server = await spawnServer(env);
  try {
    await list(server.url);
    await longestDelay(server.url);
    longestTurn(turns);
    const rest = await watched(server.url, () => false, CALLS_AT_REST);
    const restDelay = await longestDelay(server.url);
    const restTurn = longestTurn(turns);
    const during: number[] = [];
    let longest = 0;
    for (let round = 0; round < Number(values.rounds); round++) {
      let done = false;
      const reading = Promise.all(
        HOSTILE.map((_, at) => browse(server.url, `http://${host}/${at}/${round}`)),
      );
      const ended = reading.finally(() => {
        done = true;
      });
      during.push(...(await watched(server.url, () => done)));
      await ended;
      longest = Math.max(longest, await longestDelay(server.url));
    }
    const [before, after] = [percentile(rest), percentile(during)];
    printTable(
      ['', 'at rest', `reading ${HOSTILE.length} hostile pages`, 'ratio'],
      [
        ['longest delay of the event loop, ms', restDelay.toFixed(0), longest.toFixed(0), ''],
        ['longest turn, ms of processor time', restTurn.toFixed(0), longestTurn(turns).toFixed(0), ''],
        ['GET /list, p99 in ms', before.toFixed(1), after.toFixed(1), (after / before).toFixed(1)],
      ],
    );
  } finally {
    await server.stop();
    site.close();
    folder.remove();
  }
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
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
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
