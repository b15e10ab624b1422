import type { HtmlElement, HtmlText } from '../parsing/node.ts';
import { BLOCK_TAGS, HEADING_TAGS } from '../parsing/tags.ts';
import { mainContentCertainty, readElementNames } from '../visibility/page-parts.ts';
import { countTextFeatures, FNV_START, hashNumber, hashText, isSentenceEnd, TextCounts } from './counts.ts';

export interface TextRunBox {
  readonly index: number;
  readonly element: HtmlElement;
  readonly up: TextRunBox | undefined;
  readonly level: number;
  readonly kind: number;
  /** `shape`: hash of tag and class. `path`: hash of the shapes of the box and its two nearest ancestors. */
  readonly shape: number;
  readonly path: number;
  /** Levels of the nearest enclosing boxes, one for each entry of `NEARBY_PARTS`, such as `table`. -1: none. */
  readonly nearestLevels: Int16Array;
  first: number;
  end: number;
  chars: number;
  linkChars: number;
  words: number;
  sentenceChars: number;
  controls: number;
  pictures: number;
  headings: number;
  money: number;
  keptChars: number;
  siblings: SiblingGroup | undefined;
  order: number;
  children: Map<number, SiblingGroup> | undefined;
}

export interface SiblingGroup {
  count: number;
  chars: number;
}

export class TextRun extends TextCounts {
  readonly index: number;
  readonly box: TextRunBox;
  readonly around: HtmlElement;
  readonly texts: HtmlText[] = [];
  readonly tokens: number[] = [];
  linkChars = 0;
  readonly path: number;
  /** Number of characters that the heuristics keep, including white space. */
  kept = 0;
  size = 0;

  constructor(index: number, box: TextRunBox, around: HtmlElement) {
    super();
    this.index = index;
    this.box = box;
    this.around = around;
    this.path = around === box.element ? box.path : hashNumber(box.path, hashText(FNV_START, around.tag));
  }
}

/** Tags of boxes. The `kind` of a box is the position of its tag in the list, counted from 1. */
const KINDS =
  'p li td th h1 h2 h3 h4 h5 h6 dt dd pre blockquote figcaption caption div section article main header footer nav aside form ul ol table tr tbody figure summary details label fieldset address center dl'.split(
    ' ',
  );
const KIND_OF: ReadonlyMap<string, number> = new Map(KINDS.map((tag, i) => [tag, i + 1]));

export function headingLevel({ box: { kind } }: TextRun): number {
  return kind >= H1_KIND && kind < H1_KIND + 6 ? kind - H1_KIND + 1 : 0;
}

const H1_KIND = KINDS.indexOf('h1') + 1;

export const NEARBY_PARTS: readonly string[] =
  'ul ol table article main aside header footer form nav section figure a dl blockquote frame related around comments caption body'.split(
    ' ',
  );
const NEAR_OF: ReadonlyMap<string, number> = new Map(NEARBY_PARTS.map((name, i) => [name, i]));
const BODY_AT = NEARBY_PARTS.length - 1;

export type PageTextRuns = ReturnType<typeof collectTextRuns>;

/** Collects the text runs. Must run after `countText()`. Recursion is safe: the parser limits the depth. */
export function collectTextRuns(root: HtmlElement) {
  const collector = new Collector();
  const page = collector.open(root, undefined);
  collector.walk(root, page, false);
  collector.endRun();
  collector.close(page);
  return { runs: collector.runs, boxes: collector.boxes, page };
}

class Collector {
  readonly runs: TextRun[] = [];
  readonly boxes: TextRunBox[] = [];
  #run: TextRun | undefined;

