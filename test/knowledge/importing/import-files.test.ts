import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openImport } from '../../../src/knowledge/importing/import-files.ts';
import { HIDDEN, isHiddenOrGenerated } from '../../../src/knowledge/importing/made-by-machines.ts';
import { listSyncFiles } from '../../../src/knowledge/syncing/sync-files.ts';
import { zip } from '../../helpers/archives.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

const folder = temporaryFolder();
afterEach(() => folder.remove());

const NAMES = ['Projekte/Über Boote.md', 'Kran.md', '각 é ñ.md'];

test('a name is the same in a folder, in a ZIP archive and in one inside it, in either form of its accents', async () => {
  for (const form of ['NFC', 'NFD']) {
    const files = Object.fromEntries(NAMES.map((name) => [name.normalize(form), 'Text.']));
    mkdirSync(join(folder.path, form, 'Projekte'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, form, name), text);
    writeFileSync(join(folder.path, `${form}.zip`), zip(files));
    writeFileSync(join(folder.path, `${form}-2.zip`), zip({ [`Ä.zip`.normalize(form)]: zip(files) }));
    for (const path of [form, `${form}.zip`, `${form}-2.zip`]) {
      const opened = await openImport({ path: join(folder.path, path) });
      expect(opened.files.map(({ name }) => name).sort()).toEqual([...NAMES].sort());
      for (const file of opened.files) expect(Buffer.from(await file.head()).toString()).toBe('Text.');
      await opened.close();
    }
  }
});

test('files of Office about open documents are left out, and named', async () => {
  const made = ['~$Report.docx', 'a/~$Plan.xlsx', '~WRL0001.tmp', '.~lock.Report.odt#', 'a/~DF12.TMP'];
  const others = ['Report~.docx', '~notes.md', 'a$~b.md', 'x.tmp.md', '~/a.md'];
  for (const name of made) expect([name, isHiddenOrGenerated(name)]).toEqual([name, true]);
  for (const name of others) expect([name, isHiddenOrGenerated(name)]).toEqual([name, false]);
  mkdirSync(join(folder.path, 'vault', 'a'), { recursive: true });
  for (const name of [...made, 'Report.md']) writeFileSync(join(folder.path, 'vault', name), 'Kim Larsen');
  const opened = await openImport({ path: join(folder.path, 'vault') });
  const synced = await listSyncFiles(join(folder.path, 'vault'), [], new AbortController().signal);
  expect(opened.files.map(({ name }) => name)).toEqual(['Report.md']);
  expect(synced.files.map(({ path }) => path)).toEqual(['Report.md']);
  for (const { leftOut } of [opened, synced]) {
    expect(leftOut.skipped).toEqual({ [HIDDEN]: made.length });
    expect([...(leftOut.skippedAt[HIDDEN] ?? [])].sort()).toEqual([...made].sort());
  }
  await opened.close();
});
