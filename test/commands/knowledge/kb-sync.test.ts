import { EventEmitter } from 'node:events';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import type { KnowledgeEntry } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { createServices } from '../../../src/wiring/services.ts';
import { docx } from '../../helpers/archives.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { makePdf } from '../../helpers/pdf.ts';
import { putDatabase } from '../../helpers/test-database.ts';

/** `magpie kb sync` on real folders. */

let api: EmbeddingsApi;
let data: ReturnType<typeof temporaryFolder>;
let folder: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
beforeAll(async () => {
  api = await startEmbeddingsApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  data = temporaryFolder();
  await putDatabase(data.path);
  folder = temporaryFolder();
  env = { ...environment(data.path), ...api.settings };
});
afterEach(() => {
  data.remove();
  folder.remove();
});

const path = (name: string) => join(folder.path, name);
function write(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), content);
}

async function sync(...more: string[]) {
  const { code, stdout, stderr } = await runMagpie(['kb', 'sync', folder.path, '--json', ...more], env);
  const body = (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown>;
  const { added, changed, moved, removed, unchanged, failures, skipped } = body;
  return { code, stderr, counts: [added, changed, moved, removed, unchanged], failures, skipped };
}

async function entries(): Promise<Map<string, KnowledgeEntry>> {
  const services = createServices(loadConfig({}, env), createLog('error'));
  try {
    const found = new Map<string, KnowledgeEntry>();
    for await (const entry of (await services.knowledge()).exportEntries('tester')) {
      found.set(entry.key.replace(`${folder.path}/`, ''), entry);
    }
    return found;
  } finally {
    await services.lifecycle.close();
  }
}

test('a sync follows additions, changes, renames and removals, by content', async () => {
  write('Daily/one.md', '---\ntags: [journal]\ncreated: 2024-05-08\n---\nMet [[Anna]] at the mill.');
  write('two.md', '# The second\n\nText of two.');
  write('three.txt', 'Text of three.');
  expect(await sync('--dry-run')).toMatchObject({ code: 0, counts: [3, 0, 0, 0, 0] });
  expect((await entries()).size).toBe(0);
  expect(await sync()).toMatchObject({ code: 0, counts: [3, 0, 0, 0, 0] });
  const first = await entries();
  expect(first.get('Daily/one.md')).toMatchObject({
    title: 'one',
    tags: ['journal'],
    source: path('Daily/one.md'),
    text: 'created: 2024-05-08\n\nMet [[Anna]] at the mill.',
    createdAt: Date.UTC(2024, 4, 8) * 1000,
  });
  expect(first.get('two.md')).toMatchObject({ title: 'The second' });
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 0, 0, 0, 3] });

  write('two.md', '# The second\n\nText of two, changed.');
  mkdirSync(path('Archive'));
  renameSync(path('Daily/one.md'), path('Archive/first.md'));
  rmSync(path('three.txt'));
  write('four.md', 'Text of four.');
  expect(await sync('--dry-run')).toMatchObject({ counts: [1, 1, 1, 1, 0] });
  expect(await sync()).toMatchObject({ code: 0, counts: [1, 1, 1, 1, 0] });
  const second = await entries();
  expect([...second.keys()].sort()).toEqual(['Archive/first.md', 'four.md', 'two.md']);
  expect(second.get('Archive/first.md')).toMatchObject({
    id: first.get('Daily/one.md')?.id,
    title: 'first',
    source: path('Archive/first.md'),
  });
  expect(second.get('two.md')).toMatchObject({
    id: first.get('two.md')?.id,
    text: expect.stringContaining('changed'),
  });

  // What was removed lies in the trash, and a file that comes back has its entry again.
  write('three.txt', 'Text of three.');
  expect(await sync()).toMatchObject({ counts: [1, 0, 0, 0, 3] });
  expect((await entries()).get('three.txt')?.text).toBe('Text of three.');
});

