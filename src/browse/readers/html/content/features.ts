import type { HtmlElement } from '../parsing/node.ts';
import { isSentenceEnd } from './counts.ts';
import { type ContentLexicon, WordWeightColumns } from './lexicon.ts';
import types from './page-types.json' with { type: 'json' };
import { FeatureRows } from './rows.ts';
import { headingLevel, NEARBY_PARTS, type PageTextRuns, type TextRun, type TextRunBox } from './runs.ts';

export interface PageSigns {
  readonly article: boolean;
  readonly discussion: boolean;
  readonly product: boolean;
  readonly root: HtmlElement;
  readonly types: ReadonlySet<string>;
  readonly url: string;
  readonly prose: number;
  readonly rootProse: number;
}

export const COUNTED_COLUMNS = 175;
const SAID = 15;
export const FEATURE_COLUMNS = COUNTED_COLUMNS + SAID;

const AROUND = 4;
const NEIGHBOURS = [-3, -2, -1, 1, 2, 3] as const;

interface Shape {
  runs: number;
  words: number;
  chars: number;
  linkChars: number;
  kept: number;
}

type FeaturePage = ReturnType<typeof survey>;

export function readFeatures(found: PageTextRuns, signs: PageSigns, lexicon: ContentLexicon): FeatureRows {
  const page = survey(found, signs);
  const rows = new FeatureRows(found.runs.length, FEATURE_COLUMNS);
  const sayings = new WordWeightColumns(lexicon);
  const state: RunState = { ...START, title: page.title };
  for (const run of page.runs) {
    rows.begin(run.index);
    addText(rows, run, page);
    addPlace(rows, run, page);
    addOrder(rows, run, page, state);
    addBoxes(rows, run, page);
    addAlike(rows, run, page);
    addNeighbours(rows, run, page);
    for (const value of page.page) rows.add(value);
    sayings.add(rows, run, headingLevel(run) > 0);
    move(state, run);
  }
  return rows;
}

const START = {
  charsBefore: 0,
  heading: undefined as TextRun | undefined,
  underChars: 0,
  underRuns: 0,
  title: 0,
  sinceTitle: 0,
};
type RunState = typeof START;

function move(state: RunState, run: TextRun): void {
  state.charsBefore += run.chars;
  if (headingLevel(run) > 0) {
    state.heading = run;
    state.underChars = 0;
    state.underRuns = 0;
  } else {
    state.underChars += run.chars;
    state.underRuns++;
  }
  if (run.index >= state.title) state.sinceTitle += run.chars;
}

const log = (value: number) => Math.log1p(value);
const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0);

function survey({ runs, boxes, page: all }: PageTextRuns, signs: PageSigns) {
  for (const run of runs) run.box.keptChars += share(run.kept, run.size) * run.chars;
  for (let i = boxes.length - 1; i > 0; i--) {
    const box = boxes[i] as TextRunBox;
    if (box.up) box.up.keptChars += box.keptChars;
  }
  const paths = new Map<number, Shape>();
  const texts = new Map<number, number>();
  let [firstKept, lastKept, title, levels] = [-1, -1, -1, 0];
  for (const run of runs) {
    let shape = paths.get(run.path);
    if (!shape) {
      shape = { runs: 0, words: 0, chars: 0, linkChars: 0, kept: 0 };
      paths.set(run.path, shape);
    }
    shape.runs++;
    shape.words += run.words;
    shape.chars += run.chars;
    shape.linkChars += run.linkChars;
    shape.kept += share(run.kept, run.size) * run.chars;
    texts.set(run.hash, (texts.get(run.hash) ?? 0) + 1);
    if (run.kept > 0) {
      if (firstKept < 0) firstKept = run.index;
      lastKept = run.index;
    }
    if (title < 0 && headingLevel(run) === 1) title = run.index;
    levels += run.box.level * run.chars;
  }
  return {
    runs,
    all,
    signs,
    inside: boxes.find(({ element }) => element === signs.root),
    paths,
    texts,
    seen: new Map(),
    firstKept,
    lastKept,
    title: title < 0 ? runs.length : title,
    page: pageFeatures(runs, boxes, all, signs),
    depth: share(levels, all.chars),
  };
}

