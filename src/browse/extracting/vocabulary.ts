import { stem } from '../../lib/text/stem.ts';
import { splitTerms } from '../../lib/text/text.ts';

export class PageVocabulary {
  readonly words: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #stems: string[] = [];
  readonly #texts = new Map<string, readonly number[]>();
  readonly #memos = new Map<string, unknown[]>();

  numbersOf(text: string): readonly number[] {
    const known = this.#texts.get(text);
    if (known) return known;
    const numbers = splitTerms(text).map((term) => this.#numberOf(term));
    this.#texts.set(text, numbers);
    return numbers;
  }

  stemOf(number: number): string {
    const stemmed = this.#stems[number] ?? stem(this.words[number] ?? '');
    this.#stems[number] = stemmed;
    return stemmed;
  }

  memoOf<T>(name: string): (T | undefined)[] {
    const memo = this.#memos.get(name) ?? [];
    this.#memos.set(name, memo);
    return memo as (T | undefined)[];
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.words.push(term) - 1;
      this.#numbers.set(term, number);
    }
    return number;
  }
}
