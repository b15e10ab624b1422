import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localCaller } from '../src/caller.ts';
import { loadConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { noMetrics } from '../src/metrics.ts';
import { createPipe } from '../src/serve.ts';
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
const CALLS = 64;

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
          const times = await measure(pipe, operation, callers, Math.max(CALLS, 2 * callers));
          const [middle, slow] = [median(times), percentile(times, 0.95)];
          rows.push([
            operation,
            late ? 'yes' : 'no',
            String(callers),
            whole(needed),
            whole(middle),
            whole(middle - needed),
            whole(slow - needed),
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
      'ours above, p95, ms',
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

/** Milliseconds of each of `calls` calls, `callers` of them always under way. */
async function measure(pipe: Pipe, operation: string, callers: number, calls: number): Promise<number[]> {
  const times: number[] = [];
  let left = calls;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) {
        const q = `how do magpies build the nest number ${asked++}`;
        const began = performance.now();
        const { output } = await invoke(pipe, {
          operation,
          input: {
            q,
            percentile: operation === 'search' ? 3 : 100,
            numofpages: operation === 'search' ? 3 : 10,
          },
          caller: localCaller('bench', 'cli'),
          signal: new AbortController().signal,
          unknown: 'reject',
        });
        times.push(performance.now() - began);
        check(operation, output);
      }
    }),
  );
  return times;
}

/** A figure for answers that are not whole would be worth nothing. */
function check(operation: string, output: Record<string, unknown>): void {
  const results = output.results as { full_content?: string }[];
  const whole = results.filter(({ full_content }) => full_content).length;
  if (operation === 'search' ? whole === 3 : results.length === 10) return;
  throw new Error(`${operation} gave ${results.length} results, ${whole} of them with text`);
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}