const TYPES = types.map((type) => new RegExp(type, 'i'));

function pageFeatures(
  runs: readonly TextRun[],
  boxes: readonly TextRunBox[],
  all: TextRunBox,
  signs: PageSigns,
) {
  let [carded, cards, keptRuns, keptWords, short] = [0, 0, 0, 0, 0];
  for (const box of boxes) {
    const { siblings } = box;
    if (siblings && siblings.count >= 4 && box.order === 0 && siblings.chars > siblings.count * 40) {
      carded += siblings.chars;
      cards = Math.max(cards, siblings.count);
    }
  }
  for (const run of runs) {
    if (run.words < 6) short++;
    if (run.kept === 0) continue;
    keptRuns++;
    keptWords += run.words;
  }
  const own = [...signs.types];
  return [
    log(all.chars),
    share(all.linkChars, all.chars),
    share(all.sentenceChars, all.chars),
    log(runs.length),
    share(short, runs.length),
    share(all.keptChars, all.chars),
    log(keptWords),
    share(keptWords, keptRuns),
    signs.article ? 1 : 0,
    signs.discussion ? 1 : 0,
    signs.product ? 1 : 0,
    ...TYPES.map((type) => (own.some((one) => type.test(one)) ? 1 : 0)),
    log(all.headings),
    log(all.pictures),
    log(all.money),
    Math.min(3, carded / Math.max(1, all.chars)),
    log(cards),
    share(signs.rootProse, signs.prose),
    log(signs.rootProse),
    levelsOf(signs.url),
  ];
}

function levelsOf(url: string): number {
  return (URL.parse(url)?.pathname ?? '/').split('/').filter(Boolean).length;
}

function addText(rows: FeatureRows, run: TextRun, page: FeaturePage): void {
  const { chars, words } = run;
  const earlier = page.seen.get(run.hash) ?? 0;
  page.seen.set(run.hash, earlier + 1);
  rows.add(log(words));
  rows.add(share(chars, words));
  rows.add(share(run.linkChars, chars));
  rows.add(share(run.digits, chars));
  rows.add(share(run.upper, chars));
  rows.add(share(run.titled, words));
  rows.add(run.sentences);
  rows.add(share(run.commas, words));
  rows.add(share(run.marks, chars));
  rows.add(run.money);
  rows.add(isSentenceEnd(run.last) ? 1 : run.last === 58 ? 2 : 0);
  rows.add(earlier);
  rows.add(page.texts.get(run.hash) ?? 1);
}

function addPlace(rows: FeatureRows, run: TextRun, page: FeaturePage): void {
  const { box } = run;
  rows.add(box.kind);
  rows.add(run.around === box.element ? 0 : TAGS.indexOf(run.around.tag) + 1);
  for (let i = 0; i < NEARBY_PARTS.length; i++) {
    const level = box.nearestLevels[i] as number;
    rows.add(level < 0 ? -1 : box.level - level);
  }
  rows.add(box.level);
  rows.add(box.level - page.depth);
}

const TAGS = 'a span strong b em i small time font code label sup button u'.split(' ');

