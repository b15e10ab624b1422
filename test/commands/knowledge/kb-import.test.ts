import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { create as createTar } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { openImport } from '../../../src/knowledge/importing/import-files.ts';
import type { KnowledgeEntry } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { createServices, type Services } from '../../../src/wiring/services.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import {
  CHATGPT_CONVERSATIONS,
  EXPORTS,
  JOPLIN_FILES,
  JSONL_LINES,
  NOTION_FILES,
  VAULT_FILES,
  zipped,
} from '../../helpers/import-samples.ts';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { TAR_TYPES, tarOf } from '../../helpers/tar.ts';

/** `magpie kb import` of what other programs export: real files, archives and pipes. */

const folder = temporaryFolder();
let api: EmbeddingsApi;
let env: Record<string, string>;
let services: Services;
beforeAll(async () => {
  api = await startEmbeddingsApi();
  env = { ...environment(join(folder.path, 'data')), ...api.settings };
  services = createServices(loadConfig({}, env), createLog('error'));
});
afterAll(async () => {
  await services.lifecycle.close();
  await api.close();
  folder.remove();
});

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const as = (user: string) => ({ ...env, MAGPIE_USER: user });

async function entriesOf(user: string): Promise<KnowledgeEntry[]> {
  const found: KnowledgeEntry[] = [];
  for await (const entry of (await services.knowledge()).exportEntries(user)) found.push(entry);
  return found;
}

async function importFile(user: string, path: string, ...more: string[]) {
  const { code, stdout, stderr } = await runMagpie(['kb', 'import', path, '--json', ...more], as(user));
  return { code, stderr, body: (stdout === '' ? undefined : JSON.parse(stdout)) as unknown };
}

test('an archive, a folder and standard input give the same entries, each once', async () => {
  const archive = write('vault.zip', zipped(VAULT_FILES));
  for (const [name, content] of Object.entries(VAULT_FILES)) write(`vault/${name}`, content);
  const first = await importFile('vault', archive);
  expect(first).toMatchObject({
    code: 0,
    body: {
      imported: 3,
      known: 0,
      kind: 'obsidian',
      skipped: { 'not a kind of file that is read (.jpg)': 1 },
    },
  });
  expect(await importFile('vault', join(folder.path, 'vault'))).toMatchObject({
    code: 0,
    body: { imported: 0, known: 3 },
  });
  const piped = await runMagpie(['kb', 'import', '-', '--json'], as('vault'), {
    stdin: Readable.from([Buffer.from(zipped(VAULT_FILES))]),
  });
  expect(JSON.parse(piped.stdout)).toMatchObject({ imported: 0, known: 3 });
  const entries = await entriesOf('vault');
  expect(entries.find(({ title }) => title === '2024-05-08')).toMatchObject({
    tags: ['journal', 'family', 'walks/long'],
    source: 'Daily/2024-05-08.md',
    createdAt: 1715153400000000,
  });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('magpie-import-'))).toEqual([]);
});

test('a tar archive, packed or not, is read like a folder, and a broken one is named', async () => {
  const names = Object.keys(JOPLIN_FILES);
  for (const [name, content] of Object.entries(JOPLIN_FILES)) write(`joplin/${name}`, content);
  const cwd = join(folder.path, 'joplin');
  await createTar({ cwd, file: join(folder.path, 'notes.jex'), portable: true }, names);
  const first = await importFile('tar', join(folder.path, 'notes.jex'));
  expect(first).toMatchObject({ code: 0, body: { imported: 1, kind: 'records' } });
  await createTar({ cwd, file: join(folder.path, 'notes.tgz'), gzip: true }, names);
  for (const path of [join(folder.path, 'notes.tgz'), cwd])
    expect(await importFile('tar', path)).toMatchObject({ code: 0, body: { imported: 0, known: 1 } });
  const bytes = readFileSync(join(folder.path, 'notes.jex'));
  const piped = await runMagpie(['kb', 'import', '-', '--json'], as('tar'), {
    stdin: Readable.from([bytes]),
  });
  expect(JSON.parse(piped.stdout)).toMatchObject({ imported: 0, known: 1 });
  for (const cut of [1024, 1300, 1700])
    expect(await importFile('tar', write('broken.jex', bytes.subarray(0, cut)))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a broken tar archive'),
    });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('magpie-import-'))).toEqual([]);
});

test('a tar archive keeps its files beside names that lead out of it, which are named', async () => {
  const outside = ['../x.md', '/abs/x.md', 'a/../../x.md', 'C:/x.md'];
  const packed = tarOf([...outside, 'note.md', 'a/x..y.md'].map((name) => [name, `Text of ${name}.`]));
  expect(await importFile('outside', write('outside.tar', packed))).toMatchObject({
    code: 3,
    body: { imported: 2, failures: outside.map((at) => ({ at, why: 'leads out of the archive' })) },
  });
});

