import type { HtmlElement, HtmlText } from '../parsing/node.ts';
import { BLOCK, HEADING } from '../parsing/tags.ts';
import { bodySureness, namesOf } from '../visibility/chrome.ts';
import { Counts, count, FNV_START, isSentenceEnd, mix, mixText } from './counts.ts';

/** A block element with text, and the sums of its content. */
export interface Box {
  readonly index: number;
  readonly element: HtmlElement;
  readonly up: Box | undefined;
  readonly level: number;
  readonly kind: number;
  /** `shape`: hash of tag and class. `path`: hash of the shapes of this box and the two around it. */
  readonly shape: number;
  readonly path: number;
  /** For each of NEARBY_PARTS, the level of the nearest box of that kind, including this one. -1 if there is none. */
  readonly near: Int16Array;
  /** Index of the first run in the box, and index after the last one. */
  first: number;
  end: number;
  chars: number;
  linkChars: number;
  words: number;
  said: number;
  controls: number;
  pictures: number;
  headings: number;
  money: number;
  kept: number;
  alike: Alike | undefined;
  order: number;
  children: Map<number, Alike> | undefined;
}

export interface Alike {
  count: number;
  chars: number;
}

/** A stretch of text that no block boundary interrupts, the unit that is kept or removed. */
export class Run extends Counts {
  readonly index: number;
  readonly box: Box;
  /** Parent element of the run's first text node. */
  readonly around: HtmlElement;
  readonly texts: HtmlText[] = [];
  readonly tokens: number[] = [];
  linkChars = 0;
  /** Hash of the box's path and the inline element around the text. */
  readonly path: number;
  /** Characters that the heuristics keep, including white space. */
  kept = 0;
  /** Number of all characters, including white space. */
  size = 0;

  constructor(index: number, box: Box, around: HtmlElement) {
    super();
    this.index = index;
    this.box = box;
    this.around = around;
    this.path = around === box.element ? box.path : mix(box.path, mixText(FNV_START, around.tag));
  }
}

/** Tags whose position in this list, from 1, is the `kind` of a box. */
const KINDS =
  'p li td th h1 h2 h3 h4 h5 h6 dt dd pre blockquote figcaption caption div section article main header footer nav aside form ul ol table tr tbody figure summary details label fieldset address center dl'.split(
    ' ',
  );
const KIND_OF: ReadonlyMap<string, number> = new Map(KINDS.map((tag, i) => [tag, i + 1]));

/** Returns 1 to 6 if the run is a heading, otherwise 0. */
export function headingLevel({ box: { kind } }: Run): number {
  return kind >= H1_KIND && kind < H1_KIND + 6 ? kind - H1_KIND + 1 : 0;
}

const H1_KIND = KINDS.indexOf('h1') + 1;

export const NEAR = [
  'ul',
  'ol',
  'table',
  'article',
  'main',
  'aside',
  'header',
  'footer',
  'form',
  'nav',
  'section',
  'figure',
  'a',
  'dl',
  'blockquote',
  'frame',
  'related',
  'around',
  'comments',
  'caption',
  'body',
] as const;
const NEAR_OF: ReadonlyMap<string, number> = new Map(NEAR.map((name, i) => [name, i]));
const BODY_AT = NEAR.length - 1;

export interface Runs {
  readonly runs: readonly Run[];
  readonly boxes: readonly Box[];
  readonly page: Box;
}

/** Collects the runs and boxes of a page, after `countText()`. Recursive, as deep as the parser lets a tree be. */
export function collectRuns(root: HtmlElement): Runs {
  const collector = new Collector();
  const page = collector.open(root, undefined);
  collector.walk(root, page, false);
  collector.endRun();
  collector.close(page);
  return { runs: collector.runs, boxes: collector.boxes, page };
}

class Collector {
  readonly runs: Run[] = [];
  readonly boxes: Box[] = [];
  #run: Run | undefined;

