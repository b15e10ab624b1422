import { runInTimeSlices } from '../../lib/concurrency/time-slices.ts';
import { eachSentence } from '../../lib/text/sentences.ts';
import type { NewPassage } from '../store.ts';
import { createContextReader, findMailContext } from './passage-context.ts';
import { stripHeadingMarks, type TextBlock, textBlocks } from './text-blocks.ts';
import { estimateTokens } from './token-estimate.ts';

export interface ChunkOptions {
  readonly title?: string;
  readonly window?: number;
}

const TARGET_TOKENS = 180;
const WINDOW_TOKENS = 256;
const FRAME_TOKENS = 4;
const MAX_TITLE_TOKENS = 40;
const MAX_TITLE_CHARS = 160;
/** A passage ends before a heading if its length is at least this share of the preferred length. */
const FULL_PART = 1 / 3;
const STEP_UNITS = 2000;
const SEPARATOR_TOKENS = 4;
const MAX_REST_CHARS = 300;

interface ChunkUnit {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly level: number;
  /** Text from the block's beginning that gives context to this piece, such as a table's header row. */
  readonly context?: string | undefined;
  /** True for the last few words of a block. They may be added to a passage that is already full. */
  readonly isRest?: boolean;
}

export function chunk(text: string, options: ChunkOptions = {}): Promise<NewPassage[]> {
  return runInTimeSlices(cut(text, options));
}

function* cut(text: string, { title = '', window = WINDOW_TOKENS }: ChunkOptions) {
  const whole = Math.max(8, window - FRAME_TOKENS - Math.min(MAX_TITLE_TOKENS, Math.floor(window / 4)));
  const target = Math.min(TARGET_TOKENS, whole);
  const blocks = yield* textBlocks(text);
  const named = title.trim();
  const first = firstLine(text);
  const message = findMailContext(text);
  const passages: NewPassage[] = [];
  for (const group of yield* pack(text, blocks, target, whole)) {
    const above = named || (group.trail.length === 0 ? first : '');
    const context = group.context ?? (group.start > message.end ? message.context : undefined);
    passages.push({
      title: passageTitle(text, { above, trail: group.trail, context }, window),
      text: text.slice(group.start, group.end),
    });
    yield;
  }
  return passages;
}

export function buildEmbeddingInput({ title, text }: Pick<NewPassage, 'title' | 'text'>): string {
  const trimmed = text.trim();
  return title === '' || trimmed.startsWith(title) ? trimmed : `${title}\n${trimmed}`;
}

function* unitsOf(text: string, block: TextBlock, target: number, whole: number): Generator<ChunkUnit[]> {
  const { kind, start, end, level } = block;
  const most = kind === 'code' ? whole : target;
  const tokens = estimateTokens(text.slice(start, end), most);
  if (tokens <= most) {
    yield [{ start, end, tokens, level }];
    return;
  }
  const body = text.slice(start, end);
  const contextAt = createContextReader(text, block);
  const pieces = contextAt.isByLine ? lines(body) : saidOnes(body);
  let at = start;
  for (const piece of pieces) {
    const from = at;
    at += piece.length;
    const context = contextAt.read(from, at);
    for (const units of fitting(text, from, at, target))
      yield units.map((unit) => ({
        ...unit,
        context,
        isRest: isRest(text, unit.start, end, whole - target),
      }));
  }
}

function isRest(text: string, start: number, end: number, tokens: number): boolean {
  return end - start <= MAX_REST_CHARS && estimateTokens(text.slice(start, end), tokens) <= tokens;
}

function* lines(body: string): Generator<string> {
  for (let start = 0, end = 0; start < body.length; start = end) {
    const feed = body.indexOf('\n', start);
    end = feed < 0 ? body.length : feed + 1;
    yield body.slice(start, end);
  }
}

const STEP_CHARS = 100_000;

function stepEnd(text: string, start: number, end: number): number {
  const to = start + STEP_CHARS;
  if (to >= end) return end;
  const code = text.charCodeAt(to - 1);
  return code >= 0xd800 && code < 0xdc00 ? to - 1 : to;
}

function* saidOnes(body: string): Generator<string> {
  for (let at = 0, end = 0; at < body.length; at = end) {
    end = stepEnd(body, at, body.length);
    yield* saidIn(body.slice(at, end));
  }
}

function* saidIn(body: string): Generator<string> {
  let start = 0;
  let at = 0;
  let first = true;
  for (const sentence of eachSentence(body)) {
    const found = body.indexOf(sentence, at);
    if (found < 0) continue;
    if (!first) {
      yield body.slice(start, found);
      start = found;
    }
    first = false;
    at = found + sentence.length;
  }
  yield body.slice(start);
}

