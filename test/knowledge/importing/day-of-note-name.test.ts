import { expect, test } from 'vitest';
import { dayOfNoteName } from '../../../src/knowledge/importing/day-of-note-name.ts';
import { readNote } from '../../../src/knowledge/importing/note.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { itemsOf } from '../../contracts/import-kind.ts';

const NOON = Date.UTC(2026, 2, 4, 12) * 1000;

// obsidianmd/obsidian-importer#642
test.each([
  '2026_03_04',
  '2026-03-04',
  '2026.03.04',
  '20260304',
  '20260304-quay',
  '202603041530 Quay',
  '20260304153059',
  '2026-03-04 Wednesday',
  'Wed, 2026-03-04',
  'Wednesday, March 4, 2026',
  'March 4th, 2026',
  'Mar 4th, 2026',
  '4 March 2026',
  'Mittwoch, 4. März 2026',
  '@March 4, 2026',
  '2026年3月4日',
  '2026-03-04-a-new-sail',
  '2026-03-04 Meeting',
])('the name %s says a day', (name) => {
  expect(dayOfNoteName(name)).toBe(NOON);
});

test.each([
  'March 2026',
  '2026',
  'Invoice 2026-03-04',
  'Thursday, March 4, 2026',
  'Plan of 4 March 2026',
  '2026-13-04',
  '3-4-2026',
  '2999-01-01',
  '2026-03-041',
  '202603049',
  '20261304-quay',
  'Version 2026.3.4',
  '',
])('the name %j is no daily note', (name) => {
  expect(dayOfNoteName(name)).toBeUndefined();
});

test('a daily note is of its day, unless its front matter names another', async () => {
  expect(readNote('Rowed 12 km', 'journals/2026_03_04.md')).toMatchObject({
    title: '2026-03-04',
    createdAt: NOON,
  });
  expect(readNote('---\ndate: 2026-01-09\n---\nRowed', 'Daily/2026-03-04.md').createdAt).toBe(
    Date.UTC(2026, 0, 9) * 1000,
  );
  const notion = IMPORT_KINDS.find(({ name }) => name === 'notion');
  const page = `March 4, 2026 ${'0123456789abcdef'.repeat(2)}.md`;
  const [item] = notion ? await itemsOf(notion, { [page]: '# March 4, 2026\n\nRowed 12 km\n' }) : [];
  expect(item).toMatchObject({ entry: { createdAt: NOON } });
});
