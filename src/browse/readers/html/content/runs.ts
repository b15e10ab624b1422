import type { HtmlElement, HtmlText } from '../parsing/node.ts';
import { BLOCK, HEADING } from '../parsing/tags.ts';
import { bodySureness, namesOf } from '../visibility/chrome.ts';
import { Counts, count, FNV_START, isSentenceEnd, mix, mixText } from './counts.ts';

/** A block of the page that has text, and what it holds. */
export interface Box {
  readonly index: number;
  readonly element: HtmlElement;
  readonly up: Box | undefined;
  readonly level: number;
  readonly kind: number;
  /** Hash of tag and class, and the same with those of two boxes around. */
  readonly shape: number;
  readonly path: number;
  /** Level of the nearest box around, itself counted, of each of NEAR; -1 for none. */
  readonly near: Int16Array;
  /** First run, and the one after the last. */
  first: number;
  end: number;
  chars: number;
  linkChars: number;
  words: number;
  /** Characters of runs that are sentences. */
  said: number;
  controls: number;
  pictures: number;
  headings: number;
  money: number;
  /** Characters that rules keep. */
  kept: number;
  /** Boxes in the same box that are made alike, and where this is among them. */
  alike: Alike | undefined;
  order: number;
  children: Map<number, Alike> | undefined;
}

export interface Alike {
  count: number;
  chars: number;
}

/** Text with no boundary of a block in it. */
export class Run extends Counts {
  readonly index: number;
  readonly box: Box;
  /** The element right around its first text. */
  readonly around: HtmlElement;
  readonly texts: HtmlText[] = [];
  /** Hashes of its first words. */
  readonly tokens: number[] = [];
  linkChars = 0;
  /** Hash of the boxes' path and the inline element. */
  readonly path: number;
  /** Characters that rules keep, white space counted. */
  kept = 0;
  /** All characters, white space counted. */
  size = 0;

  constructor(index: number, box: Box, around: HtmlElement) {
    super();
    this.index = index;
    this.box = box;
    this.around = around;
    this.path = around === box.element ? box.path : mix(box.path, mixText(FNV_START, around.tag));
  }
}

/** Kinds of tags, from 1. */
const KINDS =
  'p li td th h1 h2 h3 h4 h5 h6 dt dd pre blockquote figcaption caption div section article main header footer nav aside form ul ol table tr tbody figure summary details label fieldset address center dl'.split(
    ' ',
  );
const KIND_OF: ReadonlyMap<string, number> = new Map(KINDS.map((tag, i) => [tag, i + 1]));

/** 1 to 6 for a run that is a heading, 0 for others. */
export function headingLevel({ box: { kind } }: Run): number {
  return kind >= H1_KIND && kind < H1_KIND + 6 ? kind - H1_KIND + 1 : 0;
}

const H1_KIND = KINDS.indexOf('h1') + 1;

/** What is sought around a run. */
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

/** The runs and boxes of a page; weigh() comes first. Recursion is as deep as the tree, which the parser bounds. */
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

  /** Reads what stands in an element; `linked` in a link, `solid` in code, which is one run. */
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

  /** Two breaks in a row end a paragraph. */
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

/** An element that a page made up, which may be a block; those that are ours begin with x. */
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

/** As it is around, but for what the element itself is; most are nothing, and share it. */
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

/** Names of a box, and of the inline element that a run stands in. */
export function namesAround(run: Run): string {
  return run.around === run.box.element ? '' : namesOf(run.around);
}