test('an archive or a folder with more files than an import takes is refused', async () => {
  const names = Array.from({ length: 9 }, (_, at) => `many/${at}.md`);
  const folders = names.map((name) => [name, { type: TAR_TYPES.folder }] as const);
  for (const name of names) write(name, 'Text.');
  write('many.tar', tarOf(folders));
  write('many.zip', zipped(Object.fromEntries(names.map((name) => [name, 'Text.']))));
  for (const name of ['many', 'many.tar', 'many.zip']) {
    const path = join(folder.path, name);
    await expect(openImport({ path }, 8)).rejects.toThrow(`${name} has over 8 files`);
    await (await openImport({ path }, 9)).close();
  }
});

test('gzip data is read from a file and from a pipe', async () => {
  const packed = gzipSync(JSONL_LINES);
  expect(await importFile('gzip', write('lines.jsonl.gz', packed))).toMatchObject({
    code: 0,
    body: { imported: 4 },
  });
  const pieces = Array.from({ length: packed.length }, (_, at) => packed.subarray(at, at + 1));
  const piped = await runMagpie(['kb', 'import', '-'], as('gzip'), { stdin: Readable.from(pieces) });
  expect(piped).toMatchObject({ code: 0, stdout: '0 entries imported, 4 were there already\n' });
  const broken = await importFile('gzip', write('broken.jsonl.gz', packed.subarray(0, 60)));
  expect(broken).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('what gzip packed cannot be unpacked'),
  });
});

test('conversations are found by their content, with the speaker', async () => {
  const archive = write(
    'chatgpt.zip',
    zipped({ 'conversations.json': JSON.stringify(CHATGPT_CONVERSATIONS), 'user.json': '{}' }),
  );
  const { code, stdout } = await runMagpie(['kb', 'import', archive], as('talker'));
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    '1 entry imported',
    '  2 left out: a mark of a citation',
    '  1 left out: a message of a branch that ChatGPT does not show',
    '  1 left out: a hidden message',
    '  1 left out: a call of a tool',
    '  1 left out: a picture',
    '  1 left out: a conversation without text (conversations.json, conversation 2 (Empty))',
    '  1 left out: not a file of conversations (.json: user.json)',
    '',
  ]);
  const { stdout: found } = await runMagpie(['query', 'how much starter'], as('talker'));
  expect(found).toContain('[2024-05-08 13:56] Me: How much starter for 500 g of flour?');
  expect(found).toContain('https://chatgpt.com/c/0f3f-aa');
});

test('an archive keeps its notes and their names beside a broken archive and a name that leads out, which are named', async () => {
  const files = { 'note.md': 'Good note.', 'attached.zip': 'no archive', '../outside.md': 'Outside.' };
  const packed = Buffer.from(zipped({ ...files, 'XXfen.md': 'Unmarked name.' }));
  const name = Buffer.from('Öfen.md');
  for (let at = packed.indexOf('XXfen'); at >= 0; at = packed.indexOf('XXfen', at)) name.copy(packed, at);
  expect(await importFile('attached', write('attached.zip', packed))).toMatchObject({
    code: 3,
    body: {
      imported: 2,
      failures: [
        { at: '../outside.md', why: 'leads out of the archive' },
        { at: 'attached.zip', why: expect.stringContaining('is a broken ZIP archive') },
      ],
    },
  });
  const titles = (await entriesOf('attached')).map(({ title }) => title);
  expect(titles.sort()).toEqual(['note', 'Öfen']);
});

test.each([
  ['is encrypted', 'note.md', 0x06, 1],
  ['its checksum is another one', 'note.md', 0x0e, 1],
  ['is encrypted', 'table.csv', 0x06, 1],
])('an archive with a file that %s keeps the others and names it: %s', async (why, name, at, bit) => {
  const packed = Buffer.from(zipped({ [name]: 'Bad words.', 'good.md': 'Good note.' }));
  for (const [mark, offset] of [
    ['PK\x03\x04', at],
    ['PK\x01\x02', at + 2],
  ] as const) {
    const place = packed.indexOf(mark, 0, 'latin1') + offset;
    packed.writeUInt8((packed[place] ?? 0) ^ bit, place);
  }
  const user = `bad-${name}-${at}`.replace(/\W/g, '-');
  const { code, body } = await importFile(user, write(`${user}.zip`, packed));
  expect((await entriesOf(user)).map(({ text }) => text)).toEqual(['Good note.']);
  if (name.endsWith('.md')) {
    expect(code).toBe(3);
    expect(body).toMatchObject({ failures: [{ at: name, why: expect.stringContaining(why) }] });
  }
});

