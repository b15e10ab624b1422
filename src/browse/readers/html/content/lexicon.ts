import { maxOf, minOf } from '../../../../lib/long-lists.ts';
import { readElementNames } from '../visibility/page-parts.ts';
import { FNV_START, MAX_COUNTED_TOKENS } from './counts.ts';
import type { FeatureRows } from './rows.ts';
import { inlineNamesOf, type TextRun, type TextRunBox } from './runs.ts';

const KNOWN_BITS = 0xffffff;

/** Maps a word's hash, masked by `KNOWN_BITS`, to a weight. A weight above 0 indicates content. */
export type WordWeights = ReadonlyMap<number, number>;

export interface ContentLexicon {
  readonly names: WordWeights;
  readonly words: WordWeights;
  readonly headings: WordWeights;
}

const LEVELS_DOWN = 0.8;
const LEVELS = 4;

interface WeightSummary {
  readonly sum: number;
  readonly least: number;
  readonly most: number;
  readonly total: number;
}

const NOTHING: WeightSummary = { sum: 0, least: 0, most: 0, total: 0 };

export class WordWeightColumns {
  readonly #lexicon: ContentLexicon;
  readonly #names = new Map<string, Pick<WeightSummary, 'sum' | 'least' | 'most'>>();
  readonly #boxes = new Map<TextRunBox, WeightSummary>();
  readonly #seen = new Uint32Array(2 * MAX_COUNTED_TOKENS);
  #heading: readonly [number, number, number] = [0, 0, 0];

  constructor(lexicon: ContentLexicon) {
    this.#lexicon = lexicon;
  }

  add(rows: FeatureRows, run: TextRun, heads: boolean): void {
    rows.add(this.#namesOf(inlineNamesOf(run)).sum);
    let at: TextRunBox | undefined = run.box;
    for (let level = 0; level < LEVELS; level++) {
      rows.add(at ? this.#boxOf(at).sum : 0);
      at = at?.up;
    }
    const { least, most, total } = this.#boxOf(run.box);
    rows.add(least);
    rows.add(most);
    rows.add(total);
    this.#addWords(rows, run.tokens);
    const over = this.#heading;
    if (heads) this.#heading = this.#headingOf(run.tokens);
    for (let i = 0; i < 3; i++) rows.add(heads ? 0 : (over[i] as number));
  }

  #addWords(rows: FeatureRows, tokens: readonly number[]): void {
    const { words } = this.#lexicon;
    const seen = this.#seen;
    let count = 0;
    let [sum, least, most] = [0, Infinity, -Infinity];
    const see = (token: number) => {
      for (let i = 0; i < count; i++) if (seen[i] === token) return;
      seen[count++] = token;
      const weight = words.get(token & KNOWN_BITS) ?? 0;
      sum += weight;
      if (weight < least) least = weight;
      if (weight > most) most = weight;
    };
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as number;
      see(token);
      if (i > 0) see((Math.imul(tokens[i - 1] as number, 31) ^ token) >>> 0);
    }
    rows.add(count > 0 ? sum / count : 0);
    rows.add(count > 0 ? least : 0);
    rows.add(count > 0 ? most : 0);
    rows.add(sum);
  }

  #headingOf(tokens: readonly number[]): readonly [number, number, number] {
    const weights = [...new Set(tokens)].map((token) => this.#lexicon.headings.get(token & KNOWN_BITS) ?? 0);
    if (weights.length === 0) return [0, 0, 0];
    const sum = weights.reduce((a, b) => a + b, 0);
    return [sum / weights.length, minOf(weights), maxOf(weights)];
  }

  #boxOf(box: TextRunBox): WeightSummary {
    let said = this.#boxes.get(box);
    if (said) return said;
    const up = box.up ? this.#boxOf(box.up) : NOTHING;
    const own = this.#namesOf(readElementNames(box.element));
    said = {
      sum: own.sum,
      least: Math.min(own.least, up.least),
      most: Math.max(own.most, up.most),
      total: own.sum + LEVELS_DOWN * up.total,
    };
    this.#boxes.set(box, said);
    return said;
  }

  #namesOf(names: string): Pick<WeightSummary, 'sum' | 'least' | 'most'> {
    if (names === '') return NOTHING;
    let said = this.#names.get(names);
    if (said) return said;
    let [sum, least, most] = [0, 0, 0];
    for (const token of nameTokens(names)) {
      const weight = this.#lexicon.names.get(token & KNOWN_BITS) ?? 0;
      sum += weight;
      least = Math.min(least, weight);
      most = Math.max(most, weight);
    }
    said = { sum, least, most };
    this.#names.set(names, said);
    return said;
  }
}

function nameTokens(names: string): Set<number> {
  const tokens = new Set<number>();
  let [hash, length, plain] = [FNV_START, 0, true];
  for (let i = 0; i <= names.length; i++) {
    const code = i < names.length ? names.charCodeAt(i) : 32;
    if (code === 32 || code === 45) {
      if (plain && length >= 2) tokens.add(hash >>> 0);
      hash = FNV_START;
      length = 0;
      plain = true;
    } else {
      if (code < 97 || code > 122) plain = false;
      hash = Math.imul(hash ^ code, 0x01000193);
      length++;
    }
  }
  return tokens;
}
