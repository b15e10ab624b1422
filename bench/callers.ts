import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/log.ts';
import { createServices } from '../src/wiring/services.ts';
import { environment, spawnServer, temporaryFolder } from '../test/helpers/magpie.ts';
import { printTable } from './figures.ts';

/**
 * What another user waits for beside a busy one, in processor time of the server's main thread between the question and its
 * answer, of the median of several rounds: other work of the machine does not make it longer. Where the system does not count it (/proc), in milliseconds.
 */

const PAUSE_MS = 20;
const [ROUNDS, CALLS] = [5, 200];
const WORDS = 'magpies build nests in high trees roof them with thorns against crows bright spoons'.split(
  ' ',
);
const SENTENCE =
  'When the price at https://shop.example/tea falls below 5 euros, mail me at ada@mail.example. ';
const [INSERTED_WORDS, SENTENCE_CHARS, BODY_MEMBERS] = [1500, 4000, 100_000];

interface Busy {
  readonly title: string;
  readonly callers: number;
  ask(at: number): Question & { readonly path: string };
}

interface Question {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (path: string, body: unknown) => ({
  path,
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const wordsOf = (at: number) =>
  Array.from({ length: INSERTED_WORDS }, (_, n) => WORDS[(at * 7 + n * (1 + (at % 5))) % WORDS.length]);

const BUSY: readonly Busy[] = [
  {
    title: `8 insert ${INSERTED_WORDS} words`,
    callers: 8,
    ask: (at) => post('/upsertjson', { q: `${at} ${wordsOf(at).join(' ')}` }),
  },
  {
    title: `6 send sentences of ${SENTENCE_CHARS} characters`,
    callers: 6,
    ask: () => {
      const q = SENTENCE.repeat(SENTENCE_CHARS / SENTENCE.length);
      return { path: `/automationrpa?${new URLSearchParams({ q, dryRun: 'true', platform: 'n8n' })}` };
    },
  },
  {
    title: `6 send bodies of ${BODY_MEMBERS.toLocaleString('en')} members`,
    callers: 6,
    ask: () => post('/upsertjson', { q: 'a', list: Array.from({ length: BODY_MEMBERS }, (_, n) => n) }),
  },
  { title: '4 list without pause', callers: 4, ask: () => ({ path: '/list' }) },
];

export async function printBusyCallers(share: number): Promise<void> {
  const folder = temporaryFolder();
  const env = environment(folder.path);
  const [ann, ben] = await makeKeys(env);
  const server = await spawnServer(env);
  try {
    const agents = new Map([ann, ben].map((key) => [key, new Agent({ keepAlive: true, maxSockets: 8 })]));
    const ask = (path: string, key: string, { method, body, headers }: Question = {}) =>
      new Promise<number>((resolve, reject) => {
        const options = {
          method,
          agent: agents.get(key),
          headers: { ...headers, authorization: `Bearer ${key}` },
        };
        const asked = request(new URL(path, server.url), options, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        });
        asked.once('error', reject).end(body);
      });
    const clock = mainThreadClock(server.process.pid);
    const waits = async (path: string) => {
      const times: number[] = [];
      for (let n = 0; n < CALLS * share; n++) {
        const begun = clock();
        const status = await ask(path, ann);
        if (status !== 200) throw new Error(`the other user's ${path} is answered ${status}`);
        times.push(clock() - begun);
        await wait(PAUSE_MS);
      }
      return times.sort((a, b) => a - b);
    };
    await ask(`/insert?q=${WORDS.join('+')}`, ann);
    // The first call of each kind loads modules, which is a matter of the start.
    for (const { ask: question } of BUSY) {
      const { path, ...init } = question(0);
      await ask(path, ann, init).catch(() => 0);
    }
    const rows: string[][] = [];
    // A collection of garbage in one round is no matter of the callers: the median round counts.
    const medianRound = async (path: string) => {
      const rounds: number[][] = [];
      for (let round = 0; round < (share < 1 ? 1 : ROUNDS); round++) rounds.push(await waits(path));
      return [0.5, 0.99].map((part) => {
        return percentile(
          rounds.map((times) => percentile(times, part)).sort((a, b) => a - b),
          0.5,
        );
      });
    };
    const idle = new Map<string, readonly number[]>();
    for (const path of ['/list', '/query?q=magpies+build+nests']) {
      await waits(path);
      idle.set(path, await medianRound(path));
    }
    for (const { title, callers, ask: question } of BUSY) {
      const stop = new AbortController();
      const statuses = new Map<number, number>();
      const busy = Array.from({ length: callers }, async (_, caller) => {
        for (let at = caller; !stop.signal.aborted; at += callers) {
          const { path, ...init } = question(at);
          // A body that is refused early ends its connection.
          const status = await ask(path, ben, init).catch(() => 0);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      for (const [path, rest] of idle) {
        const cells = (await medianRound(path)).map((ms, at) => {
          const before = rest[at] ?? Number.NaN;
          return `${ms.toFixed(1)} (${(ms / before).toFixed(1)} of ${before.toFixed(1)})`;
        });
        rows.push([title, path.split('?')[0] ?? path, ...cells]);
      }
      stop.abort();
      await Promise.all(busy);
      rows.push([
        `  answered: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`,
        '',
        '',
        '',
      ]);
    }
    printTable(
      ['beside another user', '', 'median, ms of processor time (times idle)', '99th percentile'],
      rows,
    );
  } finally {
    await server.stop();
    folder.remove();
  }
}

async function makeKeys(env: Record<string, string>): Promise<readonly [string, string]> {
  const services = createServices(loadConfig({}, env), createLog('silent'));
  const { keys } = await services.identity.access();
  const make = async (user: string) => (await keys.createKey({ user, scopes: ['read', 'write'] })).key;
  const made = [await make('ann'), await make('ben')] as const;
  await services.lifecycle.close();
  return made;
}

/** Returns a clock of the main thread's processor time in milliseconds. */
function mainThreadClock(pid: number | undefined): () => number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  const read = () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;
  try {
    read();
    return read;
  } catch {
    return () => performance.now();
  }
}

function percentile(times: readonly number[], part: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}
