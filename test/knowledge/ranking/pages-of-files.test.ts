import { expect, test } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

const { signal } = new AbortController();

/** Pages of about six passages each, all of which have the words that are asked for. */
const page = (number: number) =>
  Array.from(
    { length: 6 },
    (_, part) =>
      `# Part ${number}.${part}\n\n${`The rent of the mill in year ${number * 10 + part} was paid. `.repeat(12)}`,
  ).join('\n\n');

test.each([
  ['a page has at most two of ten matches, if other pages match too', 8, 2],
  ['a file of one page has all of them', 1, 10],
])('%s', async (_, pages, most) => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: { warn() {}, info() {} },
  });
  try {
    const texts = Array.from({ length: pages }, (_, at) => page(at) + page(at));
    await knowledge.putDocument('ann', { name: 'mill.pdf', title: '' }, texts, signal);
    const inFile = { fromPage: 1, toPage: pages };
    const question = 'What was the rent of the mill in year 31?';
    for (const matches of [
      await knowledge.findPassages('ann', question, { topK: 10 }, signal),
      await knowledge.findDocumentPassages('ann', 'mill.pdf', inFile, question, 10, signal),
    ]) {
      expect(matches).toHaveLength(10);
      const counts = new Map<number, number>();
      for (const { passage } of matches)
        counts.set(passage.page ?? 0, (counts.get(passage.page ?? 0) ?? 0) + 1);
      expect(Math.max(...counts.values())).toBeLessThanOrEqual(most);
    }
  } finally {
    await knowledge.close();
    db.close();
    folder.remove();
  }
});
