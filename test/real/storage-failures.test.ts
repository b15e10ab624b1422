import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chunkEntry, normalizeEntry } from '../../src/knowledge/entries/new-entry.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, MAIN, runMagpie, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { followLink, linkOf, type Visitor } from '../helpers/uploads.ts';

/** A disk that is full and a folder that may not be written: told in words, and what was kept is read; damaged files. */

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  chmodSync(folder.path, 0o700);
  folder.remove();
});

/** Vectors are written, and cost next to nothing. */
const settings = async (data = folder.path) => ({ ...environment(data), ...(await withoutModel()) });

/** `magpie serve` whose files may not grow beyond `blocks` of 512 bytes. */
async function startOnSmallDisk(env: Record<string, string>, blocks: number) {
  // The signal that comes with the limit would end the process; a full disk sends none.
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$1" serve`;
  const child = spawn('sh', ['-c', script, process.execPath, MAIN], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /listening on (http:\/\/\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`magpie ended with ${code}: ${text}`)));
  });
  return { url, child };
}

const keep = (url: string, q: string) =>
  fetch(new URL('/upsertjson', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ q }),
  });

async function found(url: string, q: string): Promise<string[]> {
  const response = await fetch(new URL(`/query?q=${q}&topK=1`, url));
  expect(response.status).toBe(200);
  const { matches } = (await response.json()) as { matches: { id: string }[] };
  return matches.map(({ id }) => id);
}

test('on a full disk inserts are refused with a message, and reading continues [knowledge.storage]', async () => {
  const env = await settings();
  const { url, child } = await startOnSmallDisk(env, 6000);
  const kept = new Map<string, string>();
  let refused: Response | undefined;
  for (let i = 0; i < 200 && !refused; i++) {
    const key = `zf${i}f`;
    const response = await keep(
      url,
      `The key is ${key}. ${`Words that fill the disk, number ${i}. `.repeat(500)}`,
    );
    if (response.status === 200) kept.set(key, ((await response.json()) as { id: string }).id);
    else refused = response;
  }
  expect(refused?.status).toBe(503);
  expect(await refused?.json()).toEqual({
    error: expect.stringMatching(/^the database .* (cannot be read or written|cannot grow)/),
  });
  expect(kept.size).toBeGreaterThan(0);
  for (const [key, id] of kept) expect(await found(url, key)).toEqual([id]);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);

  const roomy = await spawnServer(env);
  for (const [key, id] of kept) expect(await found(roomy.url, key)).toEqual([id]);
  expect((await keep(roomy.url, 'There is room again.')).status).toBe(200);
  await roomy.stop();
});

/** `magpie serve` on a small disk of its own, filled until an insert is refused. */
async function fillDisk(trashDays: string, before: (url: string) => Promise<void> = async () => {}) {
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  const script = `mount -t tmpfs -o size=28m tmpfs ${disk} && exec "$0" "$1" serve`;
  const apart = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
  const env = {
    ...(await settings(disk)),
    MAGPIE_DISK_RESERVE: 'true',
    MAGPIE_TRASH_DAYS: trashDays,
    MAGPIE_CACHE_BYTES: '0',
  };
  const child = spawn('unshare', [...apart, 'sh', '-c', script, process.execPath, MAIN], {
    env: { ...env, MAGPIE_RATE_REQUESTS: '1000000' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const there = /listening on (http:\/\/\S+)/.exec(text)?.[1];
      if (there) resolve(there);
    });
    child.once('exit', (code) => reject(new Error(`magpie ended with ${code}: ${text}`)));
  });
  const ids: string[] = [];
  let number = 0;
  /** Until an insert is refused; gives how many were kept. */
  const fill = async () => {
    for (let kept = 0; kept < 400; kept++) {
      const words = randomBytes(150_000)
        .toString('base64')
        .replace(/(.{60})/g, '$1 ');
      const response = await keep(url, `Number ${number++}: ${words}`);
      if (response.status !== 200) {
        expect(response.status).toBe(503);
        return kept;
      }
      ids.push(((await response.json()) as { id: string }).id);
    }
    throw new Error('the disk is not full');
  };
  const post = (path: string, body: object) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const stop = async () => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  };
  await before(url);
  await fill();
  /** A command where the disk is mounted: SQLite follows no /proc/<pid>/root there. */
  const command = async (...args: string[]) => {
    const into = process.getuid?.() === 0 ? ['-m'] : ['-U', '--preserve-credentials', '-m'];
    const entered = ['-t', String(child.pid), ...into, process.execPath, MAIN, ...args];
    const ran = spawn('nsenter', entered, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    ran.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    const [code] = await once(ran, 'close');
    return { code, stdout };
  };
  return { url, ids, fill, post, stop, command };
}

