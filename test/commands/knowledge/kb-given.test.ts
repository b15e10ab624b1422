import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import type { KnowledgeEntry } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { createServices } from '../../../src/wiring/services.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { encodeLegacy } from '../../helpers/encode-legacy.ts';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { sampleNotes, wordsMissing } from '../../helpers/note-samples.ts';
import { putDatabase } from '../../helpers/test-database.ts';

/** Imports, syncs and exports keep every word and number of what they are given. */

let api: EmbeddingsApi;
const data = temporaryFolder();
const folder = temporaryFolder();
const NOTES = sampleNotes(500);
const nameOf = (at: number) => `${at}.${at % 3 === 0 ? 'txt' : 'md'}`;

beforeAll(async () => {
  await putDatabase(data.path);
  api = await startEmbeddingsApi();
  mkdirSync(join(folder.path, 'notes'));
  for (const [at, note] of NOTES.entries()) writeFileSync(join(folder.path, 'notes', nameOf(at)), note);
});
afterAll(async () => {
  await api.close();
  data.remove();
  folder.remove();
});

const as = (user: string) => ({ ...environment(data.path), ...api.settings, MAGPIE_USER: user });

async function entriesOf(user: string): Promise<KnowledgeEntry[]> {
  const services = createServices(loadConfig({}, as(user)), createLog('error'));
  const found: KnowledgeEntry[] = [];
  try {
    for await (const entry of (await services.knowledge()).exportEntries(user)) found.push(entry);
  } finally {
    await services.lifecycle.close();
  }
  return found;
}

test.each(['import', 'sync'])(
  'kb %s loses no word of 500 notes, and names lines that are not YAML [knowledge.given]',
  async (command) => {
    const { code, stdout } = await runMagpie(
      ['kb', command, join(folder.path, 'notes'), '--json'],
      as(command),
    );
    const body = JSON.parse(stdout) as { warned: number; warnings: { at: string; why: string }[] };
    expect(code).toBe(0);
    expect(body.warned).toBeGreaterThan(50);
    expect(body.warnings).toHaveLength(20);
    expect(body.warnings[0]).toEqual({
      at: expect.stringMatching(/^\d+\.(?:md|txt), line \d+$/),
      why: expect.stringContaining('is not valid YAML'),
    });
    const found = new Map(
      (await entriesOf(command)).map((entry) => [entry.key.replace(/^.*[/:]/, ''), entry]),
    );
    expect(found.size).toBe(NOTES.length);
    for (const [at, given] of NOTES.entries()) {
      const entry = found.get(nameOf(at)) ?? { text: '' };
      expect({ given, missing: wordsMissing(given, entry) }).toEqual({ given, missing: [] });
    }
  },
);

