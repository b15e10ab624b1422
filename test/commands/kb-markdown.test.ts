import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '../../src/command.ts';
import { exportEntries } from '../../src/commands/knowledge/kb.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { KnowledgeEntry, NewEntry } from '../../src/knowledge/types.ts';
import { createLog } from '../../src/log.ts';
import { createServices, type Services } from '../../src/wiring/services.ts';
import { withoutModel } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { runWith } from '../helpers/run-command.ts';

/** `magpie kb export --format markdown`, and the way back. */

const folder = temporaryFolder();
let env: Record<string, string>;
const path = (...names: string[]) => join(folder.path, ...names);
let services: Services;
beforeAll(async () => {
  env = { ...environment(join(folder.path, 'data')), ...(await withoutModel()) };
  services = createServices(loadConfig({}, env), createLog('error'));
});
afterAll(async () => {
  await services.lifecycle.close();
  folder.remove();
});

async function run(command: Command, owner: string, input: Record<string, unknown>, signal?: AbortSignal) {
  const { outcome, printed } = await runWith({ services, owner, signal }, command, input);
  return { outcome, ...(JSON.parse(printed[0] ?? '{}') as Record<string, unknown>) };
}

const exported = (owner: string, to: string, more: Record<string, unknown> = {}) =>
  run(exportEntries, owner, { file: path(to), format: 'markdown', ...more });

async function keep(owner: string, ...entries: readonly NewEntry[]): Promise<string[]> {
  const knowledge = await services.knowledge();
  const ids: string[] = [];
  for (const entry of entries)
    ids.push((await knowledge.insertEntry(owner, entry, new AbortController().signal)).id);
  return ids;
}

async function entriesOf(owner: string): Promise<KnowledgeEntry[]> {
  const all: KnowledgeEntry[] = [];
  for await (const entry of (await services.knowledge()).exportEntries(owner)) all.push(entry);
  return all;
}

function filesIn(name: string): string[] {
  return readdirSync(path(name), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.name.startsWith('.'))
    .map((one) => join(one.parentPath, one.name).slice(path(name).length + 1))
    .sort();
}

const HARD: readonly NewEntry[] = [
  { text: '---\ntitle: not front matter\n---\nA text that begins with dashes.', title: 'Dashes' },
  { text: '---\n', title: 'Dashes alone' },
  { text: 'Two lines\r\nof Windows\r\n\r\n', title: 'CRLF' },
  { text: '\n\n  # Blanks around\n\n\n', source: 'https://example.org/?a=1&b="2"#x' },
  { text: 'No title, no tags #butahash' },
  // Nearly as long as an entry may be, and most of it white space, so that it has few passages.
  { text: `${`Long words of prose.${' '.repeat(980)}`.repeat(987)}end`, title: 'Long' },
  {
    text: '👩‍👩‍👧 emoji, \u0007 a bell, \u0085 and \u2028 separators, \ufeff a mark',
    title: '👩‍👩‍👧 "quoted": yes \\ no',
  },
  { text: 'Tags of all kinds', tags: ['a, b', '#hash', 'true', '12', "it's", '[x]', '日本語', 'with blank'] },
  { text: 'A key', title: 'null', key: 'notes/2024: "x"', collection: 'my garden' },
  { text: 'The same name', title: 'note' },
  { text: 'The same name again', title: 'NOTE' },
  { text: 'A device', title: 'con', collection: 'aux' },
  { text: 'A path', title: '../../../../tmp/escape' },
  { text: 'Looks like Notion', title: `Plans ${'0123456789abcdef'.repeat(2)}`, key: '42' },
  { text: 'id: x\n---\nmagpie: 1', title: '1e3', tags: ['0x10'] },
];

test('a folder of Markdown is restored unchanged by an import and by a sync', async () => {
  await keep('writer', ...HARD);
  const before = await entriesOf('writer');
  const count = HARD.length;
  expect(await exported('writer', 'out')).toMatchObject({
    ...{ outcome: 'done', exported: count, written: count, unchanged: 0, removed: 0, kept: 0 },
  });
  const files = filesIn('out');
  expect(files).toHaveLength(count);
  expect(files).toEqual(expect.arrayContaining(['_aux/_con.md', 'my garden/null.md', 'default/note.md']));
  expect(files).toEqual(
    expect.arrayContaining(['default/NOTE 2.md', 'default/tmp escape.md', 'default/CRLF.md']),
  );
  expect(statSync(path('out', 'default/CRLF.md')).mode & 0o777).toBe(0o600);
  expect(readFileSync(path('out', 'my garden/null.md'), 'utf8')).toMatch(
    /^---\nmagpie: 1\nid: "writer-\d{16}"\ntitle: "null"\ncollection: "my garden"\nkey: "notes\/2024: \\"x\\""\ncreated: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\nupdated: .*Z\n---\n\nA key\n$/,
  );

  const asReader = (owner: string) =>
    before.map((entry) => ({ ...entry, id: entry.id.replace('writer', owner) }));
  const intake = await services.intake();
  const { readBytes: read } = await services.browse();
  const options = { read, signal: new AbortController().signal, progress() {} };
  const source = { path: path('out') };
  const imported = { failed: 0, skipped: {}, kind: 'obsidian' };
  expect(await intake.importSource('reader', source, options)).toMatchObject({
    ...imported,
    imported: count,
    known: 0,
  });
  expect(await entriesOf('reader')).toEqual(asReader('reader'));
  expect(await intake.importSource('reader', source, options)).toMatchObject({ imported: 0, known: count });

  expect(await intake.syncFolder('synced', path('out'), options)).toMatchObject({ added: count, failed: 0 });
  const asSynced = (entries: readonly KnowledgeEntry[]) =>
    entries.map(({ key: _, collection: __, ...entry }) => entry);
  expect(asSynced(await entriesOf('synced'))).toEqual(asSynced(asReader('synced')));
});

