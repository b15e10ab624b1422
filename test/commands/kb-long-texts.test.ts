import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { splitLongText } from '../../src/knowledge/entries/long-text.ts';
import type { KnowledgeEntry } from '../../src/knowledge/types.ts';
import { createLog } from '../../src/log.ts';
import { createServices } from '../../src/wiring/services.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** Texts that are longer than an entry may be: files in step, imports, pages and files that are kept by name. */

let data: ReturnType<typeof temporaryFolder>;
let folder: ReturnType<typeof temporaryFolder>;
let api: EmbeddingsApi;
let env: Record<string, string>;
beforeAll(async () => {
  api = await startEmbeddingsApi();
});
afterAll(() => api.close());
beforeEach(() => {
  data = temporaryFolder();
  folder = temporaryFolder();
  env = { ...environment(data.path), ...api.settings };
});
afterEach(() => {
  data.remove();
  folder.remove();
});

const path = (name: string) => join(folder.path, name);
function write(name: string, content: string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), content);
}

async function sync(...more: string[]) {
  const { code, stdout, stderr } = await runMagpie(['kb', 'sync', folder.path, '--json', ...more], env);
  const body = (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown>;
  const { added, changed, moved, removed, unchanged, failures } = body;
  return { code, stderr, counts: [added, changed, moved, removed, unchanged], failures };
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

test.for([
  ['one line of letters', 'x'.repeat(2_000_000)],
  ['characters of two units', '🐦'.repeat(600_000)],
  ['words without a line', 'heron '.repeat(400_000)],
  ['code that is never closed', `\`\`\`\n${'# no heading\n'.repeat(150_000)}`],
] as const)('a long text is cut into parts: %s', async ([, text]) => {
  const parts = await splitLongText(text);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  for (const part of parts) {
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(900_000);
    expect(part.isWellFormed()).toBe(true);
  }
});

test('a text over 64 MB is refused with the limit', async () => {
  await expect(splitLongText('x'.repeat(64_000_001))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('64 MB'),
  });
});

/** Chapters of about 30 kB each, most of it white space, of which a passage takes much: so they have few passages. */
function book(chapters: number, changed?: number): string {
  return Array.from({ length: chapters }, (_, at) => {
    const line = `Line of chapter ${at}${at === changed ? ', rewritten' : ''}, on heron number`;
    const lines = Array.from({ length: 30 }, (_, n) => `${line} ${n}${' '.repeat(860)}beside the weir.`);
    return `# Chapter ${at}\n\n${lines.join('\n')}`;
  }).join('\n\n');
}

test('a text of over 1 MB is several entries of one source; a change, a move and a shorter version keep them in step', async () => {
  write('book.md', book(60));
  write('other.md', 'Another note.');
  const run = await sync();
  expect(run).toMatchObject({ code: 0, counts: [2, 0, 0, 0, 0] });
  expect(run).toMatchObject({ failures: [] });
  const first = await entries();
  const partsIn = (map: Map<string, KnowledgeEntry>, name = 'book.md') =>
    [...map].filter(([key]) => key.startsWith(name)).map(([, entry]) => entry);
  const parts = partsIn(first);
  expect(parts.length).toBeGreaterThan(2);
  expect(first.get('book.md#part-2')?.title).toBe('Chapter 0 (part 2)');
  for (const { text, source } of parts) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
    expect(text).toMatch(/^# Chapter \d+\n/);
    expect(source).toBe(path('book.md'));
  }
  expect(parts.map(({ text }) => text).join('\n\n')).toBe(book(60));
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 0, 0, 0, 2] });

  // A change far behind leaves the other parts as they are.
  write('book.md', book(60, 55));
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 1, 0, 0, 1] });
  const second = await entries();
  expect(partsIn(second).map(({ id }) => id)).toEqual(parts.map(({ id }) => id));
  const same = partsIn(second).filter(({ updatedAt }, at) => updatedAt === parts[at]?.updatedAt);
  expect(same).toHaveLength(parts.length - 1);

  // Swapped with another file, then moved.
  write('second.md', `# Second\n\n${book(40)}`);
  await sync();
  const third = await entries();
  renameSync(path('book.md'), path('x'));
  renameSync(path('second.md'), path('book.md'));
  renameSync(path('x'), path('second.md'));
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 0, 2, 0, 1] });
  const swapped = await entries();
  expect(partsIn(swapped, 'second.md').map(({ id }) => id)).toEqual(
    partsIn(third, 'book.md').map(({ id }) => id),
  );
  expect(partsIn(swapped, 'book.md').map(({ id }) => id)).toEqual(
    partsIn(third, 'second.md').map(({ id }) => id),
  );

  write('second.md', 'Short by now.');
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 1, 0, 0, 2] });
  expect(partsIn(await entries(), 'second.md').map(({ text }) => text)).toEqual(['Short by now.']);
  rmSync(path('book.md'));
  expect(await sync()).toMatchObject({ code: 0, counts: [0, 0, 0, 1, 2] });
  expect([...(await entries()).keys()].sort()).toEqual(['other.md', 'second.md']);
});

test('a long note and JSON lines are imported, also again when they are shorter', async () => {
  const run = async (name: string) => {
    const { code, stdout, stderr } = await runMagpie(['kb', 'import', path(name), '--json'], env);
    return { code, stderr, ...(JSON.parse(stdout || '{}') as object) };
  };
  write('vault/book.md', book(60));
  expect(await run('vault')).toMatchObject({ code: 0, imported: 3 });
  const first = await entries();
  expect([...first.keys()]).toEqual(['note:book.md', 'note:book.md#part-2', 'note:book.md#part-3']);
  expect(new Set([...first.values()].map(({ source }) => source))).toEqual(new Set(['book.md']));
  expect(await run('vault')).toMatchObject({ code: 0, imported: 0, known: 3 });
  write('vault/book.md', book(40));
  expect(await run('vault')).toMatchObject({ code: 0, imported: 2 });
  expect([...(await entries()).keys()]).toEqual(['note:book.md', 'note:book.md#part-2']);
  const line = { text: book(40).replaceAll('heron', 'stork'), source: 'https://x.example/', key: 'lines' };
  write('lines.jsonl', `${JSON.stringify(line)}\n`);
  expect(await run('lines.jsonl')).toMatchObject({ code: 0, imported: 2 });
  const both = await entries();
  for (const key of ['lines', 'lines#part-2']) expect(both.get(key)?.source).toBe('https://x.example/');
});

test('upsert of a long file reports its number of entries, and a shorter version removes the rest', async () => {
  write('book.md', book(40));
  const { code, stdout } = await runMagpie(['upsert', '--path', path('book.md')], env);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Kept the file .*book\.md in the knowledge base as tester-\d+ and 1 more entry, in \d+ passages\./,
  );
  write('book.md', 'Short by now.');
  await runMagpie(['upsert', '--path', path('book.md')], env);
  expect([...(await entries()).keys()]).toEqual(['book.md']);
});