  walk(element: HtmlElement, box: TextRunBox, linked: boolean, solid = false): void {
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) this.#addText(node, element, box, linked);
      else if (!solid && (BLOCK_TAGS.has(node.tag) || isCustom(node))) this.#walkBlock(node, box, linked);
      else if (node.tag === 'br') this.#endAtBreak(node, solid);
      else if (node.tag === 'img') box.pictures++;
      else this.walk(node, box, linked || (node.tag === 'a' && node.attributes.href !== undefined), solid);
    }
  }

  #walkBlock(node: HtmlElement, box: TextRunBox, linked: boolean): void {
    this.endRun();
    if (node.chars === 0 && node.tag !== 'figure') {
      box.controls += node.controls;
      if (node.firstChild) box.pictures += node.getElementsByTagName('img').length;
      return;
    }
    const inner = this.open(node, box);
    this.walk(node, inner, linked, node.tag === 'pre');
    this.endRun();
    this.close(inner);
  }

  #endAtBreak({ nextSibling: next }: HtmlElement, solid: boolean): void {
    if (!solid && next?.nodeType === 1 && next.tag === 'br') this.endRun();
  }

  open(element: HtmlElement, up: TextRunBox | undefined): TextRunBox {
    const shape =
      hashText(hashText(FNV_START, element.tag), (element.attributes.class ?? '').slice(0, 200)) | 0;
    const box: TextRunBox = {
      index: this.boxes.length,
      element,
      up,
      level: up ? up.level + 1 : 0,
      kind: KIND_OF.get(element.tag) ?? 0,
      shape,
      path: hashNumber(hashNumber(shape, up?.shape ?? 0), up?.up?.shape ?? 0),
      nearestLevels: nearOf(element, up),
      first: this.runs.length,
      end: 0,
      chars: 0,
      linkChars: 0,
      words: 0,
      sentenceChars: 0,
      controls: element.controls,
      pictures: 0,
      headings: 0,
      money: 0,
      keptChars: 0,
      siblings: undefined,
      order: 0,
      children: undefined,
    };
    this.boxes.push(box);
    return box;
  }

  close(box: TextRunBox): void {
    box.end = this.runs.length;
    const { up } = box;
    if (!up || box.end === box.first) return;
    up.chars += box.chars;
    up.linkChars += box.linkChars;
    up.words += box.words;
    up.sentenceChars += box.sentenceChars;
    up.pictures += box.pictures;
    up.headings += box.headings;
    up.money += box.money;
    up.children ??= new Map();
    let alike = up.children.get(box.shape);
    if (!alike) {
      alike = { count: 0, chars: 0 };
      up.children.set(box.shape, alike);
    }
    box.order = alike.count;
    alike.count++;
    alike.chars += box.chars;
    box.siblings = alike;
  }

  #addText(node: HtmlText, element: HtmlElement, box: TextRunBox, linked: boolean): void {
    let run = this.#run;
    if (!run) {
      if (node.data.trim() === '') return;
      run = new TextRun(this.runs.length, box, element);
      this.#run = run;
      this.runs.push(run);
    }
    const before = run.chars;
    countTextFeatures(node.data, run, run.tokens);
    if (linked) run.linkChars += run.chars - before;
    run.size += node.data.length;
    run.texts.push(node);
    node.run = run.index;
  }

  endRun(): void {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    const { box } = run;
    if (isSentenceEnd(run.last)) run.sentences++;
    box.chars += run.chars;
    box.linkChars += run.linkChars;
    box.words += run.words;
    box.money += run.money;
    if (run.words >= 8 && run.linkChars < run.chars / 2) box.sentenceChars += run.chars;
    if (HEADING_TAGS.has(box.element.tag)) box.headings++;
  }
}

/** True for a custom element, which may be a block. Magpie's own tags begin with `x-` and do not count. */
function isCustom({ tag, chars }: HtmlElement): boolean {
  return chars > 0 && tag.includes('-') && !tag.startsWith('x-');
}

const NOWHERE = new Int16Array(NEARBY_PARTS.length).fill(-1);

/** Returns `nearestLevels` of an element. If they are those of the parent, reuses the parent's array. */
function nearOf(element: HtmlElement, up: TextRunBox | undefined): Int16Array {
  const around = up?.nearestLevels ?? NOWHERE;
  const byTag = NEAR_OF.get(element.tag) ?? -1;
  const byPart = element.part === '' ? -1 : (NEAR_OF.get(element.part) ?? -1);
  const body = mainContentCertainty(element) >= 2;
  if (byTag < 0 && byPart < 0 && !body) return around;
  const near = around.slice();
  const level = up ? up.level + 1 : 0;
  if (byTag >= 0) near[byTag] = level;
  if (byPart >= 0) near[byPart] = level;
  if (body) near[BODY_AT] = level;
  return near;
}

export function inlineNamesOf(run: TextRun): string {
  return run.around === run.box.element ? '' : readElementNames(run.around);
}
