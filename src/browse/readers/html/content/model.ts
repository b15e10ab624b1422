import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { TextRunJudge } from './choose-runs.ts';
import { FEATURE_COLUMNS, readFeatures } from './features.ts';
import type { ContentLexicon, WordWeights } from './lexicon.ts';

/** The file's header has 32 bits each for `MAGIC`, the number of columns, and the CRC-32 of the rest. */
const MAGIC = 'MGC1';
const HEAD_BYTES = 12;
const WEIGHT_SCALE = 30;

type Model = ReturnType<typeof readContentModel>;

/** Loads the model on first use. If loading fails, warns once on stderr and always returns undefined. */
export function createTextRunJudge(file: URL): TextRunJudge {
  let model: Model | undefined | 'unread' = 'unread';
  return (found, signs) => {
    if (model === 'unread') model = tryModel(file);
    if (!model) return undefined;
    const { forest, lexicon } = model;
    const { values, width } = readFeatures(found, signs, lexicon);
    return chancesOf(forest, values, width);
  };
}

export const judgeRuns: TextRunJudge = createTextRunJudge(new URL('./model.bin', import.meta.url));

function tryModel(file: URL): Model | undefined {
  try {
    return readContentModel(readFileSync(file));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.emitWarning(`pages are read by rules alone, less well: ${why}`, { code: 'MAGPIE_CONTENT_MODEL' });
    return undefined;
  }
}

/** Throws an Error if the file is damaged or was trained with other columns than this program uses. */
export function readContentModel(file: Uint8Array) {
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  if (bytes.length < HEAD_BYTES || Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== MAGIC)
    throw new Error('model.bin is not a model of page content');
  if (view.getUint32(8, true) !== crc32(bytes.subarray(HEAD_BYTES))) throw new Error('model.bin is broken');
  if (view.getUint32(4, true) !== FEATURE_COLUMNS)
    throw new Error(
      `model.bin asks for ${view.getUint32(4, true)} columns, and there are ${FEATURE_COLUMNS}`,
    );
  let at = HEAD_BYTES;
  const part = <T>(made: new (buffer: ArrayBuffer, offset: number, length: number) => T, size: number): T => {
    at = Math.ceil(at / 4) * 4;
    const length = view.getUint32(at, true);
    const array = new made(bytes.buffer, at + 4, length);
    at += 4 + length * size;
    return array;
  };
  const weights = (): WordWeights => {
    const hashes = part(Uint8Array, 1);
    const values = part(Int8Array, 1);
    const byte = (i: number) => hashes[i] as number;
    return new Map(
      Array.from(values, (value, i) => [
        byte(3 * i) | (byte(3 * i + 1) << 8) | (byte(3 * i + 2) << 16),
        value / WEIGHT_SCALE,
      ]),
    );
  };
  const forest = (): Forest => ({
    roots: part(Int32Array, 4),
    features: part(Uint8Array, 1),
    thresholds: part(Float32Array, 4),
    low: part(Int16Array, 2),
    high: part(Int16Array, 2),
    leaves: part(Float32Array, 4),
    leafRoots: part(Int32Array, 4),
  });
  const lexicon: ContentLexicon = { names: weights(), words: weights(), headings: weights() };
  return { lexicon, forest: forest() };
}

interface Forest {
  readonly roots: Int32Array;
  readonly features: Uint8Array;
  readonly thresholds: Float32Array;
  /** Index of the next node: `low` for a value up to the threshold, or `high`. A negative `~i` is leaf `i`. */
  readonly low: Int16Array;
  readonly high: Int16Array;
  readonly leaves: Float32Array;
  readonly leafRoots: Int32Array;
}

export function chancesOf(forest: Forest, values: Float32Array, width: number): Float64Array {
  const { roots, features, thresholds, low, high, leaves, leafRoots } = forest;
  const sums = new Float64Array(Math.floor(values.length / width));
  for (let tree = 0; tree < roots.length; tree++) {
    const root = roots[tree] as number;
    const leaf = leafRoots[tree] as number;
    for (let row = 0, from = 0; row < sums.length; row++, from += width) {
      let node = 0;
      do {
        const at = root + node;
        const value = values[from + (features[at] as number)] as number;
        node = (value <= (thresholds[at] as number) ? low[at] : high[at]) as number;
      } while (node >= 0);
      sums[row] = (sums[row] as number) + (leaves[leaf + ~node] as number);
    }
  }
  return sums.map((sum) => 1 / (1 + Math.exp(-sum)));
}
