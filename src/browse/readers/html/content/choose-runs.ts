import { following, type HtmlElement, type HtmlNode } from '../parsing/node.ts';
import type { PageSigns } from './features.ts';
import { type Box, collectRuns, NEAR, type Run, type Runs } from './runs.ts';
import { bestCut, evenOut, expectedF1, shareCopies } from './settle.ts';
import { Snapshot } from './snapshot.ts';
import { keepPosts, leaveRepeats, noteQuotes, settleHeadings } from './stays.ts';

/** Chances from 0 to 1 that the runs of a page are its content; `undefined` leaves the choice to the rules. */
export interface Judge {
  (found: Runs, signs: PageSigns): ArrayLike<number> | undefined;
  /** Asked too where the rules are sure: for what is to be learned from. */
  readonly everyPage?: true;
}

/** What is content, and whether it was chosen otherwise than by the rules. */
export interface Chosen {
  readonly root: HtmlElement;
  readonly changed: boolean;
}

/** F1 by which the trees' choice must be expected to be better than the rules', which most pages keep. */
const MARGIN = 0.005;
/** Chance below which nothing stays for it alone: where little is likely to be content, the best cut is lower than the chances are right. */
const LEAST_CHANCE = 0.25;
/** Words of a page from which on there is enough to judge by; the trees have seen few shorter ones. */
const MIN_WORDS = 250;
/** Runs from which on the rules alone decide: the numbers on 20,000 runs take 15 MB. */
const MAX_RUNS = 20_000;

/** Characters of prose, and its share of the page's, from which on an article is sure to be one; trees change little there, and take time. */
const SURE_CHARS = 5000;
const SURE_SHARE = 0.7;

/** Whether a page is an article that rules are sure of. */
export function isSure({ article, prose, rootProse }: PageSigns): boolean {
  return article && rootProse > SURE_CHARS && rootProse > prose * SURE_SHARE;
}

/** Remembers a page before rules clean it, to judge their choice. */
export class Choosing {
  readonly #page: HtmlElement;
  readonly #found: Runs;
  readonly #before: Snapshot | undefined;
  readonly #judge: Judge;

  constructor(page: HtmlElement, judge: Judge) {
    this.#page = page;
    this.#judge = judge;
    this.#found = collectRuns(page);
    const { page: all, runs } = this.#found;
    if (all.words >= MIN_WORDS && runs.length <= MAX_RUNS) this.#before = new Snapshot(page);
  }

  /** The element that holds the page's content: the root that rules made, or the page with what is left in it. */
  settle(root: HtmlElement, signs: PageSigns): Chosen {
    const ruled = { root, changed: false };
    if (!this.#before) return ruled;
    const { runs } = this.#found;
    const left = new Set<HtmlNode>();
    for (let node = following(root, root); node; node = following(node, root)) {
      if (node.nodeType === 1 && node.tag !== 'img') continue;
      left.add(node);
      if (node.nodeType === 3 && node.run >= 0) (runs[node.run] as Run).kept += node.data.length;
    }
    const judged = this.#judge(this.#found, signs);
    if (!judged) return ruled;
    const chances = evenOut(this.#found, judged);
    shareCopies(runs, chances);
    const cut = Math.max(LEAST_CHANCE, bestCut(runs, chances));
    const stay = runs.map((run, i) =>
      run.kept > 0
        ? (chances[i] as number) >= cut || isSafe(run)
        : (chances[i] as number) >= cut && !isLink(run),
    );
    if (signs.discussion) keepPosts(runs, stay);
    leaveRepeats(runs, stay);
    settleHeadings(runs, stay);
    if (isLeftThin(runs, stay)) return ruled;
    const better = expectedF1(runs, chances, ({ index }) => stay[index] as boolean);
    if (better - expectedF1(runs, chances, ({ kept }) => kept > 0) < MARGIN) return ruled;
    if (signs.discussion) noteQuotes(runs, stay);
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

  /** Tables, lists and other blocks of which nothing stays. */
  #dropEmptied(stay: readonly boolean[]): void {
    let done = 0;
    const staying = new Int32Array(stay.length + 1);
    for (let i = 0; i < stay.length; i++) staying[i + 1] = (staying[i] as number) + (stay[i] ? 1 : 0);
    for (const box of this.#found.boxes) {
      const { element, first, end, pictures } = box;
      if (first < done || first === end || staying[end] !== staying[first]) continue;
      if (pictures > 0 && !isCard(box)) continue;
      element.parentNode?.removeChild(element);
      done = end;
    }
  }
}

/** Things made alike from which on one is a card of a list, whose picture says nothing without its words. */
const MIN_CARDS = 3;

function isCard({ headings, alike }: Box): boolean {
  return headings > 0 && alike !== undefined && alike.count >= MIN_CARDS;
}

/** Tables and lists of names with values, in the boxes that are near. */
const ROWS = [NEAR.indexOf('table'), NEAR.indexOf('dl')];

/** Words up to which a text says little, and how many times as many that rules keep must be for trees to leave them alone. */
const THIN_WORDS = 150;
const TIMES_MORE = 3;

/** Whether trees would leave next to nothing of what rules keep: what is sold may come from scripts, and the text beside it is all there is. */
function isLeftThin(runs: readonly Run[], stay: readonly boolean[]): boolean {
  let [left, ruled] = [0, 0];
  for (const { index, words, kept } of runs) {
    if (stay[index]) left += words;
    if (kept > 0) ruled += words;
  }
  return left < THIN_WORDS && ruled > left * TIMES_MORE && ruled > THIN_WORDS;
}

/** What rules keep and trees may not take away: code, the title, rows of tables (specifications), prices. */
function isSafe({ box, money }: Run): boolean {
  const { tag } = box.element;
  return tag === 'pre' || tag === 'h1' || money > 0 || ROWS.some((at) => (box.near[at] as number) >= 0);
}

/** Share of a text in links from which on it only leads elsewhere. */
const LINKED_SHARE = 0.85;

/** What leads elsewhere: where rules leave it out, trees do not bring it back. */
function isLink({ linkChars, chars }: Run): boolean {
  return linkChars >= chars * LINKED_SHARE;
}
