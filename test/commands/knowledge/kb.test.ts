import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askYesNo, EXIT_CODE } from '../../../src/cli/terminal.ts';
import type { Command } from '../../../src/command.ts';
import { exportEntries, importEntries } from '../../../src/commands/knowledge/kb.ts';
import { restoreEntries, showTrash } from '../../../src/commands/knowledge/kb-trash.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log.ts';
import { createServices, type Services } from '../../../src/wiring/services.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { environment, MAIN, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { runWith } from '../../helpers/run-command.ts';

/** `magpie kb export` and `magpie kb import`, and the knowledge base at the terminal. */

const folder = temporaryFolder();
let api: EmbeddingsApi;
let env: Record<string, string>;
const file = (name: string) => join(folder.path, name);
const log = createLog('error');
let services: Services;

beforeAll(async () => {
  api = await startEmbeddingsApi();
  env = { ...environment(join(folder.path, 'data')), ...api.settings };
  services = createServices(loadConfig({}, env), log);
});
afterAll(async () => {
  await services.lifecycle.close();
  await api.close();
  folder.remove();
});

/** Runs a command as its owner; the lines that it prints. */
const run = (command: Command, owner: string, input: Record<string, unknown>, signal?: AbortSignal) =>
  runWith({ services, owner, signal }, command, input);

const ENTRIES = [
  {
    text: 'Plain words.\nOn two lines, with a tab\t and a bell \u0007 and \u009b too.',
    tags: ['a', 'b'],
    source: 'https://x.example/',
  },
  { text: 'Ελληνικά, 日本語, العربية, 👩‍👩‍👧 and \u2028 a line separator', title: 'Many scripts' },
  { text: '# A heading\n\nWords of it. '.repeat(400), title: 'Long' },
  { text: '{"json": "in text"}' },
];

test('an export is imported unchanged, each entry once [knowledge.backup]', async () => {
  const [backup, given] = [file('backup.jsonl'), file('given.jsonl')];
  writeFileSync(given, ENTRIES.map((entry) => JSON.stringify(entry)).join('\n'));
  expect((await run(importEntries, 'tester', { file: given })).printed).toEqual(['{"imported":4,"known":0}']);
  const written = await run(exportEntries, 'tester', { file: backup });
  expect(written).toEqual({ outcome: 'done', printed: [JSON.stringify({ exported: 4, file: backup })] });
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  const lines = readFileSync(backup, 'utf8').trimEnd().split('\n');
  const kept = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(kept.map(({ text }) => text)).toEqual(ENTRIES.map(({ text }) => text));
  expect(kept[0]).toMatchObject({ tags: ['a', 'b'], source: 'https://x.example/' });

  const knowledge = await services.knowledge();
  expect((await knowledge.removeAllEntries('tester')).records).toBe(4);
  expect((await run(importEntries, 'tester', { file: backup })).printed).toEqual([
    '{"imported":4,"known":0}',
  ]);
  expect((await run(importEntries, 'tester', { file: backup })).printed).toEqual([
    '{"imported":0,"known":4}',
  ]);
  expect((await run(exportEntries, 'tester', {})).printed).toEqual(lines);
  // Through a terminal's filter of control characters too.
  const { stdout } = await runMagpie(['kb', 'export'], env);
  expect(stdout).toBe(readFileSync(backup, 'utf8'));
});

test('another user gets the entries under ids of their own', async () => {
  const { printed } = await run(importEntries, 'other', { file: file('backup.jsonl') });
  expect(printed).toEqual(['{"imported":4,"known":0}']);
  const { entries } = await (await services.knowledge()).listEntries('other', 10);
  const mine = await (await services.knowledge()).listEntries('tester', 10);
  expect(entries.map(({ id }) => id)).toEqual(mine.entries.map(({ id }) => id.replace('tester', 'other')));
});