function addOrder(rows: FeatureRows, run: TextRun, page: FeaturePage, state: RunState): void {
  const { runs, all, inside, firstKept, lastKept } = page;
  const { index } = run;
  rows.add(share(index, runs.length));
  rows.add(share(state.charsBefore, all.chars));
  rows.add(log(index));
  rows.add(log(runs.length - index));
  rows.add(log(state.charsBefore));
  rows.add(log(Math.max(0, all.chars - state.charsBefore)));
  rows.add(index < state.title ? Math.max(-40, index - state.title) : log(state.sinceTitle));
  rows.add(share(run.kept, run.size));
  rows.add(inside && index >= inside.first && index < inside.end ? 1 : 0);
  rows.add(
    firstKept < 0
      ? -99
      : index < firstKept
        ? Math.max(-99, index - firstKept)
        : index > lastKept
          ? Math.min(99, index - lastKept)
          : 0,
  );
  const { heading } = state;
  rows.add(heading ? headingLevel(heading) : 0);
  rows.add(heading ? share(heading.kept, heading.size) : -1);
  rows.add(log(state.underChars));
  rows.add(state.underRuns);
  rows.add(heading ? share(heading.linkChars, heading.chars) : -1);
}

function addBoxes(rows: FeatureRows, run: TextRun, { all }: FeaturePage): void {
  let at: TextRunBox | undefined = run.box;
  let held = 0;
  for (let i = 0; i < AROUND; i++) {
    while (at?.up && at.end - at.first <= held) at = at.up;
    const box: TextRunBox = at ?? all;
    const count = box.end - box.first;
    held = count;
    rows.add(share(box.chars, all.chars));
    rows.add(log(box.chars));
    rows.add(share(box.linkChars, box.chars));
    rows.add(share(box.sentenceChars, box.chars));
    rows.add(share(box.keptChars, box.chars));
    rows.add(count);
    rows.add(share(box.words, count));
    rows.add(share(run.index - box.first, count));
    if (i > 0) {
      rows.add(box.controls);
      rows.add(share(box.pictures, count));
      rows.add(share(box.headings, count));
      rows.add(box.money);
      rows.add(box.kind);
    }
  }
}

function addAlike(rows: FeatureRows, run: TextRun, page: FeaturePage): void {
  let at: TextRunBox | undefined = run.box;
  let levels = 0;
  while (at?.up && (at.siblings?.count ?? 0) < 3) {
    at = at.up;
    levels++;
  }
  const { siblings } = run.box;
  rows.add(siblings?.count ?? 0);
  rows.add(run.box.order);
  const card = at?.siblings && at.siblings.count >= 3 ? at : undefined;
  const count = card?.siblings?.count ?? 0;
  const mean = share(card?.siblings?.chars ?? 0, count);
  rows.add(card ? levels : -1);
  rows.add(count);
  rows.add(log(mean));
  rows.add(share(card?.chars ?? 0, mean));
  rows.add(card ? card.order : -1);
  rows.add(share(card?.siblings?.chars ?? 0, page.all.chars));
  rows.add(card ? share(card.linkChars, card.chars) : -1);
  rows.add(card ? share(card.sentenceChars, card.chars) : -1);
  rows.add(card ? card.pictures : -1);
  rows.add(card ? card.headings : -1);
  rows.add(card ? share(run.index - card.first, card.end - card.first) : -1);
  const shape = page.paths.get(run.path) as Shape;
  rows.add(shape.runs);
  rows.add(log(share(shape.words, shape.runs)));
  rows.add(share(shape.linkChars, shape.chars));
  rows.add(share(shape.kept, shape.chars));
  rows.add(share(shape.chars, page.all.chars));
}

function addNeighbours(rows: FeatureRows, run: TextRun, { runs }: FeaturePage): void {
  for (const step of NEIGHBOURS) {
    const other = runs[run.index + step];
    const near = step >= -2 && step <= 2;
    if (other) addNeighbour(rows, run, other, near);
    else for (let i = near ? 6 : 3; i > 0; i--) rows.add(-1);
  }
}

function addNeighbour(rows: FeatureRows, run: TextRun, other: TextRun, near: boolean): void {
  rows.add(log(other.words));
  rows.add(share(other.linkChars, other.chars));
  rows.add(share(other.kept, other.size));
  if (!near) return;
  rows.add(other.box.kind);
  rows.add(isSentenceEnd(other.last) ? 1 : 0);
  rows.add(other.path === run.path ? 1 : 0);
}