test.each<[string, string, (text: string) => unknown, (values: unknown[]) => string]>([
  ['entities', 'm.jsonl', (text) => ({ type: 'entity', name: 'Paris', observations: [text] }), linesOf],
  ['memories', 'm.json', (memory) => ({ id: '1', user_id: 'ada', memory }), JSON.stringify],
])(
  'two %s of one name or id stay apart, and importing them again changes nothing',
  async (user, name, record, textOf) => {
    const path = write(name, textOf(['one', 'two', 'one'].map(record)));
    expect(await importFile(user, path)).toMatchObject({ code: 0, body: { imported: 2, known: 1 } });
    const before = await entriesOf(user);
    expect(before.map(({ text }) => /one|two/.exec(text)?.[0])).toEqual(['one', 'two']);
    expect(await importFile(user, path)).toMatchObject({ code: 0, body: { imported: 0, known: 3 } });
    expect(await entriesOf(user)).toEqual(before);
  },
);

function linesOf(values: unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n');
}

test('nested archives with pages in HTML, like large Notion exports, are imported', async () => {
  const id = '5'.repeat(32);
  const html = `<html><head><title>Trip</title></head><body><article class="page"><h1 class="page-title">Trip</h1><p>The ferry leaves Ostend at nine.</p><p>Bring the <a href="https://x.example/">blue tickets</a> and a coat.</p></article></body></html>`;
  const archive = zipped({
    'Export-1-Part-1.zip': zipped(NOTION_FILES),
    'Export-1-Part-2.zip': zipped({ [`Trip ${id}.html`]: html, 'index.html': '<p>A list</p>' }),
  });
  expect(await importFile('notion', write('notion.zip', archive))).toMatchObject({
    code: 0,
    body: {
      imported: 5,
      kind: 'notion',
      skipped: { 'a list of pages': 1, 'not a page or a database (.png)': 1 },
    },
  });
  const trip = (await entriesOf('notion')).find(({ title }) => title === 'Trip');
  expect(trip).toMatchObject({
    source: `https://www.notion.so/${id}`,
    text: expect.stringContaining('The ferry leaves Ostend at nine.'),
  });
  expect(trip?.text).not.toContain('<p>');
});

test('unusable records are named, the rest is stored, and the exit code is 3', async () => {
  const path = write('memories.json', EXPORTS.mem0?.[0]?.['memories.json'] ?? '');
  expect(await importFile('partly', path)).toMatchObject({
    code: 3,
    body: { imported: 1, failed: 1, failures: [{ at: 'memories.json, memory 2', why: 'has no text' }] },
  });
  const { stdout } = await runMagpie(['kb', 'import', path], as('partly'));
  expect(stdout).toBe(
    '0 entries imported, 1 were there already\n  2 left out: an id of a user, an agent or a memory\n  1 failed:\n    memories.json, memory 2: has no text\n',
  );
  const titled = write('long.jsonl', JSON.stringify({ text: 'one', title: 'x'.repeat(600) }));
  expect(await importFile('partly', titled)).toMatchObject({ code: 1, body: { imported: 0, failed: 1 } });
  expect(await importFile('partly', write('empty.zip', zipped({ 'a.png': 'x' })))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not an export that is known; --from names one of chatgpt ('),
  });
  expect(await importFile('partly', write('lines.jsonl', JSONL_LINES), '--from', 'bookmarks')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('lines.jsonl has nothing of this kind: Bookmarks of a browser ('),
  });
  expect(await importFile('partly', join(folder.path, 'lines.jsonl'), '--from', 'chatgpt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('lines.jsonl is not a list in JSON'),
  });
  expect(await importFile('partly', write('conversations.json', ''))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('conversations.json is empty: there is nothing in it to import'),
  });
  expect(await importFile('partly', write('none.jsonl', ''), '--from', 'jsonl')).toMatchObject({ code: 0 });
  expect(await importFile('partly', path, '--from', 'word')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('from'),
  });
});

test('a file of a folder that is too large is named, and the files after it are read', async () => {
  for (const name of ['a', 'c']) write(`large/${name}.md`, `Text of ${name}.`);
  truncateSync(write('large/b.txt', ''), 65_000_000);
  expect(await importFile('large', join(folder.path, 'large'))).toMatchObject({
    code: 3,
    body: { imported: 2, failed: 1, failures: [{ at: 'b.txt', why: 'is over 64 MB' }] },
  });
});

