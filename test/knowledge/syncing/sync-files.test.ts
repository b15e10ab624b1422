import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listSyncFiles } from '../../../src/knowledge/syncing/sync-files.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

const NOBODY = 65_534;
const folder = temporaryFolder();
afterEach(() => {
  if (process.getuid?.() === 0) process.seteuid?.(0);
  if (existsSync(join(folder.path, 'listed'))) chmodSync(join(folder.path, 'listed'), 0o700);
  folder.remove();
});

test.runIf(process.platform !== 'win32')(
  'a file whose folder is listed but not readable is unread, and not removed',
  async () => {
    mkdirSync(join(folder.path, 'listed'));
    writeFileSync(join(folder.path, 'listed', 'one.md'), 'Text.');
    writeFileSync(join(folder.path, 'two.md'), 'Text.');
    chmodSync(join(folder.path, 'listed'), 0o400);
    // Permissions do not hold for root.
    if (process.getuid?.() === 0) {
      for (const path of [folder.path, join(folder.path, 'listed')]) chownSync(path, NOBODY, NOBODY);
      process.seteuid?.(NOBODY);
    }
    const { files, unread } = await listSyncFiles(folder.path, [], new AbortController().signal);
    expect(files.map(({ path }) => path)).toEqual(['two.md']);
    expect(unread).toEqual([{ path: 'listed/one.md', why: 'may not be read' }]);
  },
);

test('mails of a Maildir are read although their names have no extension', async () => {
  const mails = [
    'inbox/cur/1772460000.M123456P789.mail.example.cz,S',
    'inbox/new/1772546400.M654321P790.host',
  ];
  for (const name of [...mails, 'inbox/tmp/1772546401.M1P1.host', 'inbox/new/notes.bin']) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true });
    writeFileSync(join(folder.path, name), 'Subject: x\n\nText.');
  }
  const { files } = await listSyncFiles(folder.path, [], new AbortController().signal);
  expect(files.map(({ path }) => path).sort()).toEqual(mails);
});
