import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A page with the text that people marked as its article. */
export interface Article {
  readonly id: string;
  readonly url: string;
  readonly html: string;
  readonly truth: string;
}

/** `ground-truth.json` and `html/<id>.html.gz`, as scrapinghub's article-extraction-benchmark lays them out. */
export function readArticles(folder: string): Article[] {
  const truth: Record<string, { articleBody: string; url: string }> = JSON.parse(
    readFileSync(join(folder, 'ground-truth.json'), 'utf8'),
  );
  return Object.entries(truth).map(([id, { articleBody, url }]) => ({
    id,
    url,
    html: gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8'),
    truth: articleBody,
  }));
}

export interface Score {
  readonly precision: number;
  readonly recall: number;
}

/** Precision and recall of the 4-grams of words, counted as often as they stand there, of one page. */
export function score(truth: string, found: string): Score {
  const [a, b] = [grams(truth), grams(found)];
  let [both, onlyFound, onlyTruth] = [0, 0, 0];
  for (const gram of new Set([...a.keys(), ...b.keys()])) {
    const [x, y] = [a.get(gram) ?? 0, b.get(gram) ?? 0];
    both += Math.min(x, y);
    onlyFound += Math.max(0, y - x);
    onlyTruth += Math.max(0, x - y);
  }
  return { precision: ratio(both, onlyFound), recall: ratio(both, onlyTruth) };
}

function ratio(right: number, wrong: number): number {
  return right + wrong === 0 ? 1 : right / (right + wrong);
}

/** Averages over pages, and F1 of the averages, as the benchmark computes it. */
export function average(scores: readonly Score[]): Score & { readonly f1: number } {
  const mean = (of: (score: Score) => number) =>
    scores.reduce((sum, one) => sum + of(one), 0) / scores.length;
  const [precision, recall] = [mean((one) => one.precision), mean((one) => one.recall)];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

function grams(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  const last = Math.max(0, words.length - 4);
  for (let i = 0; i <= last; i++) {
    const gram = words.slice(i, i + 4).join(' ');
    if (gram) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/** What a reader of rendered Markdown sees: no addresses, no pictures, no escapes. */
export function visibleText(markdown: string): string {
  return markdown
    .replace(/!\[(?:[^[\]]|\[[^\]]*\]\([^)]*\))*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([\\`*_{}[\]#>+.()!~=-])/g, '$1');
}
