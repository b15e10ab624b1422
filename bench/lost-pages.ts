import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { median, printTable, whole } from './figures.ts';
import { type Started, start } from './surface-callers.ts';

/**
 * Searches that come at once to one server, all of one user: how many answers have none of their pages' texts, and how many are
 * refused. `--calls <n>` searches of each row, `--callers <n>` at once, `--kilobytes <n>` of each page.
 */

const CALLERS = [1, 16, 64];
const CALLS = 128;
/** Kilobytes of a page, beside its text. */
const PAGE_SIZE = 400;
/** Milliseconds until the three engines answer, and a page. */
const [ENGINES, PAGE] = ['60,100,150', '50'];

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const web = fileURLToPath(new URL('./servers/search-web.ts', import.meta.url));

export async function run(args: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string', default: String(CALLS) },
      callers: { type: 'string' },
      kilobytes: { type: 'string', default: String(PAGE_SIZE) },
    },
  });
  const calls = Number(values.calls);
  const servers = await start([web, ENGINES, PAGE, values.kilobytes]);
  const rows: string[][] = [];
  const reasons = new Map<string, number>();
  try {
    for (const callers of values.callers === undefined ? CALLERS : [Number(values.callers)]) {
      const { magpie, close } = await startMagpie(servers.urls);
      try {
        const { lost, refused, times, said } = await ask(magpie.urls[0] ?? '', calls, callers);
        rows.push([
          ...[callers, calls, lost, refused].map(String),
          whole(median(times)),
          whole(Math.max(...times)),
        ]);
        for (const [reason, count] of said) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
      } finally {
        close();
      }
    }
  } finally {
    servers.stop();
  }
  process.stdout.write(`\n## lost pages: searches of one user over pages of ${values.kilobytes} KB\n\n`);
  printTable(['callers', 'searches', 'without any page', 'refused', 'median, ms', 'longest, ms'], rows);
  if (reasons.size > 0) process.stdout.write('\n');
  for (const [reason, count] of reasons) process.stdout.write(`${count} times: ${reason}\n`);
}

async function startMagpie(urls: readonly string[]): Promise<{ magpie: Started; close(): void }> {
  const data = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const [first = ''] = urls;
  const magpie = await start([main, 'serve'], {
    ...process.env,
    HOME: data,
    MAGPIE_DATA: data,
    MAGPIE_PORT: '0',
    MAGPIE_ENGINES: 'searxng,yacy,wikipedia,local',
    MAGPIE_SEARXNG_URL: first,
    MAGPIE_YACY_URL: first,
    MAGPIE_ENGINE_URLS: `wikipedia=${first}`,
    MAGPIE_ALLOW_HOSTS: '127.0.0.1',
    MAGPIE_RATE_REQUESTS: '100000',
    MAGPIE_RATE_CONCURRENT: '1000',
    // All engines and pages lie on few hosts here, and on the web they do not: their politeness is not what is measured.
    MAGPIE_SITE_REQUESTS: '256',
  });
  return {
    magpie,
    close() {
      magpie.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

interface Answers {
  /** Answers with results, none of which has its text. */
  readonly lost: number;
  /** Answers of another status than 200. */
  readonly refused: number;
  readonly times: readonly number[];
  /** Why pages are missing and calls are refused, and how often. */
  readonly said: ReadonlyMap<string, number>;
}

let asked = 0;

/** `calls` searches, `callers` of them always under way. */
async function ask(origin: string, calls: number, callers: number): Promise<Answers> {
  const agent = new Agent({ connections: callers, headersTimeout: 0, bodyTimeout: 0 });
  const said = new Map<string, number>();
  const times: number[] = [];
  let [left, lost, refused] = [calls, 0, 0];
  const note = (reason: string) => {
    // Addresses differ from page to page.
    const alike = reason.replaceAll(/https?:\/\/\S+/g, '<address>');
    said.set(alike, (said.get(alike) ?? 0) + 1);
  };
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) {
        const q = `how do magpies build the nest number ${asked++}`;
        const began = performance.now();
        const { statusCode, headers, body } = await agent.request({
          origin,
          path: `/search?${new URLSearchParams({ q, percentile: '3', numofpages: '3' })}`,
          method: 'GET',
        });
        const text = await body.text();
        times.push(performance.now() - began);
        if (statusCode !== 200) {
          refused++;
          note(`${statusCode}, Retry-After ${headers['retry-after']}: ${text.slice(0, 300)}`);
          continue;
        }
        const { results } = JSON.parse(text) as { results: { full_content?: string; error?: string }[] };
        if (!results.some(({ full_content }) => full_content)) lost++;
        for (const { error } of results) if (error) note(error);
      }
    }),
  );
  await agent.close();
  return { lost, refused, times, said };
}