test('invalid lines are named by number, all others are stored, and the exit code is 3', async () => {
  const path = file('bad.jsonl');
  const bad: readonly (readonly [string | Buffer, string])[] = [
    ['{"text": 1}', 'is not an entry: text is not usable; a line is an object with a text'],
    ['nonsense', 'is not JSON: each line takes one entry'],
    ['[]', 'is not an entry: it is not usable; a line is an object with a text'],
    ['{"text": " "}', 'text is empty: give the text to remember'],
    [
      '{"text": "x", "createdAt": 99999999999999999}',
      'is not an entry: createdAt is not usable; a line is an object with a text',
    ],
    [Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
    [Buffer.alloc(8_000_001, 'x'), 'is over 8000000 bytes'],
    [
      JSON.stringify({ text: 'two', title: 'x'.repeat(600) }),
      'title has 600 characters: it takes 500 at most',
    ],
  ];
  const lines = bad.flatMap(([line], at) => [Buffer.from(line), Buffer.from(`\n{"text": "after ${at}"}\n`)]);
  writeFileSync(path, Buffer.concat([Buffer.from('\ufeff{"text": "kept before"}\r\n\n'), ...lines]));
  const { outcome, printed } = await run(importEntries, 'bad', { file: path });
  expect(outcome).toBe('partly');
  expect(JSON.parse(printed[0] ?? '')).toEqual({
    imported: 1 + bad.length,
    known: 0,
    failed: bad.length,
    failures: bad.map(([, why], at) => ({ at: `line ${3 + 2 * at}`, why })),
  });
  const { entries } = await (await services.knowledge()).listEntries('bad', 100);
  expect(entries.map(({ text }) => text).sort()).toEqual(
    ['kept before', ...bad.map((_, at) => `after ${at}`)].sort(),
  );
});

test('the error names an unusable file', async () => {
  const there = run(exportEntries, 'tester', { file: file('given.jsonl') });
  await expect(there).rejects.toThrow('exists already: name a new file');
  await expect(run(importEntries, 'tester', { file: file('nowhere') })).rejects.toThrow(/does not exist$/);
  await expect(run(exportEntries, 'tester', { file: file('nowhere/b.jsonl') })).rejects.toThrow(
    'does not exist, nor does its folder',
  );
  await expect(run(importEntries, 'tester', { file: folder.path })).rejects.toThrow(
    'is not an export that is known; --from names one of chatgpt',
  );
  const { code, stderr } = await runMagpie(['kb'], env);
  expect([code, stderr]).toEqual([2, expect.stringContaining('magpie kb export, magpie kb import')]);
});

test('a stopped export leaves no partial backup, and a stopped import continues where it stopped', async () => {
  const stopped = AbortSignal.abort();
  const half = file('half.jsonl');
  expect((await run(exportEntries, 'tester', { file: half }, stopped)).outcome).toBe('stopped');
  expect(() => statSync(half)).toThrow('ENOENT');
  const { outcome, printed } = await run(importEntries, 'late', { file: file('backup.jsonl') }, stopped);
  expect([outcome, printed]).toEqual(['stopped', ['{"imported":0,"known":0}']]);
});

test('kb trash marks replaced texts [knowledge.collections]', async () => {
  const mine = { ...env, MAGPIE_USER: 'corrector' };
  const knowledge = await services.knowledge();
  const { signal } = new AbortController();
  const { id } = await knowledge.insertEntry('corrector', { text: 'blue', key: 'colour' }, signal);
  await knowledge.insertEntry('corrector', { text: 'green', key: 'colour' }, signal);
  const { id: gone } = await knowledge.insertEntry('corrector', { text: 'a heron' }, signal);
  await knowledge.removeEntry('corrector', gone);
  const { stdout } = await runMagpie(['kb', 'trash'], mine);
  expect(stdout).toMatch(
    new RegExp(`^\\d+  deleted .*  ${gone}: a heron\n\\d+  replaced .*  the text before of ${id}: blue\n`),
  );
  const listed = JSON.parse((await run(showTrash, 'corrector', {})).printed[0] ?? '') as { trash: object[] };
  expect(listed.trash).toMatchObject([{ entry: gone }, { replacedIn: id, text: 'blue' }]);
  expect(listed.trash[0]).not.toHaveProperty('replacedIn');
});

test('kb trash shows all deletions, a page after another [knowledge.trash]', async () => {
  const knowledge = await services.knowledge();
  const { signal } = new AbortController();
  for (let n = 0; n < 101; n++) {
    const { id } = await knowledge.insertEntry('hasty', { text: `note ${n}` }, signal);
    await knowledge.removeEntry('hasty', id);
  }
  const page = async (before?: string) => {
    const [line = ''] = (await run(showTrash, 'hasty', { before })).printed;
    return JSON.parse(line) as { entries: number; trash: { id: string; text: string }[]; next?: string };
  };
  const first = await page();
  expect(first).toMatchObject({ entries: 101, next: first.trash[99]?.id });
  expect(first.trash).toHaveLength(100);
  const second = await page(first.next);
  expect(second.trash.map(({ text }) => text)).toEqual(['note 0']);
  expect(second).not.toHaveProperty('next');
  const { stdout } = await runMagpie(['kb', 'trash'], { ...env, MAGPIE_USER: 'hasty' });
  expect(stdout).toContain(`\nmagpie kb trash --before ${first.next} shows the next 100.\n`);
  const beyond = ['kb', 'trash', '--before', `${second.trash[0]?.id}`];
  expect((await runMagpie(beyond, { ...env, MAGPIE_USER: 'hasty' })).stdout).toBe(
    'The trash has no earlier deletions.\n',
  );
});

test('kb trash shows deleted entries, and kb restore restores them [knowledge.trash]', async () => {
  const mine = { ...env, MAGPIE_USER: 'careless' };
  const knowledge = await services.knowledge();
  const keep = (text: string) => knowledge.insertEntry('careless', { text }, new AbortController().signal);
  const { id } = await keep('a note on\nmagpies \u001b[31m');
  await keep('a second');
  expect((await runMagpie(['kb', 'trash'], mine)).stdout).toBe('The trash is empty.\n');
  expect(await runMagpie(['kb', 'restore'], mine)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Nothing was restored'),
  });
  const { trash: one } = await knowledge.removeEntry('careless', id);
  const { trash: rest } = await knowledge.removeAllEntries('careless');
  const { stdout } = await runMagpie(['kb', 'trash'], mine);
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
  expect(stdout).toMatch(
    new RegExp(
      `^${rest?.id}  deleted ${time}, until ${time}  careless-\\d+: a second\n` +
        `${one?.id}  deleted ${time}, until ${time}  ${id}: a note on magpies .*\n` +
        '2 entries, \\d+ bytes of text\\. magpie kb restore',
    ),
  );
  const listed = JSON.parse((await run(showTrash, 'careless', {})).printed[0] ?? '') as Record<
    string,
    unknown
  >;
  expect(listed).toMatchObject({
    entries: 2,
    days: 7,
    trash: [{ id: rest?.id }, { id: one?.id, entry: id }],
  });
  // Neither a backup nor another user has it.
  expect((await run(exportEntries, 'careless', {})).printed).toEqual([]);
  expect((await run(restoreEntries, 'tester', { id: rest?.id })).printed).toEqual([
    '{"restored":0,"known":0}',
  ]);

  expect((await runMagpie(['kb', 'restore'], mine)).stdout).toBe('Restored 1 entry.\n');
  expect((await run(restoreEntries, 'careless', { id })).printed).toEqual(['{"restored":1,"known":0}']);
  await knowledge.removeAllEntries('careless');
  await keep('a second');
  expect((await runMagpie(['kb', 'restore', '--all'], mine)).stdout).toBe(
    'Restored 1 entry; 1 entry not, since the same text is kept by now.\n',
  );
  expect((await knowledge.readStats('careless')).records).toBe(2);

  await knowledge.removeAllEntries('careless');
  expect(await runMagpie(['kb', 'trash', '--empty'], mine)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no terminal to ask at: --yes confirms'),
  });
  expect((await runMagpie(['kb', 'trash', '--empty', '--yes'], mine)).stdout).toBe(
    'Deleted 2 entries of the trash for good.\n',
  );
  expect((await run(restoreEntries, 'careless', { all: true })).outcome).toBe('failed');
});