test('hostile archives with false sizes, escaping names, encryption, broken ends or escaping links are refused', async () => {
  const lying = Buffer.from(zipped({ 'conversations.json': `[${' '.repeat(3_000_000)}]` }));
  // The size in the central directory: what is unpacked may not be more.
  const directory = lying.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  lying.writeUInt32LE(100, directory + 24);
  expect(await importFile('hostile', write('lying.zip', lying), '--from', 'chatgpt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is a broken ZIP archive'),
  });
  const escaping = write('escaping.zip', zipped({ '../../outside.md': 'x' }));
  expect(await importFile('hostile', escaping)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('broken ZIP archive'),
  });
  const locked = Buffer.from(zipped({ 'note.md': 'secret' }));
  locked[locked.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 8] = 1;
  expect(await importFile('hostile', write('locked.zip', locked))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is encrypted'),
  });
  const whole = zipped(VAULT_FILES);
  for (const part of [0.2, 0.5, 0.9]) {
    const cut = write('cut.zip', whole.subarray(0, Math.floor(whole.length * part)));
    expect(await importFile('hostile', cut)).toMatchObject({ code: 2 });
  }
  const outside = write('outside.md', 'outside');
  write('linked/inside.md', 'inside');
  symlinkSync(outside, join(folder.path, 'linked', 'link.md'));
  symlinkSync(folder.path, join(folder.path, 'linked', 'around'));
  expect(await importFile('linked', join(folder.path, 'linked'))).toMatchObject({
    code: 0,
    body: { imported: 1 },
  });
  expect((await entriesOf('hostile')).length).toBe(0);
});

test('many records with the same time keep the order of the export', async () => {
  const line = (n: number) => `<DT><A HREF="https://x.example/${n}" ADD_DATE="1600000000">Page ${n}</A>`;
  const html = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${Array.from({ length: 300 }, (_, n) => line(n)).join('\n')}</DL>`;
  expect(await importFile('moment', write('many.html', html))).toMatchObject({ body: { imported: 300 } });
  const entries = await entriesOf('moment');
  expect(entries.map(({ title }) => title)).toEqual(Array.from({ length: 300 }, (_, n) => `Page ${n}`));
});

test('a newer export replaces the entries of the earlier one; a collection keeps it apart', async () => {
  const [conversation] = CHATGPT_CONVERSATIONS;
  const grown = structuredClone(conversation) as unknown as {
    update_time: number;
    current_node: string;
    mapping: Record<string, unknown>;
  };
  const path = write('grown/conversations.json', JSON.stringify([conversation]));
  expect(await importFile('grown', path)).toMatchObject({ body: { imported: 1 } });
  const [before] = await entriesOf('grown');
  grown.update_time += 500;
  grown.current_node = 'z';
  grown.mapping.z = {
    parent: 'd',
    children: [],
    message: {
      author: { role: 'user' },
      create_time: grown.update_time,
      content: { parts: ['How long does it proof?'] },
    },
  };
  write('grown/conversations.json', JSON.stringify([grown]));
  expect(await importFile('grown', path)).toMatchObject({ body: { imported: 1, known: 0 } });
  const [after, ...none] = await entriesOf('grown');
  expect(none).toEqual([]);
  expect(after).toMatchObject({
    id: before?.id,
    text: expect.stringContaining('Me: How long does it proof?'),
  });
  // The older export does not bring the older text back.
  write('grown/conversations.json', JSON.stringify([conversation]));
  expect(await importFile('grown', path)).toMatchObject({ code: 0, body: { imported: 0, known: 1 } });
  expect((await entriesOf('grown')).map(({ text }) => text)).toEqual([after?.text]);
  expect(await importFile('grown', path, '--collection', 'Bread')).toMatchObject({ body: { imported: 1 } });
  expect((await entriesOf('grown')).map(({ collection }) => collection)).toEqual(['default', 'bread']);
});

test('a folder of documents is imported as a sync reads it, and the bytes in its texts are counted', async () => {
  write('papers/phone.vcf', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nTEL:+49 30\r\nEND:VCARD\r\n');
  write('papers/list.opml', '<opml version="2.0"><body><outline text="Trip" _note="at 7:40"/></body></opml>');
  write('papers/hut.org', '#+title: The hut\n* TODO Order wood\n');
  write('papers/rows.csv', 'name,price\nrope,12\n');
  const path = write('papers/scan.md', '![Plan](data:image/png;base64,iVBORw0KGgoAAAA)\n');
  write('papers/broken.pdf', '%PDF-1.7 nothing');
  const { code, body } = await importFile('papers', dirname(path));
  expect({ code, body }).toMatchObject({
    code: 3,
    body: {
      kind: 'obsidian',
      imported: 5,
      failures: [{ at: 'broken.pdf' }],
      skipped: { 'the bytes of a picture or another file in a text': 1 },
    },
  });
  const texts = (await entriesOf('papers')).map(({ title, text }) => [title, text]);
  expect(texts).toEqual(
    expect.arrayContaining([
      ['phone', '## Ada\n\n- **Telephone:** +49 30'],
      ['list', '- Trip\n  at 7:40'],
      ['The hut', '#+title: The hut\n# TODO Order wood'],
      ['scan', 'Plan'],
    ]),
  );
  expect(texts.find(([title]) => title === 'rows')?.[1]).toContain('rope');
});
