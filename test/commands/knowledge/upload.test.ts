import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForPassword } from '../../../src/cli/terminal-credentials.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { makePdf } from '../../helpers/pdf.ts';

const data = temporaryFolder();
const source = temporaryFolder();
let api: EmbeddingsApi;
beforeAll(async () => {
  api = await startEmbeddingsApi();
});
afterAll(async () => {
  await api.close();
  for (const folder of [data, source]) folder.remove();
});
const write = (name: string, bytes: string | Uint8Array) => {
  writeFileSync(join(source.path, name), bytes);
  return join(source.path, name);
};
const run = (args: readonly string[], more: Record<string, string> = {}) =>
  runMagpie([...args], { ...environment(data.path), ...api.settings, ...more });

test('a command adds files, reports errors of others, and opens an encrypted file with the password in the environment', async () => {
  const document = new PDFDocument({ pdfVersion: '1.7', userPassword: 'open sesame', ownerPassword: 'o' });
  document.text('Words under lock and key.');
  document.end();
  const locked = write('locked.pdf', Buffer.concat(await document.toArray()));
  const garden = await run(['upload', write('herons.md', '# Herons'), '--collection', 'Garden', '--json']);
  expect(JSON.parse(garden.stdout)).toMatchObject({ name: 'herons.md', collection: 'garden' });
  mkdirSync(join(source.path, 'folder'));
  const first = await run([
    'upload',
    write('mills.pdf', makePdf(['Tide mills.', 'Wind mills.'])),
    write('notes.md', '# Notes\n\nOf herons.'),
    locked,
    join(source.path, 'missing.pdf'),
    join(source.path, 'folder'),
  ]);
  expect(first.code).toBe(1);
  expect(first.stdout).toContain('mills.pdf: added, 2 pages in 1 part\nnotes.md: added, 1 page in 1 part\n');
  expect(first.stdout).toContain('"locked.pdf" is an encrypted PDF and needs a password');
  expect(first.stdout).toContain('missing.pdf: there is no such file');
  expect(first.stdout).toContain('folder is a folder: name its files');
  const wrong = await run(['upload', locked], { MAGPIE_PDF_PASSWORD: 'not this' });
  expect([wrong.code, wrong.stdout]).toEqual([
    1,
    '"locked.pdf" is an encrypted PDF and does not open with this password\n',
  ]);
  const right = await run(['upload', locked, '--json'], { MAGPIE_PDF_PASSWORD: 'open sesame' });
  expect([right.code, JSON.parse(right.stdout)]).toEqual([
    0,
    expect.objectContaining({ name: 'locked.pdf' }),
  ]);
  // What is kept by its path, or found in a folder, takes it as well.
  const refused = await run(['upsert', '--path', locked]);
  expect(refused.stderr).toContain(
    'is an encrypted PDF and needs a password: MAGPIE_PDF_PASSWORD or --pdf-password',
  );
  expect(refused.code).not.toBe(0);
  const named = await run(['upsert', '--path', locked, '--password', 'open sesame']);
  expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('Kept the file ')]);
  const synced = await run(['kb', 'sync', source.path, '--json'], { MAGPIE_PDF_PASSWORD: 'open sesame' });
  expect(JSON.parse(synced.stdout)).toMatchObject({ added: 4, failed: 0 });
  const answer = await run(['call', 'document', '--q', 'lock', '--fileName', 'locked.pdf']);
  expect(answer.stdout).toContain('Words under lock and key.');
  const kept = readdirSync(data.path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const { parentPath, name } of kept) {
    expect(readFileSync(join(parentPath, name)).includes('open sesame')).toBe(false);
  }
});

test('a person types the password, which is never shown', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const never = new AbortController().signal;
  const typed = askForPassword('locked.pdf', never, { stdin, stderr } as never);
  stdin.write('sesame\n');
  expect(await typed).toBe('sesame');
  const shown = String(stderr.read());
  expect(shown).toContain('password of locked.pdf (not shown): ');
  expect(shown).not.toContain('sesame');
  const none = { stdin: new PassThrough(), stderr: new PassThrough() };
  expect(await askForPassword('locked.pdf', never, none as never)).toBeUndefined();
});

test('uploaded files have vectors when the command ends, however slow the model is', async () => {
  const own = temporaryFolder();
  // Longer than a command that only read waits for what others kept.
  api.answer = (_, right) => ({ body: right, after: 1000 });
  try {
    const env = { ...environment(own.path), ...api.settings };
    const added = await runMagpie(
      ['upload', write('herons.pdf', makePdf(['Herons stand in the shallows.']))],
      env,
      { waits: { settleMs: 200 } },
    );
    expect(added.code).toBe(0);
    api.answer = () => undefined;
    const db = await openDatabase({ folder: own.path });
    const store = createEntryStore(db);
    const [model] = await store.listModels('tester');
    expect(await store.readProgress(model?.name ?? '')).toEqual({ done: 1, total: 1 });
    db.close();
  } finally {
    api.answer = () => undefined;
    own.remove();
  }
});
