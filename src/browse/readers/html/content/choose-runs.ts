import { EMBED_TAG } from '../parsing/embeds.ts';
import { type HtmlElement, type HtmlNode, nextNode } from '../parsing/node.ts';
import { keepPosts, rememberOmittedQuotes, removePullQuotes, settleHeadings } from './adjust-runs.ts';
import type { PageSigns } from './features.ts';
import {
  expectedF1,
  findBestThreshold,
  mergeCopyProbabilities,
  smoothProbabilities,
} from './run-probabilities.ts';
import { collectTextRuns, NEARBY_PARTS, type PageTextRuns, type TextRun } from './runs.ts';
import { HtmlSnapshot } from './snapshot.ts';

/** Returns each text run's probability (0 to 1) of being content, or undefined to use only the heuristics. */
export interface TextRunJudge {
  (found: PageTextRuns, signs: PageSigns): ArrayLike<number> | undefined;
  /** If set, even pages that are certainly articles are judged, to collect training data. */
  readonly everyPage?: true;
}

/** The model overrules the heuristics only if the expected F1 rises by at least this much. */
const MARGIN = 0.005;
/** Lowest allowed probability threshold, because the computed one is too low on pages with little content. */
const LEAST_CHANCE = 0.25;
const MIN_WORDS = 250;
/** Pages with more text runs are not judged, because the features of 20,000 runs take 15 MB. */
const MAX_RUNS = 20_000;

/** An article with over `SURE_CHARS` of prose and over `SURE_SHARE` of the page's prose needs no model. */
const SURE_CHARS = 5000;
const SURE_SHARE = 0.7;

export function isCertainArticle({ article, prose, rootProse }: PageSigns): boolean {
  return article && rootProse > SURE_CHARS && rootProse > prose * SURE_SHARE;
}

export class ContentRunSelector {
  readonly #page: HtmlElement;
  readonly #found: PageTextRuns;
  readonly #before: HtmlSnapshot | undefined;
  readonly #judge: TextRunJudge;

  constructor(page: HtmlElement, judge: TextRunJudge) {
    this.#page = page;
    this.#judge = judge;
    this.#found = collectTextRuns(page);
    const { page: all, runs } = this.#found;
    if (all.words >= MIN_WORDS && runs.length <= MAX_RUNS) this.#before = new HtmlSnapshot(page);
  }

  settle(root: HtmlElement, signs: PageSigns): { readonly root: HtmlElement; readonly changed: boolean } {
    const ruled = { root, changed: false };
    if (!this.#before) return ruled;
    const { runs } = this.#found;
    const left = new Set<HtmlNode>();
    for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
      if (node.nodeType === 1 && !isPicture(node)) continue;
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
    for (let node = nextNode(page, page); node; ) {
      const next: HtmlNode | null = nextNode(node, page);
      const run = node.nodeType === 3 ? runs[node.run] : undefined;
      const gone = run
        ? !stay[run.index] || (run.kept > 0 && !left.has(node))
        : node.nodeType === 1 && isPicture(node) && !left.has(node);
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

function isPicture({ tag }: HtmlElement): boolean {
  return tag === 'img' || tag === EMBED_TAG;
}

const MIN_CARDS = 3;

const ROWS = [NEARBY_PARTS.indexOf('table'), NEARBY_PARTS.indexOf('dl')];

/** A choice of the model with fewer words is rejected if the heuristics keep `TIMES_MORE` times as many. */
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

/** True for code, titles, prices and table rows. The model must not remove those that the heuristics keep. */
function isSafe({ box, money }: TextRun): boolean {
  const { tag } = box.element;
  return (
    tag === 'pre' || tag === 'h1' || money > 0 || ROWS.some((at) => (box.nearestLevels[at] as number) >= 0)
  );
}

const LINKED_SHARE = 0.85;

/** True for a run that is mostly links. If the heuristics remove such a run, the model cannot restore it. */
function isLink({ linkChars, chars }: TextRun): boolean {
  return linkChars >= chars * LINKED_SHARE;
}