test('swapped or reused names keep their entries, and a touched file changes nothing', async () => {
  for (const name of ['a', 'b', 'c', 'd']) write(`${name}.md`, `The text of ${name}.`);
  await sync();
  const first = await entries();
  renameSync(path('a.md'), path('x'));
  renameSync(path('b.md'), path('a.md'));
  renameSync(path('x'), path('b.md'));
  renameSync(path('d.md'), path('e.md'));
  renameSync(path('c.md'), path('d.md'));
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 0, 4, 0, 0] });
  const second = await entries();
  const ids = (map: Map<string, KnowledgeEntry>, ...names: string[]) =>
    names.map((name) => map.get(`${name}.md`)?.id);
  expect(ids(second, 'a', 'b', 'd', 'e')).toEqual(ids(first, 'b', 'a', 'c', 'd'));
  expect(second.get('a.md')).toMatchObject({ text: 'The text of b.', source: path('a.md'), title: 'a' });
  utimesSync(path('a.md'), new Date(), new Date(Date.now() - 60_000));
  expect(await sync()).toMatchObject({ counts: [0, 0, 0, 0, 4] });
});

test('files of all supported kinds are synchronised, and others are left out', async () => {
  write(
    'page.html',
    '<html><head><title>The mill</title></head><body><article><h1>The mill</h1><p>The wheel turns twelve times a minute in spring.</p></article></body></html>',
  );
  write('Trip/index.html', '<p>We rowed as far as the third island.</p>');
  write('logs/20260304-quay.html', '<title></title><h1>The quay</h1><p>It is repaired in autumn.</p>');
  write('report.pdf', makePdf(['The wagtail report has one page.']));
  write('letter.docx', docx('<w:p><w:r><w:t>Dear Ada, the boat is ready.</w:t></w:r></w:p>'));
  write(
    'mail.eml',
    'From: Ada <ada@x.example>\r\nTo: me@x.example\r\nSubject: The ladder\r\nContent-Type: text/plain\r\n\r\nI bring the ladder on Friday.\r\n',
  );
  write(
    'phone.vcf',
    'BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=86=\r\n=D0=B3=D0=BE=D1=80\r\nTEL;CELL:+380 44\r\nEND:VCARD\r\n',
  );
  write('hut.org', ':PROPERTIES:\n:ID: x\n:END:\n#+title: The hut\n* TODO Order wood\n');
  write('list.opml', '<opml version="2.0"><body><outline text="Trip" _note="at 7:40"/></body></opml>');
  write('scan.md', 'Seats:\n\n![Plan of the hall](data:image/png;base64,iVBORw0KGgoAAAA)\n');
  write('broken.pdf', '%PDF-1.7 nothing');
  write('.gitignore', 'build/\n*.log.md\n!keep.log.md\n');
  write('build/out.md', 'built');
  write('x.log.md', 'log');
  write('keep.log.md', 'kept all the same');
  write('deep/.ignore', '/only-here.md\n');
  write('deep/only-here.md', 'left out');
  write('deep/more/only-here.md', 'not left out');
  write('drafts/d.md', 'a draft');
  write('.obsidian/workspace.md', 'hidden');
  write('empty.md', ' \n');
  write('photo.png', Buffer.from([0x89, 0x50]));
  const outside = join(data.path, 'outside.md');
  writeFileSync(outside, 'outside');
  symlinkSync(outside, path('link.md'));
  symlinkSync('/', path('everything'));
  const first = await sync('--exclude', 'drafts/');
  expect(first).toMatchObject({
    code: 3,
    counts: [12, 0, 0, 0, 0],
    failures: [{ at: 'broken.pdf' }],
    skipped: {
      'left out by --exclude, .gitignore or .ignore': 4,
      'hidden, or made by machines': 3,
      'a symbolic link': 2,
      'not a kind of file that is read (.png)': 1,
      'the bytes of a picture or another file in a text': 1,
      empty: 1,
    },
  });
  const found = await entries();
  expect([...found.keys()].sort()).toEqual([
    'Trip/index.html',
    'deep/more/only-here.md',
    'hut.org',
    'keep.log.md',
    'letter.docx',
    'list.opml',
    'logs/20260304-quay.html',
    'mail.eml',
    'page.html',
    'phone.vcf',
    'report.pdf',
    'scan.md',
  ]);
  expect(found.get('phone.vcf')?.text).toMatch(/## Ігор[\s\S]*\+380 44/);
  expect(found.get('hut.org')).toMatchObject({ title: 'The hut' });
  expect(found.get('list.opml')?.text).toBe('- Trip\n  at 7:40');
  expect(found.get('scan.md')?.text).toBe('Seats:\n\nPlan of the hall');
  expect(found.get('page.html')).toMatchObject({
    title: 'The mill',
    text: expect.stringContaining('twelve times a minute'),
  });
  expect(found.get('Trip/index.html')?.title).toBe('Trip');
  expect(found.get('logs/20260304-quay.html')).toMatchObject({
    title: 'The quay',
    createdAt: Date.UTC(2026, 2, 4, 12) * 1000,
  });
  expect(found.get('letter.docx')?.text).toContain('the boat is ready');
  expect(found.get('mail.eml')?.text).toContain('I bring the ladder on Friday.');
});

test('all removals are counted, and front matter keys may be in capitals', async () => {
  for (let n = 0; n < 5; n++) write(`${n}.md`, `Text ${n}.`);
  write('stays.md', '---\nTitle: The mill\nTags: [wheel]\nDate: 2024-05-08\n---\nIt stays.');
  await sync();
  for (let n = 0; n < 5; n++) rmSync(path(`${n}.md`));
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 0, 0, 5, 1] });
  expect((await entries()).get('stays.md')).toMatchObject({
    title: 'The mill',
    tags: ['wheel'],
    createdAt: Date.UTC(2024, 4, 8) * 1000,
  });
});

