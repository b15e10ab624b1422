import { following, type HtmlElement, type HtmlNode } from '../parsing/node.ts';
import { keepPosts, rememberOmittedQuotes, removePullQuotes, settleHeadings } from './adjust-runs.ts';
import type { PageSigns } from './features.ts';
import {
  expectedF1,
  findBestThreshold,
  mergeCopyProbabilities,
  smoothProbabilities,
} from './run-probabilities.ts';
import { collectRuns, NEARBY_PARTS, type PageRuns, type TextRun } from './runs.ts';
import { Snapshot } from './snapshot.ts';

/** Probability (0 to 1) that each text run is content. Undefined if the heuristics should decide. */
export interface Judge {
  (found: PageRuns, signs: PageSigns): ArrayLike<number> | undefined;
  /** Also judges pages about which the heuristics are certain, to collect training data. */
  readonly everyPage?: true;
}

/** Gain in expected F1 from which the model overrules the heuristics. On most pages it is smaller. */
const MARGIN = 0.005;
/** Pages with little content would otherwise get a lower, unreliable threshold. */
const LEAST_CHANCE = 0.25;
const MIN_WORDS = 250;
/** The features of 20,000 runs take 15 MB. */
const MAX_RUNS = 20_000;

/** An article with this much prose is certain, and the model is not used. */
const SURE_CHARS = 5000;
const SURE_SHARE = 0.7;

export function isCertainArticle({ article, prose, rootProse }: PageSigns): boolean {
  return article && rootProse > SURE_CHARS && rootProse > prose * SURE_SHARE;
}

/** Records a page before the heuristics remove parts of it, which the model can restore. */
export class ContentSelector {
  readonly #page: HtmlElement;
  readonly #found: PageRuns;
  readonly #before: Snapshot | undefined;
  readonly #judge: Judge;

  constructor(page: HtmlElement, judge: Judge) {
    this.#page = page;
    this.#judge = judge;
    this.#found = collectRuns(page);
    const { page: all, runs } = this.#found;
    if (all.words >= MIN_WORDS && runs.length <= MAX_RUNS) this.#before = new Snapshot(page);
  }

  settle(root: HtmlElement, signs: PageSigns): { readonly root: HtmlElement; readonly changed: boolean } {
    const ruled = { root, changed: false };
    if (!this.#before) return ruled;
    const { runs } = this.#found;
    const left = new Set<HtmlNode>();
    for (let node = following(root, root); node; node = following(node, root)) {
      if (node.nodeType === 1 && node.tag !== 'img') continue;
      left.add(node);
      if (node.nodeType === 3 && node.run >= 0) (runs[node.run] as TextRun).kept += node.data.length;
    }
    const judged = this.#judge(this.#found, signs);
    if (!judged) return ruled;
    const chances = smoothProbabilities(this.#found, judged);
    mergeCopyProbabilities(runs, chances);
    const cut = Math.max(LEAST_CHANCE, findBestThreshold(runs, chances));
    const stay = runs.map((run, i) =>
      run.kept > 0
        ? (chances[i] as number) >= cut || isSafe(run)
        : (chances[i] as number) >= cut && !isLink(run),
    );
    if (signs.discussion) keepPosts(runs, stay);
    removePullQuotes(runs, stay);
    settleHeadings(runs, stay);
    if (isLeftThin(runs, stay)) return ruled;
    const better = expectedF1(runs, chances, ({ index }) => stay[index] as boolean);
    if (better - expectedF1(runs, chances, ({ kept }) => kept > 0) < MARGIN) return ruled;
    if (signs.discussion) rememberOmittedQuotes(runs, stay);
    this.#before.restore();
    this.#cut(stay, left);
    return { root: this.#page, changed: true };
  }

  #cut(stay: readonly boolean[], left: ReadonlySet<HtmlNode>): void {
    const { runs } = this.#found;
    const page = this.#page;
    for (let node = following(page, page); node; ) {
      const next: HtmlNode | null = following(node, page);
      const run = node.nodeType === 3 ? runs[node.run] : undefined;
      const gone = run
        ? !stay[run.index] || (run.kept > 0 && !left.has(node))
        : node.nodeType === 1 && node.tag === 'img' && !left.has(node);
      if (gone) node.parentNode?.removeChild(node);
      node = next;
    }
    this.#dropEmptied(stay);
  }

  #dropEmptied(stay: readonly boolean[]): void {
    let done = 0;
    const staying = new Int32Array(stay.length + 1);
    for (let i = 0; i < stay.length; i++) staying[i + 1] = (staying[i] as number) + (stay[i] ? 1 : 0);
    for (const box of this.#found.boxes) {
      const { element, first, end, pictures } = box;
      if (first < done || first === end || staying[end] !== staying[first]) continue;
      if (pictures > 0 && !(box.headings > 0 && (box.siblings?.count ?? 0) >= MIN_CARDS)) continue;
      element.parentNode?.removeChild(element);
      done = end;
    }
  }
}

const MIN_CARDS = 3;

const ROWS = [NEARBY_PARTS.indexOf('table'), NEARBY_PARTS.indexOf('dl')];

/** A choice of the model with fewer words is rejected if the heuristics' choice is TIMES_MORE times as long. */
const THIN_WORDS = 150;
const TIMES_MORE = 3;

function isLeftThin(runs: readonly TextRun[], stay: readonly boolean[]): boolean {
  let [left, ruled] = [0, 0];
  for (const { index, words, kept } of runs) {
    if (stay[index]) left += words;
    if (kept > 0) ruled += words;
  }
  return left < THIN_WORDS && ruled > left * TIMES_MORE && ruled > THIN_WORDS;
}

/** The model must not remove code, the title, table rows, and prices that the heuristics keep. */
function isSafe({ box, money }: TextRun): boolean {
  const { tag } = box.element;
  return (
    tag === 'pre' || tag === 'h1' || money > 0 || ROWS.some((at) => (box.nearestLevels[at] as number) >= 0)
  );
}

const LINKED_SHARE = 0.85;

/** The model cannot restore a run of mostly links that the heuristics removed. */
function isLink({ linkChars, chars }: TextRun): boolean {
  return linkChars >= chars * LINKED_SHARE;
}
