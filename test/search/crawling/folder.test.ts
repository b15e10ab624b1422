import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Indexing, PAGE_BYTES, startIndexing } from '../../helpers/indexing.ts';

let folder: string;
let indexing: Indexing;
let index: Indexing['index'];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'magpie-folder-'));
  indexing = await startIndexing();
  ({ index } = indexing);
});
afterEach(async () => {
  await indexing.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
const urlOf = (name: string) => pathToFileURL(join(folder, name)).href;
const found = async (query: string, owner = 'ann') =>
  (await indexing.pages.searchPages(owner, query, 10)).map(({ url }) => url);

test('a repeated run skips unchanged files, reads changed files, and removes deleted files from the index', async () => {
  for (const name of ['same', 'touched', 'changed', 'gone']) write(`${name}.txt`, `The ${name} heron.`);
  expect(await index(folder)).toMatchObject({ kind: 'folder', state: 'finished', indexed: 4 });
  utimesSync(join(folder, 'touched.txt'), 1, 1);
  write('changed.txt', 'The egret is here instead.');
  rmSync(join(folder, 'gone.txt'));
  write('new.txt', 'The bittern is new.');
  const opened: string[] = [];
  const read = async ({ url, body }: { url: string; body: Uint8Array }) => {
    opened.push(url);
    return { title: '', markdown: new TextDecoder().decode(body), kind: 'text' };
  };
  expect(await index(folder, { read })).toMatchObject({ indexed: 3, unchanged: 1, forgotten: 1 });
  expect(opened.sort()).toEqual([urlOf('changed.txt'), urlOf('new.txt'), urlOf('touched.txt')]);
  expect(await found('egret')).toEqual([urlOf('changed.txt')]);
  expect(await found('gone')).toEqual([]);
});

test('a stopped and restarted run reads every file once', async () => {
  for (let i = 0; i < 100; i++) write(`${i}.txt`, `Text number${i} of a hundred.`);
  const stop = new AbortController();
  let seen = 0;
  const first = await index(folder, {
    signal: stop.signal,
    progress: () => {
      if (++seen === 70) stop.abort();
    },
  });
  expect(first.state).toBe('stopped');
  expect(first.indexed).toBeGreaterThan(60);
  const second = await index(folder);
  expect(second).toMatchObject({ state: 'finished', resumed: true, unchanged: 0 });
  expect(first.indexed + second.indexed).toBe(100);
  expect(await indexing.kept()).toHaveLength(100);
});

test('a run accepts one file, names with spaces and special characters, patterns and a depth', async () => {
  mkdirSync(join(folder, 'a b', 'deep'), { recursive: true });
  write('a b/50% #1?.txt', 'The heron of odd names.');
  write('a b/deep/two.txt', 'The heron of the deep.');
  write('one.txt', 'The heron of the top.');
  await index(join(folder, 'one.txt'));
  expect(await indexing.kept()).toEqual([urlOf('one.txt')]);
  await index(pathToFileURL(folder).href, { depth: 1 }, 'bob');
  expect(await indexing.kept('bob')).toEqual([urlOf('a b/50% #1?.txt'), urlOf('one.txt')]);
  await index(folder, { include: ['a b/*.txt'], exclude: ['50%'] }, 'eve');
  expect(await indexing.kept('eve')).toEqual([urlOf('a b/deep/two.txt')]);
});

test('a linked folder is read at its real place, and a link that replaces a file during the run is not followed', async () => {
  mkdirSync(join(folder, 'real'));
  write('real/heron.txt', 'The heron.');
  symlinkSync('real', join(folder, 'alias'));
  await index(join(folder, 'alias'));
  expect(await indexing.kept()).toEqual([urlOf('real/heron.txt')]);
  write('secret.txt', 'The secret.');
  const swap = () => {
    rmSync(join(folder, 'real', 'heron.txt'), { force: true });
    symlinkSync('../secret.txt', join(folder, 'real', 'heron.txt'));
  };
  let swapped = false;
  const { skipped } = await index(join(folder, 'real'), {
    progress: (message) => {
      if (swapped || !message.includes('heron.txt')) return;
      swapped = true;
      swap();
    },
  });
  expect(skipped).toEqual({ 'a symbolic link': 1 });
  expect(await found('secret')).toEqual([]);
});

test('files that are unreadable, empty, large or not text are counted by reason', async () => {
  write('locked.txt', 'locked');
  write('empty.txt', '');
  write('large.txt', 'x'.repeat(PAGE_BYTES + 1));
  write('blank.txt', ' \n \n');
  writeFileSync(join(folder, 'zeros.dat'), Buffer.alloc(1000));
  mkdirSync(join(folder, 'node_modules'));
  write('node_modules/x.txt', 'x');
  chmodSync(join(folder, 'locked.txt'), 0);
  const { indexed, skipped, failures } = await index(folder);
  const root = process.getuid?.() === 0;
  expect(indexed).toBe(root ? 1 : 0);
  expect(failures).toEqual(root ? [] : [{ url: urlOf('locked.txt'), why: 'it may not be read' }]);
  expect(skipped).toEqual({
    empty: 1,
    'larger than MAGPIE_PAGE_BYTES': 1,
    'no text that is read': 2,
    'hidden, or made by machines': 1,
  });
});

test('owners do not share what they index', async () => {
  write('heron.txt', 'The heron.');
  await index(folder);
  expect(await found('heron', 'bob')).toEqual([]);
  expect(await indexing.indexer.listIndex('bob')).toMatchObject({ pages: 0, sources: [] });
  expect(await indexing.indexer.forgetSource('bob', 'all')).toBe(0);
  expect(await found('heron')).toEqual([urlOf('heron.txt')]);
  expect(await index(folder, {}, 'bob')).toMatchObject({ indexed: 1, resumed: false });
});

test('a deleted folder can be forgotten, and a folder with a longer name stays', async () => {
  mkdirSync(join(folder, 'notes'));
  mkdirSync(join(folder, 'notes2'));
  write('notes/a.txt', 'The heron.');
  write('notes2/b.txt', 'The heron too.');
  await index(folder);
  renameSync(join(folder, 'notes'), join(folder, 'elsewhere'));
  expect(await indexing.indexer.forgetSource('ann', join(folder, 'notes'))).toBe(1);
  expect(await indexing.kept()).toEqual([urlOf('notes2/b.txt')]);
});

test('a deleted folder whose name may be a host is forgotten by its relative path, and is no address', async () => {
  const isLost = { message: expect.stringContaining('is not there') };
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  mkdirSync(join(folder, 'my.notes', 'old'), { recursive: true });
  await expect(index('biome.json/my.notes')).rejects.toMatchObject({ code: 'bad_request' });
  write('my.notes/a.txt', 'The heron.');
  write('my.notes/old/b.txt', 'The heron too.');
  await index(join(folder, 'my.notes'));
  rmSync(join(folder, 'my.notes'), { recursive: true });
  await expect(index('my.notes')).rejects.toMatchObject(isLost);
  expect(await indexing.indexer.forgetSource('ann', 'my.notes/old')).toBe(1);
  expect(await indexing.indexer.forgetSource('ann', 'my.notes')).toBe(1);
  expect(await indexing.kept()).toEqual([]);
  expect(await indexing.indexer.forgetSource('ann', 'my.notes')).toBe(0);
  cwd.mockRestore();
});

test('a full disk ends the run with its reason, and the written entries stay', async () => {
  write('1.txt', 'The heron.');
  await index(folder);
  await indexing.db.read((sql) => {
    const { page_count: count = 0 } = sql.get<{ page_count: number }>('PRAGMA page_count') ?? {};
    sql.get(`PRAGMA max_page_count = ${count + 2}`);
  });
  // Letters without a pattern, so that packing does not make them few.
  let [seed, text] = [1, ''];
  while (text.length < 150_000) {
    seed = (seed * 48_271) % 2_147_483_647;
    text += `${seed.toString(36)} `;
  }
  write('2.txt', text);
  await expect(index(folder)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('the disk is full'),
  });
  expect(await found('heron')).toEqual([urlOf('1.txt')]);
});