test('a file with an impossible time is stored with the current time', async () => {
  for (const [name, year] of [
    ['old', 1960],
    ['new', 2090],
  ] as const) {
    write(`${name}.md`, `Text of ${name}.`);
    utimesSync(path(`${name}.md`), new Date(), new Date(Date.UTC(year, 0, 1)));
  }
  const began = Date.now() * 1000;
  expect(await sync()).toMatchObject({ code: 0, counts: [2, 0, 0, 0, 0] });
  for (const { createdAt } of (await entries()).values()) expect(createdAt).toBeGreaterThanOrEqual(began);
  const other = { ...env, MAGPIE_USER: 'other' };
  expect((await runMagpie(['kb', 'import', folder.path, '--json'], other)).stdout).toContain('"imported":2');
});

test('an unreadable or unmounted folder loses no entry', async () => {
  for (let n = 0; n < 12; n++) write(`shut/${n}.md`, `Text ${n}.`);
  write('open.md', 'Open text.');
  await sync();
  rmSync(path('shut'), { recursive: true });
  rmSync(path('open.md'));
  expect(await sync()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/all 13 files of .* are gone/),
  });
  expect((await entries()).size).toBe(13);
  if (process.getuid?.() !== 0) {
    for (let n = 0; n < 12; n++) write(`shut/${n}.md`, `Text ${n}.`);
    chmodSync(path('shut'), 0);
    expect(await sync()).toMatchObject({ code: 3, failures: [{ at: 'shut/' }] });
    chmodSync(path('shut'), 0o700);
  }
  expect(await runMagpie(['kb', 'sync', path('nowhere')], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not there'),
  });
});

test('an entry that its owner deletes stays away until the file changes', async () => {
  write('a.md', 'The text of a.');
  write('b.md', 'The text of b.');
  await sync();
  const id = (await entries()).get('a.md')?.id ?? '';
  const services = createServices(loadConfig({}, env), createLog('error'));
  expect((await (await services.knowledge()).removeEntry('tester', id)).records).toBe(1);
  await services.lifecycle.close();
  renameSync(path('a.md'), path('c.md'));
  expect(await sync()).toMatchObject({ code: 0 });
  expect([...(await entries()).keys()]).toEqual(['b.md']);
  write('c.md', 'The text of a, again.');
  expect(await sync()).toMatchObject({ code: 0 });
  expect([...(await entries()).keys()].sort()).toEqual(['b.md', 'c.md']);
});

test('two equal files are two entries; collections, --list and --forget work', async () => {
  write('a.md', 'The same.');
  write('b.md', 'The same.');
  expect(await sync('--collection', 'Work')).toMatchObject({ counts: [2, 0, 0, 0, 0] });
  expect([...(await entries()).values()].map(({ collection }) => collection)).toEqual(['work', 'work']);
  expect(await sync('--collection', 'other')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('are in \\"work\\"'),
  });
  rmSync(path('a.md'));
  expect(await sync()).toMatchObject({ counts: [0, 0, 0, 1, 1] });
  expect([...(await entries()).keys()]).toEqual(['b.md']);
  const list = await runMagpie(['kb', 'sync', '--list'], env);
  expect(list.stdout).toMatch(
    new RegExp(`^${folder.path}  \\(1 file, collection work, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\)\n$`),
  );
  expect((await runMagpie(['kb', 'sync', folder.path, '--forget'], env)).code).toBe(0);
  expect((await runMagpie(['kb', 'sync', folder.path, '--forget'], env)).code).toBe(1);
  expect((await runMagpie(['kb', 'sync', '--list'], env)).stdout).toContain('No folder is synced yet');
  // Begun again, it finds its entries by their keys.
  const before = (await entries()).get('b.md')?.id;
  expect(await sync('--collection', 'work')).toMatchObject({ counts: [1, 0, 0, 0, 0] });
  expect((await entries()).get('b.md')?.id).toBe(before);
  expect(await runMagpie(['kb', 'sync'], env)).toMatchObject({ code: 2 });
});

