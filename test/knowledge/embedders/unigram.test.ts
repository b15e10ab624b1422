import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeTruncated } from '../../../src/knowledge/embedders/tokens.ts';
import {
  createUnigram,
  readVocabularyPieces,
  type VocabularyPieces,
} from '../../../src/knowledge/embedders/unigram.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const FILE = new URL('../../../packages/multilingual-e5-small/pieces.bin', import.meta.url);
const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('the tokenizer over typed arrays', () => {
  let pieces: VocabularyPieces;
  beforeAll(async () => {
    pieces = await readVocabularyPieces(FILE);
  });

  test.each<[text: string, ids: readonly number[]]>([
    // As the library gives them, with which test/real/unigram-library.test.ts compares hundreds.
    [
      "The birds return to their nests, don't they?",
      [0, 581, 263, 6468, 30646, 47, 2363, 91280, 7, 4, 2301, 25, 18, 1836, 32, 2],
    ],
    [
      '鸟儿在日落前不久回到巢中,明天再飞走。',
      [
        0, 6, 92204, 14258, 213, 635, 6656, 1590, 72286, 35500, 138033, 514, 4, 72938, 2058, 17477, 3469, 30,
        2,
      ],
    ],
    ['ﬁ ① ㌔ ½ <unk>\u200b\t▁▁ ▁a \ud83d', [0, 809, 106, 6, 189402, 78660, 6, 3, 6, 6, 6, 6, 10, 6, 3, 2]],
  ])('returns the ids of its model: %j', (text, ids) => {
    expect(createUnigram(pieces).encode(text).ids).toEqual(ids);
  });

  test('cuts a text at the token limit of the model', () => {
    const ids = encodeTruncated(createUnigram(pieces), 'passage: eins zwei drei vier fünf', 5);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([5, 0, 2]);
  });

  test('a long text takes little processor time, whatever the text', () => {
    const { encode } = createUnigram(pieces);
    for (const unit of ['x', '\u0301a', '▁', '很', 'ﷺ', '\ud83d']) {
      expect(
        processorSeconds(() => encode(unit.repeat(200_000))),
        unit,
      ).toBeLessThan(5);
    }
  });

  test('the tokenizer needs only the memory of its file, for any number of threads', () => {
    const size = readFileSync(FILE).length;
    expect(size).toBeLessThan(8e6);
    expect(pieces.byteLength).toBe(size);
    expect(pieces).toBeInstanceOf(SharedArrayBuffer);
  });

  test('another kind of file is refused', async () => {
    const file = join(folder.path, 'other.bin');
    for (const text of ['', 'no pieces at all, though long enough']) {
      writeFileSync(file, text);
      await expect(readVocabularyPieces(pathToFileURL(file))).rejects.toThrow('not a file of pieces');
    }
  });
});