function* fitting(text: string, start: number, end: number, most: number): Generator<ChunkUnit[]> {
  const tokens = estimateTokens(text.slice(start, end), most);
  if (tokens <= most) {
    yield [{ start, end, tokens, level: 0 }];
    return;
  }
  for (let from = start, to = 0; from < end; from = to) {
    to = stepEnd(text, from, end);
    yield* wordsOf(text, from, to, most);
  }
}

function* wordsOf(text: string, start: number, end: number, most: number): Generator<ChunkUnit[]> {
  let at = start;
  let units: ChunkUnit[] = [];
  for (const [word] of text.slice(start, end).matchAll(/\S+\s*|\s+/g)) {
    for (let rest = word; rest !== ''; ) {
      let size = Math.min(rest.length, most);
      const code = rest.charCodeAt(size - 1);
      if (size < rest.length && size > 1 && code >= 0xd800 && code < 0xdc00) size--;
      const piece = rest.slice(0, size);
      units.push({ start: at, end: at + size, tokens: estimateTokens(piece), level: 0 });
      at += size;
      rest = rest.slice(size);
      if (units.length < STEP_UNITS) continue;
      yield units;
      units = [];
    }
  }
  yield units;
}

interface UnitGroup {
  start: number;
  end: number;
  tokens: number;
  trail: readonly ChunkUnit[];
  context: string | undefined;
}

function* pack(text: string, blocks: readonly TextBlock[], target: number, whole: number) {
  const groups: UnitGroup[] = [];
  let trail: ChunkUnit[] = [];
  let heads: ChunkUnit[] = [];
  let headTokens = 0;
  const add = (start: number, { end, tokens, context, isRest }: ChunkUnit, breaks: boolean) => {
    const last = groups.at(-1);
    if (last && !breaks && last.tokens + tokens <= (isRest ? whole : target)) {
      last.end = end;
      last.tokens += tokens;
    } else groups.push({ start, end, tokens, trail: [...trail], context });
  };
  const addHeads = function* () {
    for (const [at, head] of heads.entries()) {
      add(head.start, head, false);
      if (at % STEP_UNITS === 0) yield;
    }
    heads = [];
    headTokens = 0;
  };
  const take = function* (unit: ChunkUnit) {
    if (unit.level > 0) {
      trail = [...trail.filter(({ level }) => level < unit.level), unit];
      heads.push(unit);
      headTokens += unit.tokens;
      return;
    }
    const { start } = heads[0] ?? unit;
    const tokens = headTokens + unit.tokens;
    const last = groups.at(-1)?.tokens ?? 0;
    const breaks = heads.length > 0 && last > target * FULL_PART;
    if (heads.length > 0 && tokens > whole) {
      yield* addHeads();
      add(unit.start, unit, true);
    } else {
      add(start, { ...unit, tokens }, breaks);
      heads = [];
      headTokens = 0;
    }
  };
  for (const block of blocks) {
    for (const units of unitsOf(text, block, target, whole)) {
      for (const unit of units) yield* take(unit);
      yield;
    }
  }
  yield* addHeads();
  return groups;
}

function passageTitle(
  text: string,
  { above, trail, context = '' }: Pick<UnitGroup, 'trail' | 'context'> & { readonly above: string },
  window: number,
): string {
  const names = [above, ...trail.map(({ start, end }) => stripHeadingMarks(text.slice(start, end)))];
  const told = names.filter((name, at) => name !== '' && names.indexOf(name) === at).join(' › ');
  const most = Math.min(MAX_TITLE_TOKENS, Math.floor(window / 4));
  if (context === '') return shortened(told, most, MAX_TITLE_CHARS);
  // A long title is cut to half of the tokens, so that the context gets the other half.
  const short = shortened(told, Math.floor(most / 2), MAX_TITLE_CHARS / 2);
  const rest = most - estimateTokens(short) - SEPARATOR_TOKENS;
  const added = shortened(context, rest, MAX_TITLE_CHARS - short.length);
  return [short, added].filter(Boolean).join(' › ');
}

function firstLine(text: string): string {
  const from = text.slice(0, STEP_CHARS).search(/\S/);
  if (from < 0) return '';
  const [first = '', second = ''] = text.slice(from, from + MAX_TITLE_CHARS * 4).split('\n', 2);
  return stripHeadingMarks((/^(?:```|~~~)/.test(first) ? second : first).slice(0, MAX_TITLE_CHARS * 2));
}

function shortened(title: string, tokens: number, chars: number): string {
  let short = title.slice(0, Math.max(0, chars));
  while (short !== '' && (short.length < title.length || estimateTokens(short) > tokens)) {
    const space = short.lastIndexOf(' ');
    short = space > 0 ? short.slice(0, space) : short.slice(0, Math.floor(short.length / 2));
    if (estimateTokens(short) <= tokens) break;
  }
  return short.toWellFormed() === short ? short.trim() : short.slice(0, -1).trim();
}
