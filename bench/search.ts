import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { localCaller } from '../src/caller.ts';
import { createOperationPipe } from '../src/cli/pipe.ts';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/log.ts';
import { noMetrics } from '../src/metrics.ts';
import { invokeOperation, type OperationPipeline } from '../src/server/invoke.ts';
import { median, printTable, whole } from './figures.ts';
import { type ProcessorTime, processorTime, sampled, spentSince } from './processor.ts';
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

const OPERATIONS = ['ultrafastsearch', 'search'];

const web = fileURLToPath(new URL('./servers/search-web.ts', import.meta.url));

/**
 * `--operation <name>` and `--callers <n>` measure that alone, `--calls <n>` as many calls of a row at least, `--late` only with an engine that is late, `--no-late` only
 * without; `--cold` begins with a server that has done nothing yet; `--where` prints where the main thread's time of one operation goes instead.
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      operation: { type: 'string' },
      callers: { type: 'string' },
      late: { type: 'boolean' },
      calls: { type: 'string' },
      cold: { type: 'boolean' },
      where: { type: 'boolean' },
    },
  });
  const operations = values.operation === undefined ? OPERATIONS : [values.operation];
  const callers = values.callers === undefined ? CALLERS : [Number(values.callers)];
  const servers = await start([web, [...ENGINES, LATE].join(','), String(PAGE)]);
  const rows: string[][] = [];
  try {
    for (const late of values.late === undefined ? [false, true] : [values.late]) {
      const { pipe, close } = await open(servers.urls, late);
      for (const operation of operations) {
        const needed = Math.max(...ENGINES) + (operation === 'search' ? PAGE : 0);
        const load = { pipe, operation, others: [servers.pid] };
        if (!values.cold) await measure({ ...load, callers: 4, calls: 16 });
        for (const many of callers) {
          const calls = Math.max(Number(values.calls ?? CALLS), 2 * many);
          if (values.where)
            rows.push(...(await where(operation, calls, () => measure({ ...load, callers: many, calls }))));
          else
            rows.push(rowOf(operation, late, needed, many, await measure({ ...load, callers: many, calls })));
        }
      }
      await close();
    }
  } finally {
    servers.stop();
  }
  printTable(values.where ? WHERE_HEAD : HEAD, rows);
}

const HEAD = [
  'operation',
  'one engine late',
  'callers',
  'needed, ms',
  'call, ms',
  'ours above, ms',
  'p95, ms',
  'CPU a call, ms',
  'main thread',
  'other threads',
  'readers',
  'not whole',
];
const WHERE_HEAD = ['operation', 'where', 'main thread, ms a call'];

function rowOf(
  operation: string,
  late: boolean,
  needed: number,
  callers: number,
  { times, broken, cpu }: Measured,
): string[] {
  const [middle, slow] = [median(times), percentile(times, 0.95)];
  const parts = [cpu.main, cpu.threads, cpu.children];
  return [
    operation,
    late ? 'yes' : 'no',
    String(callers),
    whole(needed),
    whole(middle),
    whole(middle - needed),
    whole(slow - needed),
    ...[parts.reduce((sum, part) => sum + part), ...parts].map((ms) => ms.toFixed(1)),
    String(broken),
  ];
}

/** Milliseconds a call of the main thread, by the part of the source that spends them, most first. */
async function where(operation: string, calls: number, work: () => Promise<unknown>): Promise<string[][]> {
  const times = await sampled(work, partOf);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .map(([part, ms]) => [operation, part, (ms / calls).toFixed(2)]);
}

/** A file of ours; what libraries do by themselves has no name. */
function partOf(url: string): string | undefined {
  return /\/((?:src|tools)\/[^?]+)\.ts$/.exec(url)?.[1];
}

async function open(
  urls: readonly string[],
  late: boolean,
): Promise<{ pipe: OperationPipeline; close(): Promise<void> }> {
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
  const pipe = createOperationPipe(config, createLog('silent'), noMetrics);
  return {
    pipe,
    async close() {
      await pipe.services.lifecycle.close();
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
  /** Milliseconds of processor time a call. */
  readonly cpu: ProcessorTime;
}

interface Load {
  readonly pipe: OperationPipeline;
  readonly operation: string;
  readonly callers: number;
  readonly calls: number;
  /** Processes whose time does not count. */
  readonly others: readonly number[];
}

/** `calls` calls, `callers` of them always under way. */
async function measure({ pipe, operation, callers, calls, others }: Load): Promise<Measured> {
  const times: number[] = [];
  let [left, broken] = [calls, 0];
  const before = processorTime(others);
  const reading = operation === 'search';
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) {
        const q = `how do magpies build the nest number ${asked++}`;
        const began = performance.now();
        const { output } = await invokeOperation(pipe, {
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
  const { main, threads, children } = spentSince(before, others);
  return {
    times,
    broken,
    cpu: { main: main / calls, threads: threads / calls, children: children / calls },
  };
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}
