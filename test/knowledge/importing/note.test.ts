import { expect, test } from 'vitest';
import { readNote } from '../../../src/knowledge/importing/note.ts';

test.each(['? '.repeat(25_000), '{'.repeat(50_000), '? [a, b]\n: c\n'.repeat(3000)])(
  'front matter whose keys are lists and maps is treated as text: %#',
  (hostile) => {
    const { text } = readNote(
      `---\ntitle: Nests\n${hostile}\n---\nMagpies nest in high trees.\n`,
      'nests.md',
    );
    expect(text).toContain('Magpies nest in high trees.');
  },
);

test('front matter with numbers and dates as keys is read', () => {
  expect(readNote('---\ntitle: Nests\n2026: mud\n---\nTwigs.\n', 'nests.md')).toMatchObject({
    title: 'Nests',
    text: expect.stringContaining('2026: mud'),
  });
});