  /** Reads the children of an element. `linked`: inside a link. `solid`: inside a code block, which is one run. */
  walk(element: HtmlElement, box: Box, linked: boolean, solid = false): void {
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) this.#addText(node, element, box, linked);
      else if (!solid && (BLOCK.has(node.tag) || isCustom(node))) this.#walkBlock(node, box, linked);
      else if (node.tag === 'br') this.#endAtBreak(node, solid);
      else if (node.tag === 'img') box.pictures++;
      else this.walk(node, box, linked || isLink(node), solid);
    }
  }

  #walkBlock(node: HtmlElement, box: Box, linked: boolean): void {
    this.endRun();
    if (node.chars === 0 && node.tag !== 'figure') {
      box.controls += node.controls;
      if (node.firstChild) box.pictures += picturesIn(node);
      return;
    }
    const inner = this.open(node, box);
    this.walk(node, inner, linked, node.tag === 'pre');
    this.endRun();
    this.close(inner);
  }

  /** Two consecutive line breaks end a paragraph. */
  #endAtBreak({ nextSibling: next }: HtmlElement, solid: boolean): void {
    if (!solid && next?.nodeType === 1 && next.tag === 'br') this.endRun();
  }

  open(element: HtmlElement, up: Box | undefined): Box {
    const shape =
      mixText(mixText(FNV_START, element.tag), (element.attributes.class ?? '').slice(0, 200)) | 0;
    const box: Box = {
      index: this.boxes.length,
      element,
      up,
      level: up ? up.level + 1 : 0,
      kind: KIND_OF.get(element.tag) ?? 0,
      shape,
      path: mix(mix(shape, up?.shape ?? 0), up?.up?.shape ?? 0),
      near: nearOf(element, up),
      first: this.runs.length,
      end: 0,
      chars: 0,
      linkChars: 0,
      words: 0,
      said: 0,
      controls: element.controls,
      pictures: 0,
      headings: 0,
      money: 0,
      kept: 0,
      alike: undefined,
      order: 0,
      children: undefined,
    };
    this.boxes.push(box);
    return box;
  }

  close(box: Box): void {
    box.end = this.runs.length;
    const { up } = box;
    if (!up || box.end === box.first) return;
    up.chars += box.chars;
    up.linkChars += box.linkChars;
    up.words += box.words;
    up.said += box.said;
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
    box.alike = alike;
  }

  #addText(node: HtmlText, element: HtmlElement, box: Box, linked: boolean): void {
    let run = this.#run;
    if (!run) {
      if (node.data.trim() === '') return;
      run = new Run(this.runs.length, box, element);
      this.#run = run;
      this.runs.push(run);
    }
    const before = run.chars;
    count(node.data, run, run.tokens);
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
    if (run.words >= 8 && run.linkChars < run.chars / 2) box.said += run.chars;
    if (HEADING.has(box.element.tag)) box.headings++;
  }
}

/** True for a custom element with text, which may be a block. Tags that begin with `x-` are Magpie's own. */
function isCustom({ tag, chars }: HtmlElement): boolean {
  return chars > 0 && tag.includes('-') && !tag.startsWith('x-');
}

function isLink({ tag, attributes }: HtmlElement): boolean {
  return tag === 'a' && attributes.href !== undefined;
}

function picturesIn(element: HtmlElement): number {
  return element.getElementsByTagName('img').length;
}

const NOWHERE = new Int16Array(NEAR.length).fill(-1);

/** Returns the nearest boxes by name. Elements that add nothing share the array of their parent, which saves memory. */
function nearOf(element: HtmlElement, up: Box | undefined): Int16Array {
  const around = up?.near ?? NOWHERE;
  const byTag = NEAR_OF.get(element.tag) ?? -1;
  const byPart = element.part === '' ? -1 : (NEAR_OF.get(element.part) ?? -1);
  const body = bodySureness(element) >= 2;
  if (byTag < 0 && byPart < 0 && !body) return around;
  const near = around.slice();
  const level = up ? up.level + 1 : 0;
  if (byTag >= 0) near[byTag] = level;
  if (byPart >= 0) near[byPart] = level;
  if (body) near[BODY_AT] = level;
  return near;
}

/** Returns the class names and id of the inline element around a run, or '' if the run stands directly in its box. */
export function namesAround(run: Run): string {
  return run.around === run.box.element ? '' : namesOf(run.around);
}
