import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localCaller } from '../src/caller.ts';
import { createPipe } from '../src/cli/pipe.ts';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/log.ts';
import { noMetrics } from '../src/metrics.ts';
import { invoke, type Pipe } from '../src/server/invoke.ts';
import { median, printTable, whole } from './figures.ts';
import { start } from './surface-callers.ts';

/**
 * What Magpie adds to a search: the time of a call above the slowest engine and the slowest page that it needs,
 * at set delays, over real HTTP and through the operation itself. Every call is another question.
 */

/** Milliseconds until SearXNG, YaCy and Wikipedia answer, and until a page does. */
const ENGINES = [60, 100, 150];
const PAGE = 150;
const LATE = 3000;
const CALLERS = [1, 16, 64];
/** Calls of a row at least; each caller makes two at least. */
const CALLS = 32;

const web = fileURLToPath(new URL('./servers/search-web.ts', import.meta.url));

export async function run(): Promise<void> {
  const servers = await start([web, [...ENGINES, LATE].join(','), String(PAGE)]);
  const rows: string[][] = [];
  try {
    for (const late of [false, true]) {
      const { pipe, close } = await open(servers.urls, late);
      for (const operation of ['ultrafastsearch', 'search']) {
        const needed = Math.max(...ENGINES) + (operation === 'search' ? PAGE : 0);
        await measure(pipe, operation, 4, 8);
        for (const callers of CALLERS) {
          const { times, broken, cpu } = await measure(
            pipe,
            operation,
            callers,
            Math.max(CALLS, 2 * callers),
          );
          const [middle, slow] = [median(times), percentile(times, 0.95)];
          rows.push([
            operation,
            late ? 'yes' : 'no',
            String(callers),
            whole(needed),
            whole(middle),
            whole(middle - needed),
            whole(slow - needed),
            cpu.toFixed(1),
            String(broken),
          ]);
        }
      }
      await close();
    }
  } finally {
    servers.stop();
  }
  printTable(
    [
      'operation',
      'one engine late',
      'callers',
      'needed, ms',
      'call, ms',
      'ours above, ms',
      'p95, ms',
      'CPU a call, ms',
      'not whole',
    ],
    rows,
  );
}

async function open(urls: readonly string[], late: boolean): Promise<{ pipe: Pipe; close(): Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const [first = ''] = urls;
  const config = loadConfig(
    {},
    {
      HOME: data,
      MAGPIE_DATA: data,
      MAGPIE_ENGINES: `searxng,yacy,wikipedia,local${late ? ',kagi' : ''}`,
      MAGPIE_SEARXNG_URL: first,
      MAGPIE_YACY_URL: first,
      MAGPIE_ENGINE_URLS: `wikipedia=${first},kagi=${first}`,
      KAGI_API_KEY: 'none',
      MAGPIE_ALLOW_HOSTS: '127.0.0.1',
      // All engines lie on one host here, and on the web they do not: its politeness is not what is measured.
      MAGPIE_SITE_REQUESTS: '256',
    },
  );
  const pipe = createPipe(config, createLog('silent'), noMetrics);
  return {
    pipe,
    async close() {
      await pipe.services.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

let asked = 0;

interface Measured {
  /** Milliseconds of each call. */
  readonly times: readonly number[];
  /** Answers without all their texts or results: on an overloaded machine a page may miss its deadline. */
  readonly broken: number;
  /** Milliseconds of processor time a call, workers included. */
  readonly cpu: number;
}

/** `calls` calls, `callers` of them always under way. */
async function measure(pipe: Pipe, operation: string, callers: number, calls: number): Promise<Measured> {
  const times: number[] = [];
  let [left, broken] = [calls, 0];
  const before = process.cpuUsage();
  const reading = operation === 'search';
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) {
        const q = `how do magpies build the nest number ${asked++}`;
        const began = performance.now();
        const { output } = await invoke(pipe, {
          operation,
          input: { q, percentile: reading ? 3 : 100, numofpages: reading ? 3 : 10 },
          caller: localCaller('bench', 'cli'),
          signal: new AbortController().signal,
          unknown: 'reject',
        });
        times.push(performance.now() - began);
        const results = output.results as { full_content?: string }[];
        const texts = results.filter(({ full_content }) => full_content).length;
        if (reading ? texts < 3 : results.length < 10) broken++;
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return { times, broken, cpu: (user + system) / 1000 / calls };
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}