test('kb export - writes to standard output, and both exports give the same entries when imported [knowledge.backup]', async () => {
  const before = await entriesOf('import');
  const exported = await runMagpie(['kb', 'export', '-'], as('import'));
  expect(exported.code).toBe(0);
  expect(exported.stdout.trimEnd().split('\n')).toHaveLength(before.length);
  const read = await runMagpie(['kb', 'import', '-', '--json'], as('piped'), {
    stdin: Readable.from([exported.stdout]),
  });
  expect(JSON.parse(read.stdout)).toEqual({ imported: before.length, known: 0 });
  const markdown = join(folder.path, 'markdown');
  await runMagpie(['kb', 'export', '--format', 'markdown', markdown], as('import'));
  await runMagpie(['kb', 'import', markdown], as('folder'));
  const plain = (entries: readonly KnowledgeEntry[]) =>
    entries
      .map(({ id, ...entry }) => ({ ...entry, number: id.split('-').at(-1) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(plain(await entriesOf('piped'))).toEqual(plain(before));
  expect(plain(await entriesOf('folder'))).toEqual(plain(before));
});

test('hidden files and links of a folder are counted', async () => {
  mkdirSync(join(folder.path, 'vault/.obsidian'), { recursive: true });
  writeFileSync(join(folder.path, 'vault/a.md'), '---\ntitle: A: b\n---\nText');
  writeFileSync(join(folder.path, 'vault/.hidden.md'), 'hidden');
  const { code, stdout } = await runMagpie(['kb', 'import', join(folder.path, 'vault')], as('vault'));
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    '1 entry imported',
    '  2 left out: hidden, or made by machines (.hidden.md, .obsidian)',
    '  1 kept, with a warning:',
    expect.stringMatching(/^ {4}a\.md, line 2: the front matter is not valid YAML/),
  ]);
});

test.each([
  ['import', 'notes'],
  ['sync', 'notes'],
  ['sync', 'tables'],
])('kb %s says which encodings of %s were guessed, and names the first files', async (command, kind) => {
  const path = join(folder.path, `${command}-${kind}`);
  mkdirSync(path);
  const text =
    'Сегодня утром мы пошли на рынок и купили свежий хлеб; вечером пришли гости, и мы долго разговаривали.';
  for (let at = 0; at < 9; at++) {
    const name = kind === 'notes' ? `${at}.txt` : `${at}.csv`;
    writeFileSync(join(path, name), encodeLegacy(`${text} ${at}`, 'windows-1251'));
  }
  const { code, stdout } = await runMagpie(['kb', command, path, '--json'], as(`${command}-${kind}`));
  const { warned, warnings } = JSON.parse(stdout) as {
    warned: number;
    warnings: { at: string; why: string }[];
  };
  expect(code).toBe(0);
  expect(warned).toBe(9);
  expect(warnings).toHaveLength(5);
  expect(warnings[0]).toEqual({
    at: expect.stringMatching(/^\d\.(?:txt|csv)$/),
    why: 'its encoding was guessed from its bytes (windows-1251), so some letters may be wrong',
  });
  const entries = await entriesOf(`${command}-${kind}`);
  expect(entries).toHaveLength(9);
  expect(entries[0]?.text).toContain('купили свежий хлеб');
  const kept = await runMagpie(['upsert', '--path', join(path, warnings[0]?.at ?? '')], as('kept'));
  expect(kept.stdout).toContain('Not read as it should be: its encoding was guessed');
});

test('a long conversation that is imported again shorter leaves no part behind', async () => {
  const file = join(folder.path, 'conversations.json');
  const chat = (turns: number, words: string, changed: number) => {
    const nodes = Array.from({ length: turns }, (_, at) => ({
      id: `n${at}`,
      parent: at === 0 ? null : `n${at - 1}`,
      children: at === turns - 1 ? [] : [`n${at + 1}`],
      message: {
        author: { role: at % 2 ? 'assistant' : 'user' },
        create_time: 1773478800 + at,
        content: { content_type: 'text', parts: [`${words} ${at} `.repeat(9000)] },
      },
    }));
    const mapping = Object.fromEntries(nodes.map((node) => [node.id, node]));
    const conversation = { id: 'c1', title: 'Hives', create_time: 1773478800, update_time: changed, mapping };
    writeFileSync(file, JSON.stringify([conversation]));
  };
  const run = async () =>
    JSON.parse((await runMagpie(['kb', 'import', file, '--json'], as('chat'))).stdout) as unknown;
  chat(30, 'first', 1773479800);
  expect(await run()).toMatchObject({ imported: 3, known: 0 });
  expect(await run()).toMatchObject({ imported: 0, known: 3 });
  expect((await entriesOf('chat')).map(({ key }) => key).sort()).toEqual(
    ['', '#part-2', '#part-3'].map((part) => `chatgpt:c1${part}`),
  );
  for (const { text } of await entriesOf('chat'))
    expect(text).toMatch(/^\[2026-03-14 09:00\] (?:Me|ChatGPT): first/);
  chat(2, 'second', 1773489800);
  expect(await run()).toMatchObject({ imported: 1 });
  const [only, ...others] = await entriesOf('chat');
  expect(others).toEqual([]);
  expect(only?.text).toContain('second');
});
