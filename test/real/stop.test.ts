import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { chunkEntry, normalizeEntry } from '../../src/knowledge/entries/new-entry.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { environment, MAIN, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { bitmap, makeScans, scanPage } from '../helpers/scans.ts';
import { followLink, linkOf } from '../helpers/uploads.ts';
import { clustered, seeded } from '../helpers/vectors.ts';

/** SIGTERM while a server is at work that takes minutes: it ends at once, in order, and loses nothing that was answered. */

const MODEL = 'all-minilm-l6-v2-int8';
/** The stop is 5 s; a loaded machine may take some times that, and each of these kinds of work takes far longer. */
const LIMIT_MS = 30_000;
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function newPlace(more: Record<string, string> = {}) {
  const folder = temporaryFolder();
  closers.push(folder.remove);
  return { folder: folder.path, env: { ...environment(folder.path), ...more } };
}

async function start(env: Record<string, string>): Promise<RunningProcess> {
  const magpie = await spawnServer(env);
  closers.push(() => magpie.process.kill('SIGKILL'));
  return magpie;
}

/** Stops a server amid its work; its exit code comes before the time is up. */
async function stopsAtOnce(magpie: RunningProcess): Promise<void> {
  expect(await Promise.race([magpie.stop(), sleep(LIMIT_MS, 'too late', { ref: false })])).toBe(0);
  expect(magpie.stderr()).not.toMatch(/"level":"error"|did not end in order|Error:/);
}

/** Entries of one passage, with vectors when `dimensions` are given. */
async function fill(folder: string, count: number, dimensions?: number) {
  const db = await openDatabase({ folder });
  const store = createEntryStore(db);
  const entries = await Promise.all(
    Array.from({ length: count }, (_, i) => chunkEntry(normalizeEntry({ text: `number ${i} of many` }), 256)),
  );
  for (let at = 0; at < count; at += 4000) {
    await store.insertEntries(entries.slice(at, at + 4000).map((entry) => ({ owner: 'tester', entry })));
    if (dimensions === undefined) continue;
    const vectors = clustered(Math.min(4000, count - at), dimensions, 30, seeded(at + 1));
    const placed = vectors.map((vector, i) => ({ place: at + i + 1, vector }));
    await store.putVectors('tester', MODEL, at + vectors.length + 1, placed);
  }
  db.close();
}

const ask = async (url: string, q: string) => {
  const response = await fetch(new URL(`/query?${new URLSearchParams({ q })}`, url));
  expect(response.status).toBe(200);
  return (await response.json()) as { matches: unknown[]; wordsOnly?: string };
};

test('a server stops at once while a graph of vectors is built', async () => {
  const { folder, env } = newPlace();
  await fill(folder, 34_000, 384);
  const magpie = await start(env);
  // The index is read from the store, then the graph is begun.
  await expect
    .poll(async () => (await ask(magpie.url, 'number 7')).wordsOnly, { timeout: 120_000 })
    .toBeUndefined();
  await stopsAtOnce(magpie);
  const files = existsSync(join(folder, 'indexes')) ? readdirSync(join(folder, 'indexes')) : [];
  expect(files.filter((name) => name.endsWith('.graph'))).toEqual([]);
});

test('a server stops at once while passages are embedded', async () => {
  const { folder, env } = newPlace();
  await fill(folder, 6000);
  const magpie = await start(env);
  const pending = async () => {
    const { matches } = (await (await fetch(new URL('/metadatakb?q=', magpie.url))).json()) as {
      matches: { metadata: { pending: number } }[];
    };
    return matches[0]?.metadata.pending ?? 0;
  };
  await expect.poll(pending, { timeout: 120_000 }).toBeLessThan(6000);
  expect(await pending()).toBeGreaterThan(1000);
  await stopsAtOnce(magpie);
});

test('a server stops at once while a scanned file is read by OCR', async () => {
  const { env } = newPlace({ MAGPIE_OCR: 'eng' });
  const magpie = await start(env);
  const visitor = await followLink(await linkOf(magpie.url));
  const pages = Array.from({ length: 60 }, (_, i) => scanPage(bitmap(i % 2 === 0 ? 1 : 2)));
  let answered: number | string | undefined;
  const upload = visitor.put('scan.pdf', makeScans(pages)).then(
    ({ status }) => (answered = status),
    () => (answered = 'broken off'),
  );
  await sleep(3000);
  expect(answered).toBeUndefined();
  await stopsAtOnce(magpie);
  await upload;
  expect(answered).not.toBe(200);
});

test('a server stops at once while a repository is scanned', async () => {
  const { folder, env } = newPlace();
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  const line = (i: number) =>
    `def f${i}(a):\n  b = request.args.get("x${i}")\n  eval(b)\n  return g${i}(b, a)\n`;
  for (let n = 0; n < 400; n++) {
    writeFileSync(join(repository, `a${n}.py`), Array.from({ length: 2000 }, (_, i) => line(i)).join('\n'));
  }
  const magpie = await start({ ...env, MAGPIE_SCAN_ROOTS: repository });
  const response = await fetch(new URL('/v1/scan', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ repository, options: { deep_scan: true } }),
  });
  expect(response.status).toBe(202);
  const { data } = (await response.json()) as { data: { scan_id: string } };
  const scan = async () => {
    const asked = await fetch(new URL(`/v1/scan/${data.scan_id}`, magpie.url));
    return ((await asked.json()) as { data: { status: string } }).data.status;
  };
  await expect.poll(scan, { timeout: 60_000 }).toBe('running');
  await stopsAtOnce(magpie);
});

test('an import in a terminal stops at once and keeps the entries it has read', async () => {
  const { folder, env } = newPlace();
  const file = join(folder, 'many.jsonl');
  writeFileSync(
    file,
    Array.from({ length: 60_000 }, (_, i) => JSON.stringify({ text: `entry ${i} of the file` })).join('\n'),
  );
  const child = spawn(process.execPath, [MAIN, 'kb', 'import', file], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closers.push(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await expect.poll(() => stderr, { timeout: 120_000 }).toMatch(/records read/);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await Promise.race([exit, sleep(LIMIT_MS, 'too late', { ref: false })])).toEqual([130, null]);
  const db = await openDatabase({ folder });
  const { records } = await createEntryStore(db).readCounts('tester');
  expect(records).toBeGreaterThan(0);
  expect(stdout).toMatch(new RegExp(`^${records} entries imported`));
  expect(records).toBeLessThan(60_000);
  db.close();
});
