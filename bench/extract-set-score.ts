import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Article } from './extract-score.ts';

/** A page of a set with several kinds of pages, and what is known of its main content. */
export interface SetPage extends Article {
  readonly kind: string;
  /** Snippets that belong to the content, and some that do not. */
  readonly with: readonly string[];
  readonly without: readonly string[];
}

/** Whether a folder is laid out as WCXB: `ground-truth/<id>.json` and `html/<id>.html.gz`. */
export function isSet(folder: string): boolean {
  return existsSync(join(folder, 'ground-truth')) && existsSync(join(folder, 'html'));
}

interface Truth {
  readonly url?: string;
  readonly ground_truth: {
    readonly main_content?: string;
    readonly with?: string[];
    readonly without?: string[];
  };
  readonly _internal?: { readonly page_type?: { readonly primary?: string } };
}

export function readSet(folder: string): SetPage[] {
  const ids = readdirSync(join(folder, 'ground-truth')).filter((name) => name.endsWith('.json'));
  return ids.sort().map((name) => {
    const id = name.slice(0, -'.json'.length);
    const truth: Truth = JSON.parse(readFileSync(join(folder, 'ground-truth', name), 'utf8'));
    const { main_content = '', with: wanted = [], without = [] } = truth.ground_truth;
    const kind = truth._internal?.page_type?.primary ?? 'article';
    return {
      id,
      url: truth.url ?? 'https://page.example/',
      kind: kind === 'category' ? 'collection' : kind,
      html: gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8'),
      truth: main_content,
      with: wanted,
      without,
    };
  });
}

/** How well a text gives a page's content, as WCXB's evaluate.py computes it. */
export interface SetScore {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  /** Under 15% of the words of the content. */
  readonly empty: number;
  readonly with: number;
  readonly without: number;
}

const EMPTY_SHARE = 0.15;

export function scoreSetPage(page: SetPage, text: string): SetScore {
  const [found, wanted] = [wordsOf(text), wordsOf(page.truth)];
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count > 0) both++;
    left.set(word, count - 1);
  }
  const same = found.length === 0 && wanted.length === 0 ? 1 : 0;
  const precision = found.length > 0 ? both / found.length : same;
  const recall = wanted.length > 0 ? both / wanted.length : same;
  return {
    f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0,
    precision,
    recall,
    empty: found.length < wanted.length * EMPTY_SHARE ? 1 : 0,
    with: shareIn(text, page.with),
    without: page.without.length > 0 ? shareIn(text, page.without) : 0,
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function shareIn(text: string, snippets: readonly string[]): number {
  const plain = text.toLowerCase();
  const found = snippets.filter((snippet) => plain.includes(snippet.toLowerCase())).length;
  return snippets.length > 0 ? found / snippets.length : 1;
}