test('on a full disk deletion works and frees space [knowledge.storage]', async () => {
  let visitor: Visitor | undefined;
  const { url, ids, post, stop } = await fillDisk('0', async (base) => {
    visitor = await followLink(await linkOf(base));
    const pages = Array.from(
      { length: 40 },
      (_, i) => `Page ${i} of the manual. ${'valves and pumps '.repeat(60)}`,
    );
    expect((await visitor.put('manual.pdf', makePdf(pages))).status).toBe(201);
  });
  const { cookie = '', form = '' } = visitor ?? {};
  const remove = async () => {
    const removed = await fetch(new URL('/app/file/delete', url), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: url },
      body: new URLSearchParams({ form, name: 'manual.pdf' }),
    });
    return removed.status;
  };
  // While another change holds the last of the room the answer is 503, which asks to try again.
  await expect.poll(remove, { interval: 500 }).toBe(303);
  for (const id of ids.slice(0, 5)) expect((await post('/deleteEntry', { id })).status).toBe(200);
  expect((await keep(url, 'There is room again.')).status).toBe(200);
  expect((await fetch(new URL('/reset?q=', url))).status).toBe(200);
  expect((await keep(url, `And much of it: ${'word '.repeat(20_000)}`)).status).toBe(200);
  await stop();
});

test('on a full disk entries can be deleted, also permanently, and the trash can be emptied [knowledge.storage]', async () => {
  const { url, ids, fill, post, stop, command } = await fillDisk('7');
  const [first = '', second = ''] = ids;
  // The newest entry may be the last that fitted: nothing of it is needed to move others.
  expect((await post('/deleteEntry', { id: first })).status).toBe(200);
  expect((await post('/deleteEntry', { id: second, permanent: true })).status).toBe(200);
  const reset = await fetch(new URL('/reset?q=', url));
  expect(reset.status).toBe(200);
  expect(await records(url)).toBe(0);
  // What lies in the trash has its room still; what is set aside for deletions stays theirs.
  expect(await fill()).toBeLessThan(ids.length / 2);
  expect(await command('kb', 'trash', '--empty', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Deleted [1-9]\d* entries of the trash/),
  });
  // The disk fills and is freed again as often as one likes.
  const permanently = () => fetch(new URL('/reset?q=&permanent=true', url));
  for (let round = 0; round < 2; round++) {
    expect(await fill()).toBeGreaterThan(5);
    expect((await permanently()).status).toBe(200);
    expect(await records(url)).toBe(0);
  }
  expect((await keep(url, 'There is room again.')).status).toBe(200);
  await stop();
});

async function records(url: string): Promise<number> {
  const response = await fetch(new URL('/metadatakb?q=', url));
  expect(response.status).toBe(200);
  const { matches } = (await response.json()) as { matches: { metadata: { records: number } }[] };
  return matches[0]?.metadata.records ?? 0;
}

