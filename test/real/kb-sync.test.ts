import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import type { KnowledgeEntry } from '../../src/knowledge/types.ts';
import { createLog } from '../../src/log.ts';
import { createServices } from '../../src/wiring/services.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, MAIN, temporaryFolder } from '../helpers/magpie.ts';

/** A folder of 4000 Markdown files, changed and renamed in part, while runs are killed: it ends right. */

const FILES = 4000;
const MOST_BYTES = 500_000_000;
const data = temporaryFolder();
const folder = temporaryFolder();
let api: EmbeddingsApi;
let env: Record<string, string>;
/** What lies in the folder, by path. */
const files = new Map<string, string>();

beforeAll(async () => {
  api = await startEmbeddingsApi();
  env = {
    ...environment(data.path),
    MAGPIE_EMBEDDER: 'openai:words@64',
    OPENAI_BASE_URL: api.url,
    OPENAI_API_KEY: 'k',
  };
});
afterAll(async () => {
  await api.close();
  data.remove();
  folder.remove();
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder.path, path)), { recursive: true });
  writeFileSync(join(folder.path, path), text);
  files.set(path, text);
}
function move(from: string, to: string): void {
  mkdirSync(dirname(join(folder.path, to)), { recursive: true });
  renameSync(join(folder.path, from), join(folder.path, to));
  files.set(to, files.get(from) ?? '');
  files.delete(from);
}
function remove(path: string): void {
  rmSync(join(folder.path, path));
  files.delete(path);
}
const textOf = (n: number, more = '') =>
  `# Note ${n}${more}\n\n${`The note of number ${n} says that mill ${n % 97} has ${n % 13} wheels and [[Note ${n + 1}]]. `.repeat(6)}`.trim();

/** One run in its own process, killed after some milliseconds; what it printed and its most memory. */
async function run(killAfterMs?: number) {
  const child = spawn(process.execPath, [MAIN, 'kb', 'sync', folder.path, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece;
  });
  let bytes = 0;
  const ended = once(child, 'close');
  const killer = new AbortController();
  if (killAfterMs !== undefined) {
    void setTimeout(killAfterMs, undefined, { signal: killer.signal }).then(
      () => child.kill('SIGKILL'),
      () => {},
    );
  }
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([ended, setTimeout(100)]);
    bytes = Math.max(bytes, peakOf(child.pid ?? 0));
  }
  await ended;
  killer.abort();
  return {
    code: child.exitCode,
    counts: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, number>),
    bytes,
  };
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function entries(): Promise<KnowledgeEntry[]> {
  const services = createServices(loadConfig({}, env), createLog('error'));
  try {
    const found: KnowledgeEntry[] = [];
    for await (const entry of (await services.knowledge()).exportEntries('tester')) found.push(entry);
    return found;
  } finally {
    await services.lifecycle.close();
  }
}

/** The entries are the files, one each; gives the ids by text. */
async function checkEntries(): Promise<Map<string, string>> {
  const found = await entries();
  const byPath = new Map(found.map(({ key, text }) => [key.replace(`${folder.path}/`, ''), text]));
  expect(found.length).toBe(files.size);
  expect([...files].filter(([path, text]) => byPath.get(path) !== text).map(([path]) => path)).toEqual([]);
  return new Map(found.map(({ text, id }) => [text, id]));
}

/** Runs until one ends by itself; those before it are killed, later and later. */
async function runUnderKills(firstMs: number) {
  for (let ms = firstMs, kills = 0; ; ms *= 1.6, kills++) {
    const ended = await run(kills < 3 ? ms : undefined);
    if (ended.code !== null) return { ...ended, kills };
  }
}

test('4000 files are synchronised after changes, renames, swaps and partial removals, under kills', async () => {
  for (let n = 0; n < FILES; n++) put(`area ${n % 40}/note ${n}.md`, textOf(n));
  const first = await runUnderKills(800);
  expect(first).toMatchObject({ code: 0, kills: 3 });
  const ids = await checkEntries();

  for (let n = 0; n < 400; n++) put(`area ${n % 40}/note ${n}.md`, textOf(n, ' (changed)'));
  for (let n = 400; n < 800; n++) move(`area ${n % 40}/note ${n}.md`, `moved/${n % 7}/renamed ${n}.md`);
  // A whole folder under another name, and pairs that swap theirs.
  for (let n = 800; n < FILES; n++) if (n % 40 === 39) move(`area 39/note ${n}.md`, `area last/note ${n}.md`);
  for (let n = 800; n < 1200; n += 40) {
    const [a, b] = [`area ${n % 40}/note ${n}.md`, `area ${(n + 1) % 40}/note ${n + 1}.md`];
    move(a, 'aside.md');
    move(b, a);
    move('aside.md', b);
  }
  for (let n = 1500; n < 1700; n++)
    remove(n % 40 === 39 ? `area last/note ${n}.md` : `area ${n % 40}/note ${n}.md`);
  for (let n = FILES; n < FILES + 120; n++) put(`new/note ${n}.md`, textOf(n));
  const second = await runUnderKills(800);
  expect(second.code).toBe(0);
  const later = await checkEntries();
  const lost = [...files.values()].filter((text) => ids.has(text) && ids.get(text) !== later.get(text));
  expect(lost).toEqual([]);
  expect([...files.values()].filter((text) => ids.has(text)).length).toBe(FILES - 400 - 200);

  const began = performance.now();
  const third = await run();
  expect(third).toMatchObject({
    code: 0,
    counts: { added: 0, changed: 0, moved: 0, removed: 0, unchanged: files.size },
  });
  process.stdout.write(
    `a run that changes nothing: ${Math.round(performance.now() - began)} ms, ${Math.round(third.bytes / 1e6)} MB; ` +
      `at most ${Math.round(Math.max(first.bytes, second.bytes) / 1e6)} MB with changes\n`,
  );
  for (const { bytes } of [first, second, third]) expect(bytes).toBeLessThan(MOST_BYTES);
}, 1_200_000);