test('reset needs a terminal or --yes [knowledge.asked]', async () => {
  const mine = { ...env, MAGPIE_USER: 'resetting' };
  expect((await runMagpie(['upsert', 'soon', 'gone'], mine)).stdout).toMatch(
    /^Kept in the knowledge base as resetting-\d{16}\.\n$/,
  );
  const refused = await runMagpie(['reset'], mine);
  expect(refused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('there is no terminal to ask at: --yes confirms'),
  });
  expect((await runMagpie(['reset', '--yes'], mine)).stdout).toMatch(
    /^Deleted 1 entry: the knowledge base is empty\. Until \S+Z this can be undone: magpie kb restore \d+\.\n$/,
  );
  expect((await runMagpie(['reset'], mine)).stdout).toBe(
    'The knowledge base is empty; there was nothing to delete.\n',
  );
  expect((await runMagpie(['query', 'gone'], mine)).stdout).toBe('No match.\n');
});

test.each([
  ['y', true],
  [' YES ', true],
  ['n', false],
  ['yesterday', false],
])('the answer %j of a person counts as consent: %j [knowledge.asked]', async (typed, agrees) => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const asked = askYesNo('Delete it?', { stdin, stderr } as never, new AbortController().signal);
  stdin.write(`${typed}\n`);
  expect(await asked).toBe(agrees);
  expect(String(stderr.read())).toContain('Delete it? [y/N] ');
});