test('a read-only folder is reported first [knowledge.storage]', async () => {
  const data = join(folder.path, 'data');
  const env = await settings(data);
  expect((await runMagpie(['upsert', 'kept while it could be'], env)).code).toBe(0);
  chmodSync(data, 0o500);
  // root may write anywhere, unless it gives that up.
  const giveUp = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
  const prefix = process.getuid?.() === 0 ? giveUp : ['env'];
  for (const args of [['upsert', 'not kept'], ['serve']]) {
    const child = spawn(prefix[0] ?? '', [...prefix.slice(1), process.execPath, MAIN, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(stderr).toContain(data);
    expect(stderr).toMatch(/MAGPIE_DATA.*writ|writ.*MAGPIE_DATA/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  // What is there is read: as it stands, and with what a process that may write has in its log.
  const read = async (...args: string[]) => {
    const child = spawn(prefix[0] ?? '', [...prefix.slice(1), process.execPath, MAIN, ...args], { env });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    return text;
  };
  for (const args of [['query', 'kept'], ['metadatakb'], ['kb', 'export']]) {
    expect(await read(...args)).toContain('kept while it could be');
  }
  expect(await read('listpdfs')).toContain('No file is there');
  chmodSync(data, 0o700);
  const db = await openDatabase({ folder: data });
  const { signal } = new AbortController();
  const store = createEntryStore(db);
  await store.insertEntries([
    { owner: 'tester', entry: await chunkEntry(normalizeEntry({ text: 'only in the log' }), 256) },
  ]);
  chmodSync(data, 0o500);
  expect(await read('query', 'log')).toContain('only in the log');
  chmodSync(data, 0o700);
  await store.cleanUp(signal);
  db.close();
});

/** Some entries in a database; gives the pages of the table of passages. */
async function fillDatabase(): Promise<{ readonly pageno: number }[]> {
  const db = await openDatabase({ folder: folder.path });
  const store = createEntryStore(db);
  const texts = Array.from({ length: 10 }, (_, i) => `${'sparrow thrush robin wren '.repeat(100)} ${i}`);
  for (const text of texts) {
    await store.insertEntries([{ owner: 'tester', entry: await chunkEntry(normalizeEntry({ text }), 256) }]);
  }
  const pages = await db.read((sql) => {
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    return sql.all<{ pageno: number }>(
      `SELECT pageno FROM dbstat WHERE name = 'kb_passages' AND pagetype = 'leaf' ORDER BY pageno`,
    );
  });
  db.close();
  return pages;
}

function damagePassages(pages: readonly { readonly pageno: number }[]): void {
  const file = openSync(join(folder.path, 'magpie.sqlite'), 'r+');
  for (const { pageno } of pages.slice(0, -1))
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (pageno - 1) * 4096);
  closeSync(file);
}

test('damage that no call has met is found after the start, reported by /readyz, and blocks writes [knowledge.storage]', async () => {
  damagePassages(await fillDatabase());
  const magpie = await spawnServer(await settings());
  const ready = async () => {
    const answer = await fetch(new URL('/readyz', magpie.url));
    return [answer.status, await answer.text()];
  };
  await expect.poll(ready, { timeout: 60_000 }).toEqual([503, expect.stringContaining('is damaged')]);
  expect((await keep(magpie.url, 'A zebra plays the piano.')).status).toBe(503);
  expect(await magpie.stop()).toBe(0);
});

test('a damaged database is reported over REST and by /readyz, and no further data is written to it [knowledge.storage]', async () => {
  const env = await settings();
  damagePassages(await fillDatabase());
  const magpie = await spawnServer(env);
  const refused = await fetch(new URL('/query?q=sparrow', magpie.url));
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({ error: expect.stringMatching(/^the database .* is damaged/) });
  // Nothing more is written to it, and the server says so.
  const kept = await keep(magpie.url, 'A zebra plays the piano.');
  expect(kept.status).toBe(503);
  expect(await kept.json()).toEqual({
    error: expect.stringMatching(/is damaged, and nothing more is written to it: .*backup/),
  });
  const ready = await fetch(new URL('/readyz', magpie.url));
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not ready', error: expect.stringContaining('the database is damaged') },
  ]);
  expect((await fetch(new URL('/healthz', magpie.url))).status).toBe(200);
  expect(await magpie.stop()).toBe(0);
});

test('a damaged index file is rebuilt without an error for users [knowledge.storage]', async () => {
  const env = environment(folder.path);
  const model = 'all-minilm-l6-v2-int8';
  const db = await openDatabase({ folder: folder.path });
  const store = createEntryStore(db);
  const prepared = await Promise.all(
    Array.from({ length: 500 }, (_, i) => chunkEntry(normalizeEntry({ text: `number zq${i}x` }), 256)),
  );
  await store.insertEntries(prepared.map((entry) => ({ owner: 'tester', entry })));
  const vector = (place: number) => Float32Array.from({ length: 384 }, (_, i) => Number(i === place % 384));
  await store.putVectors(
    'tester',
    model,
    501,
    Array.from({ length: 500 }, (_, i) => ({ place: i + 1, vector: vector(i) })),
  );
  db.close();
  const name = createHash('sha256').update(`${model}\ntester`).digest('hex').slice(0, 32);
  mkdirSync(join(folder.path, 'indexes'));
  for (const end of ['graph', 'labels']) {
    writeFileSync(join(folder.path, 'indexes', `${name}.${end}`), Buffer.alloc(50_000, 0xa5));
  }
  const magpie = await spawnServer(env);
  const response = await fetch(new URL('/query?q=zq77x&topK=1&includeValues=true', magpie.url));
  expect(response.status).toBe(200);
  const { matches } = (await response.json()) as {
    matches: { metadata: { text: string }; values: number[] }[];
  };
  expect(matches[0]?.metadata.text).toBe('number zq77x');
  expect(matches[0]?.values).toHaveLength(384);
  expect(magpie.stderr()).not.toContain('words alone');
  expect(await magpie.stop()).toBe(0);
});