test('a later export writes changed entries, and leaves files that differ from its own', async () => {
  const [first = '', second = '', third = ''] = await keep(
    'again',
    { text: 'one', title: 'One' },
    { text: 'two', title: 'Two' },
    { text: 'three', title: 'Three', collection: 'other' },
  );
  mkdirSync(path('again/default'), { recursive: true });
  writeFileSync(path('again/default/Two.md'), 'a note of mine');
  writeFileSync(path('again/default/mine.md'), 'another one');
  expect(await exported('again', 'again')).toMatchObject({
    ...{ outcome: 'partly', exported: 3, written: 2, kept: 1, keptFiles: ['default/Two.md'] },
  });
  expect(readFileSync(path('again/default/Two.md'), 'utf8')).toBe('a note of mine');
  expect(await exported('again', 'again', { overwrite: true })).toMatchObject({
    ...{ outcome: 'done', written: 1, unchanged: 2, kept: 0 },
  });

  const knowledge = await services.knowledge();
  await knowledge.updateEntry('again', first, { text: 'one, changed' }, new AbortController().signal);
  await knowledge.removeEntry('again', third);
  // One collection alone says nothing of the others.
  expect(await exported('again', 'again', { collection: 'default' })).toMatchObject({
    written: 1,
    removed: 0,
  });
  expect(await exported('again', 'again')).toMatchObject({
    outcome: 'done',
    unchanged: 2,
    removed: 1,
    kept: 0,
  });
  expect(existsSync(path('again/other'))).toBe(false);
  expect(filesIn('again')).toEqual(['default/One.md', 'default/Two.md', 'default/mine.md']);

  // A file that was changed since stays, though its entry is gone.
  writeFileSync(path('again/default/Two.md'), `${readFileSync(path('again/default/Two.md'), 'utf8')}more`);
  await knowledge.removeEntry('again', second);
  expect(await exported('again', 'again')).toMatchObject({
    outcome: 'partly',
    kept: 1,
    keptFiles: ['default/Two.md'],
  });
  expect(readFileSync(path('again/default/Two.md'), 'utf8')).toMatch(/two\nmore$/);
  expect(readdirSync(path('again/default')).filter((name) => name.startsWith('.'))).toEqual([]);

  await expect(exported('another', 'again')).rejects.toThrow('is of the export of another user');
});

test('no link leads out of the folder, and an interrupted run is resumed', async () => {
  await keep('linked', { text: 'a text', title: 'Linked' }, { text: 'b text', title: 'Besides' });
  mkdirSync(path('outside'));
  mkdirSync(path('linked'));
  symlinkSync(path('outside'), path('linked/default'));
  await expect(exported('linked', 'linked')).rejects.toThrow('default is not a folder');
  expect(readdirSync(path('outside'))).toEqual([]);

  mkdirSync(path('file/default'), { recursive: true });
  symlinkSync(path('outside/Linked.md'), path('file/default/Linked.md'));
  expect(await exported('linked', 'file')).toMatchObject({ outcome: 'partly', written: 1, kept: 1 });
  expect(readdirSync(path('outside'))).toEqual([]);

  const stopped = new AbortController();
  stopped.abort();
  const input = { file: path('stopped'), format: 'markdown' };
  expect(await run(exportEntries, 'linked', input, stopped.signal)).toMatchObject({
    outcome: 'stopped',
    exported: 0,
  });
  // As a run leaves it that is killed amid the note of its last file.
  await exported('linked', 'killed');
  const log = path('killed/.magpie-export.jsonl');
  writeFileSync(log, readFileSync(log, 'utf8').slice(0, -30));
  expect(await exported('linked', 'killed')).toMatchObject({ outcome: 'done', unchanged: 2, kept: 0 });

  writeFileSync(path('plain'), 'x');
  await expect(exported('linked', 'plain')).rejects.toThrow('is not a folder');
  await expect(run(exportEntries, 'linked', { format: 'markdown' })).rejects.toThrow('takes a folder');
});

test('the command reports its result', async () => {
  const mine = { ...env, MAGPIE_USER: 'spoken' };
  await keep('spoken', { text: 'words', title: 'Words' });
  const call = () => runMagpie(['kb', 'export', '--format', 'markdown', path('spoken')], mine);
  expect(await call()).toMatchObject({ code: 0, stdout: `1 entry in ${path('spoken')}: 1 written\n` });
  writeFileSync(path('spoken/default/Words.md'), 'changed');
  const { code, stdout } = await call();
  expect([code, stdout]).toEqual([3, expect.stringContaining('1 left as it is')]);
  expect(stdout).toContain('default/Words.md');
});
