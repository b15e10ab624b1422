import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts for an index of any size: always the same ones. */
export interface Texts {
  readonly name: string;
  /** The next page. */
  page(): { readonly title: string; readonly text: string };
  /** The words that nearly every page has. */
  readonly commonest: readonly string[];
}

/** Different words, and how fast they get rarer: about what English prose has (Zipf-Mandelbrot). */
const WORDS = 60_000;
const EXPONENT = 1.05;
const OFFSET = 2.7;
const SYLLABLES = 'ba ce di fo gu ka le mi no pu ra se ti vo zu an er ist ol um'.split(' ');

/** Pages of 200 to 800 made-up words, the n-th as frequent as the n-th word of a language. */
export function syntheticTexts(): Texts {
  const random = numbers(12_345);
  const words = Array.from({ length: WORDS }, (_, index) => spell(index + SYLLABLES.length + 1));
  const sums = new Float64Array(WORDS);
  let sum = 0;
  for (let index = 0; index < WORDS; index++) {
    sum += (index + OFFSET) ** -EXPONENT;
    sums[index] = sum;
  }
  const draw = () => {
    const target = random() * sum;
    let [low, high] = [0, WORDS - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? '';
  };
  return {
    name: 'made-up words',
    page() {
      const text = Array.from({ length: 200 + Math.floor(random() * 600) }, draw);
      return { title: text.slice(0, 6).join(' '), text: text.join(' ') };
    },
    commonest: words.slice(0, 4),
  };
}

/** Pages of 25 sentences out of the articles of `folder` (its ground-truth.json); undefined without them. */
export function articleTexts(folder: string): Texts | undefined {
  const file = join(folder, 'ground-truth.json');
  if (!existsSync(file)) return undefined;
  const articles = Object.values(
    JSON.parse(readFileSync(file, 'utf8')) as Record<string, { articleBody: string }>,
  );
  const sentences = articles.flatMap(({ articleBody }) => articleBody.split(/(?<=[.!?])\s+/));
  const random = numbers(54_321);
  const draw = () => sentences[Math.floor(random() * sentences.length)] ?? '';
  return {
    name: 'sentences of articles',
    page: () => ({
      title: draw().split(' ').slice(0, 8).join(' '),
      text: Array.from({ length: 25 }, draw).join(' '),
    }),
    commonest: ['the', 'of', 'and', 'to'],
  };
}

/** The same numbers from 0 to 1 each time (the generator of Numerical Recipes). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function spell(index: number): string {
  let word = '';
  for (let rest = index; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length];
  }
  return word;
}