test.each([
  ['y', 'Deleted 1 entry', 0],
  ['', 'Nothing was deleted: the user did not agree.', 0],
])(
  'a reset follows the answer of a person who types %j at a terminal [knowledge.asked]',
  async (typed, words, code) => {
    const mine = { ...env, MAGPIE_USER: 'asked' };
    const knowledge = await services.knowledge();
    await knowledge.insertEntry('asked', { text: 'still here' }, new AbortController().signal);
    // script(1) gives the command a terminal.
    const child = spawn('script', ['-qec', `${process.execPath} ${MAIN} reset`, '/dev/null'], {
      env: { ...mine, SHELL: '/bin/sh', TERM: 'xterm' },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (!text.includes('[y/N]') && (text + chunk).includes('[y/N]')) child.stdin.write(`${typed}\n`);
      text += chunk;
    });
    const [ended] = (await once(child, 'close')) as [number];
    expect(text).toContain('Delete 1 entry of the knowledge base? For 7 days this can be undone.');
    expect(text).toContain(words);
    expect(ended).toBe(code);
  },
);

test('an import whose texts cannot be embedded reports the waiting entries, and ends with 3', async () => {
  const refusing = await startEmbeddingsApi();
  refusing.answer = () => ({ status: 401, body: { error: 'no such key' } });
  const rooms = createServices(
    loadConfig({}, { ...environment(join(folder.path, 'refused')), ...refusing.settings }),
    createLog('silent'),
  );
  try {
    const path = file('waiting.jsonl');
    writeFileSync(path, '{"text":"a kettle"}\n{"text":"a heron"}\n');
    const spoken = await runWith({ services: rooms, owner: 'tester', json: false }, importEntries, {
      file: path,
    });
    expect([EXIT_CODE[spoken.outcome], spoken.printed.join('\n')]).toEqual([
      3,
      expect.stringMatching(
        /^2 entries imported; 2 passages wait for their vectors, and are found by words only: .*OPENAI_API_KEY/,
      ),
    ]);
    const again = await runWith({ services: rooms, owner: 'tester' }, importEntries, { file: path });
    expect([EXIT_CODE[again.outcome], JSON.parse(again.printed[0] ?? '')]).toEqual([
      3,
      { imported: 0, known: 2, waiting: 2, reason: expect.any(String) },
    ]);
  } finally {
    await rooms.lifecycle.close();
    await refusing.close();
  }
});
