import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listSyncFiles } from '../../../src/knowledge/syncing/sync-files.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

const NOBODY = 65_534;
const folder = temporaryFolder();
afterEach(() => {
  if (process.getuid?.() === 0) process.seteuid?.(0);
  chmodSync(join(folder.path, 'listed'), 0o700);
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