test('--watch follows changes until Ctrl-C', async () => {
  write('a.md', 'The text of a.');
  const signals = new EventEmitter();
  const watching = runMagpie(['kb', 'sync', folder.path, '--watch'], env, { signals });
  const names = async () => [...(await entries()).keys()].sort();
  await vi.waitFor(async () => expect(await names()).toEqual(['a.md']), { timeout: 30_000, interval: 200 });
  write('deep/b.md', 'The text of b.');
  await vi.waitFor(async () => expect(await names()).toEqual(['a.md', 'deep/b.md']), {
    timeout: 30_000,
    interval: 200,
  });
  renameSync(path('a.md'), path('deep/c.md'));
  await vi.waitFor(async () => expect(await names()).toEqual(['deep/b.md', 'deep/c.md']), {
    timeout: 30_000,
    interval: 200,
  });
  signals.emit('SIGINT');
  const { code, stdout } = await watching;
  expect(code).toBe(0);
  expect(stdout).toContain(`${folder.path}: 1 added\n`);
  expect(stdout).toContain('1 moved');
});

test('a file of front matter alone is a note; empty front matter is left out', async () => {
  write('anna.md', '---\ntitle: Anna\ntags: [person, mill]\n---\n');
  write('blank.md', '---\naliases:\n---\n');
  for (const counts of [
    [1, 0, 0, 0, 0],
    [0, 0, 0, 0, 1],
  ]) {
    expect(await sync()).toMatchObject({ code: 0, counts, skipped: { empty: 1 } });
  }
  expect((await entries()).get('anna.md')).toMatchObject({
    title: 'Anna',
    tags: ['person', 'mill'],
    text: 'Anna\ntags: person, mill',
  });
});

test('the removals of one run are one deletion, and a run that would remove most of a folder requires a flag', async () => {
  for (let at = 0; at < 40; at++) write(`${at}.md`, `The text of ${at}.`);
  await sync();
  for (let at = 0; at < 19; at++) rmSync(path(`${at}.md`));
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 0, 0, 19, 21] });
  const restored = await runMagpie(['kb', 'restore', '--json'], env);
  expect(JSON.parse(restored.stdout)).toEqual({ restored: 19, known: 0 });
  for (let at = 0; at < 19; at++) write(`${at}.md`, `The text of ${at}.`);
  await sync();
  for (let at = 0; at < 21; at++) rmSync(path(`${at}.md`));
  const refused = await sync();
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/21 of the 40 files of .* are gone: nothing was changed/);
  expect(refused.stderr).toContain('--remove-many');
  expect((await entries()).size).toBe(40);
  expect(await sync('--remove-many')).toMatchObject({ code: 0, counts: [0, 0, 0, 21, 19] });
});

test('--watch ends once its folder is forgotten, and does not start again by itself', async () => {
  write('a.md', 'The text of a.');
  const watching = runMagpie(['kb', 'sync', folder.path, '--watch'], env, { signals: new EventEmitter() });
  const many = async (count: number) => expect((await entries()).size).toBe(count);
  await vi.waitFor(() => many(1), { timeout: 30_000, interval: 200 });
  const list = async () => (await runMagpie(['kb', 'sync', '--list', '--json'], env)).stdout;
  // The first run notes at its end that the folder is in step.
  await vi.waitFor(async () => expect(await list()).toContain('syncedAt'), {
    timeout: 30_000,
    interval: 200,
  });
  expect((await runMagpie(['kb', 'sync', folder.path, '--forget'], env)).code).toBe(0);
  write('b.md', 'The text of b.');
  const { code, stdout } = await watching;
  expect(code).toBe(0);
  expect(stdout).toContain(`${folder.path} is no longer synced; its entries stay`);
  expect(await list()).toBe('{"folders":[]}\n');
  await many(1);
});
