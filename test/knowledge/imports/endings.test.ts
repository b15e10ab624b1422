import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { obsidian } from '../../../src/knowledge/imports/obsidian.ts';
import { listSyncFiles } from '../../../src/knowledge/syncing/sync-files.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** Markdown has many endings, and a file with any of them is a note with front matter. */

const folder = temporaryFolder();
afterAll(folder.remove);

const ENDINGS =
  'md markdown mdown mdwn mdtext mdtxt mkd mkdn mkdown markdn mdx mdc mmd Rmd Rmarkdown qmd livemd MD QMD'.split(
    ' ',
  );

test.each(ENDINGS)('a file that ends in .%s is a note, in an import and a sync', async (ending) => {
  const name = `notes/Year.${ending}`;
  const note = '---\ntitle: "Snow in March"\noutput: html_document\ntags: [roof]\n---\n\nSnow was 142 cm.\n';
  expect(await recognised({ [name]: note, 'a.json': '[{"text": "x"}]' })).toBe('obsidian');
  const items = await itemsOf(obsidian, { [name]: note, [`Bare.${ending}`]: 'Words' });
  expect(items).toMatchObject([
    { entry: { title: 'Snow in March', tags: ['roof'], text: 'output: html_document\n\nSnow was 142 cm.' } },
    { entry: { title: 'Bare', text: 'Words' } },
  ]);
  writeFileSync(join(folder.path, `a.${ending}`), note);
  const { files } = await listSyncFiles(folder.path, [], new AbortController().signal);
  expect(files.map(({ path }) => path)).toContain(`a.${ending}`);
});
