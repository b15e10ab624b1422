import { upstreamError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { PageNotice, PageVerdict, PageWatch, PageWatchTimes } from '../../lib/watching/page-watch.ts';
import { markdownToPlainText } from '../reducing/plain-text.ts';
import { comparePages } from './compare-pages.ts';
import { isSameMeaning, type UnitMeaning } from './unit-meaning.ts';
import {
  listMeanings,
  MET,
  type PlainWatch,
  plainWatchOf,
  readWatchedPage,
  UNMET,
  type WatchedItem,
  type WatchedPage,
  type WatchedReading,
  type WatchedThing,
} from './watched-page.ts';

/** What is kept between two probes of a page. */
interface WatchMemory {
  /** The watch that it belongs to. Another watch starts from scratch. */
  readonly watch: string;
  /** When `known` was read. */
  readonly lookedAt: number;
  /** What the user knows of: the first reading, with the changes since. */
  readonly known: WatchedReading;
  readonly pending?: PendingChange | undefined;
  /** When a key was last part of a change, for pages that flicker. */
  readonly recent: Readonly<Record<string, number>>;
  /** Items that were seen: their keys, with those of their titles. */
  readonly seen: Readonly<Record<string, string>>;
}

interface PendingChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly since: number;
  readonly looks: number;
}

interface WatchDelta {
  readonly added: readonly WatchedThing[];
  readonly removed: readonly WatchedThing[];
}

const [MAX_RECENT, MAX_SEEN] = [500, 2000];
/** Share of a page's units that vanish at once if another page takes its place, or one that speaks of an error. */
const [REPLACED, REPLACED_BY_DOUBTFUL] = [0.8, 0.5];
const [MIN_REPLACED_UNITS, MIN_DOUBTFUL_UNITS] = [3, 2];

/** Compares a page with what is known of it: what has changed since the last notice, and whether that is sure enough for a notice. */
export function judgeWatch(
  page: WatchedPage,
  given: PageWatch,
  state: string | undefined,
  times: PageWatchTimes,
): PageVerdict {
  const watch = plainWatchOf(given);
  const reading = readWatchedPage(page, watch);
  const name = JSON.stringify(watch);
  const stored = state === undefined ? undefined : (JSON.parse(state) as WatchMemory);
  const memory = stored?.watch === name ? stored : undefined;
  const { now } = times;
  if (!memory) {
    const known = reading.value?.key === MET ? { ...reading, value: { key: UNMET, text: '' } } : reading;
    const seen = seenWith({}, reading.items ?? []);
    const first = { watch: name, lookedAt: now, known, recent: {}, seen };
    return verdictOf(first, reading, undefined, known !== reading);
  }
  const [doubts, oldDoubts] = [reading.doubts ?? [], memory.known.doubts ?? []];
  const isNewDoubt = doubts.some((word) => !oldDoubts.includes(word));
  const isRecovered = oldDoubts.some((word) => !doubts.includes(word));
  const replaced = (isNewDoubt || isRecovered) && isReplaced(memory.known, reading);
  if (replaced && isNewDoubt) {
    throw upstreamError(`${page.url} shows an error, a login or a form in place of its text`);
  }
  const delta = findDelta(watch, memory, reading, now);
  if (delta.added.length + delta.removed.length === 0) {
    const old = memory.known.value;
    const value = old?.key === reading.value?.key ? reading.value : old;
    const seen = seenWith(memory.seen, reading.items ?? []);
    const same = { ...memory, lookedAt: now, seen, known: { ...reading, value }, pending: undefined };
    return verdictOf(same, reading);
  }
  return weigh(watch, memory, { reading, delta, isDoubtful: replaced && !reading.items }, times);
}

interface ChangedLook {
  readonly reading: WatchedReading;
  readonly delta: WatchDelta;
  /** True if the known text may have been an error or a form that stood in place of the page. */
  readonly isDoubtful: boolean;
}

/** Waits until a change is sure to stay, and then words its notice. */
function weigh(
  watch: PlainWatch,
  memory: WatchMemory,
  { reading, delta, isDoubtful }: ChangedLook,
  { now, settleMs, confirmations }: PageWatchTimes,
): PageVerdict {
  const { pending } = memory;
  const stays = pending && intersect(pending, delta);
  if (!pending || !stays || stays.added.length + stays.removed.length === 0) {
    const fresh = { ...keysOf(delta), since: now, looks: 0 };
    return verdictOf({ ...memory, pending: fresh }, reading, undefined, !pending);
  }
  const looks = pending.looks + 1;
  const keys = [...stays.added, ...stays.removed].map(({ key }) => key);
  const isFlicker = keys.every((key) => (memory.recent[key] ?? -Infinity) > now - settleMs);
  const isSettled = now - pending.since >= settleMs;
  // Readers of pages sometimes leave a unit out, so what only vanishes has to do so at the next usual look too.
  const isGone = stays.added.length === 0;
  const isSure = isFlicker || isDoubtful ? isSettled : looks >= confirmations + (isGone ? 1 : 0);
  const noted = isFlicker || isSure ? noteRecent(memory.recent, keys, now) : memory.recent;
  if (!isSure) {
    const more = { ...keysOf(stays), since: pending.since, looks };
    const soon = !isFlicker && !isDoubtful && !isGone;
    return verdictOf({ ...memory, recent: noted, pending: more }, reading, undefined, soon);
  }
  const rest = delta.added.length + delta.removed.length > keys.length;
  const isPart = rest && !reading.value && !reading.items;
  const known = isPart ? patch(memory.known, stays) : reading;
  const lookedAt = isPart ? memory.lookedAt : now;
  const unsure = new Set(delta.added.flatMap(({ key }) => (keys.includes(key) ? [] : [key])));
  const seen = seenWith(memory.seen, reading.items?.filter(({ key }) => !unsure.has(key)) ?? []);
  const told = wantedPart(watch, memory.known, reading, stays);
  const notice = told && wordNotice(watch, told, memory.known, reading);
  return verdictOf({ ...memory, lookedAt, recent: noted, seen, known, pending: undefined }, reading, notice);
}

function verdictOf(
  memory: WatchMemory,
  { value, units, items }: WatchedReading,
  notice?: PageNotice,
  isPending = false,
): PageVerdict {
  const shown =
    value?.text ?? (items ? formatCount(items.length, 'item') : markdownToPlainText(units[0] ?? ''));
  return { state: JSON.stringify(memory), notice, isPending, shown: shorten(shown, 120) };
}

const keysOf = ({ added, removed }: WatchDelta) => ({
  added: added.map(({ way, key }) => way ?? key),
  removed: removed.map(({ key }) => key),
});

/** The part of a change that the look before has seen too. A part that goes on changing is not in it. */
function intersect(pending: PendingChange, delta: WatchDelta): WatchDelta {
  const [before, gone] = [new Set(pending.added), new Set(pending.removed)];
  const added = delta.added.filter(({ way, key }) => before.has(way ?? key));
  const removed = delta.removed.filter(({ key }) => gone.has(key));
  // What goes on changing has taken the place of something that is gone.
  const moving = delta.added.length - added.length;
  return { added, removed: moving > 0 && removed.length <= moving ? [] : removed };
}

function noteRecent(recent: WatchMemory['recent'], keys: readonly string[], now: number) {
  const all = { ...recent, ...Object.fromEntries(keys.map((key) => [key, now])) };
  return Object.fromEntries(
    Object.entries(all)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_RECENT),
  );
}

function seenWith(seen: WatchMemory['seen'], items: readonly WatchedItem[]): WatchMemory['seen'] {
  const shown = new Map(items.map(({ key, titleKey }) => [key, titleKey]));
  const past = Object.entries(seen).filter(([key]) => !shown.has(key));
  return Object.fromEntries([...past, ...shown].slice(-MAX_SEEN));
}

const partsOf = ({ parts, units }: WatchedReading): readonly string[] => parts ?? units;

function isReplaced(known: WatchedReading, now: WatchedReading): boolean {
  const there = new Set(listMeanings(now.units, now).map(({ skeleton }) => skeleton));
  const old = listMeanings(known.units, known);
  const [least, share] = now.doubts
    ? [MIN_DOUBTFUL_UNITS, REPLACED_BY_DOUBTFUL]
    : [MIN_REPLACED_UNITS, REPLACED];
  const gone = old.filter(({ skeleton }) => !there.has(skeleton)).length;
  return old.length >= least && gone >= share * old.length;
}

function findDelta(watch: PlainWatch, memory: WatchMemory, reading: WatchedReading, now: number): WatchDelta {
  const { known, seen, lookedAt } = memory;
  if (reading.items) return { added: newItems(reading.items, known.items ?? [], seen), removed: [] };
  const { value } = reading;
  if (!value) {
    return compareUnits(
      listMeanings(partsOf(known), known),
      listMeanings(partsOf(reading), reading),
      lookedAt,
      now,
    );
  }
  const old = known.value;
  if (old && !isMove(watch, old, value)) return { added: [], removed: [] };
  const way = isOfMoves(watch) && old ? (value.number ?? 0) < (old.number ?? 0) : undefined;
  return { added: [{ ...value, way: way?.toString() }], removed: old ? [old] : [] };
}

/** An item is known by its address. One that takes the place of another with its title has moved. */
function newItems(items: readonly WatchedItem[], known: readonly WatchedItem[], seen: WatchMemory['seen']) {
  const here = new Set(items.map(({ key }) => key));
  const gone = known.filter(({ key }) => !here.has(key)).map(({ titleKey }) => titleKey);
  return items.filter(({ key, titleKey }) => {
    if (Object.hasOwn(seen, key)) return false;
    const at = gone.indexOf(titleKey);
    if (at >= 0) gone.splice(at, 1);
    return at < 0;
  });
}

function compareUnits(
  old: readonly UnitMeaning[],
  now: readonly UnitMeaning[],
  lookedAt: number,
  at: number,
): WatchDelta {
  const left = Map.groupBy(old, ({ skeleton }) => skeleton);
  const added: UnitMeaning[] = [];
  for (const unit of now) {
    const alike = left.get(unit.skeleton) ?? [];
    const exact = alike.findIndex(({ key }) => key === unit.key);
    const same = exact >= 0 ? exact : alike.findIndex((one) => isSameMeaning(one, unit, lookedAt, at));
    if (same >= 0) alike.splice(same, 1);
    else added.push(unit);
  }
  return { added, removed: [...left.values()].flat() };
}

const isOfMoves = ({ is }: PlainWatch): boolean => is === 'falls' || is === 'rises' || is === 'moves';

/** Says whether a number has moved as far as is watched. Moves the other way count, as a new start. */
function isMove(watch: PlainWatch, old: WatchedThing, now: WatchedThing): boolean {
  const { is, value = 0, percent } = watch;
  if (old.key === now.key) return false;
  const [a, b] = [old.number, now.number];
  if (a === undefined || b === undefined || !isOfMoves(watch)) return true;
  const isBack = (is === 'falls' && b > a) || (is === 'rises' && b < a);
  return isBack || Math.abs(b - a) >= (percent ? (Math.abs(a) * value) / 100 : value) - 1e-9;
}

/** The part of a change that the condition asks for. */
function wantedPart(
  watch: PlainWatch,
  known: WatchedReading,
  now: WatchedReading,
  delta: WatchDelta,
): WatchDelta | undefined {
  const { is, words = [], without = [] } = watch;
  if (now.value) {
    if (now.value.key === UNMET) return undefined;
    const [a = 0, b = 0] = [known.value?.number, now.value.number];
    return (is === 'falls' && b > a) || (is === 'rises' && b < a) ? undefined : delta;
  }
  if (!now.items) return delta;
  const has = (text: string, list: readonly string[]) =>
    list.some((word) => text.toLowerCase().includes(word.toLowerCase()));
  const added = delta.added.filter(
    ({ text }) => (words.length === 0 || has(text, words)) && !has(text, without),
  );
  return added.length > 0 ? { added, removed: [] } : undefined;
}

/** Takes a change into what is known, where other parts of the page still move. */
function patch(known: WatchedReading, { added, removed }: WatchDelta): WatchedReading {
  const gone = new Set(removed.map(({ key }) => key));
  const meanings = listMeanings(partsOf(known), known);
  const kept = partsOf(known).filter((_, at) => !gone.has(meanings[at]?.key ?? ''));
  const parts = [...kept, ...added.map(({ text }) => text)];
  return known.parts ? { ...known, parts } : { ...known, units: parts };
}

const [MAX_SHOWN, MAX_QUOTED, MAX_LISTED] = [600, 120, 5];

function wordNotice(
  watch: PlainWatch,
  { added, removed }: WatchDelta,
  known: WatchedReading,
  now: WatchedReading,
): PageNotice {
  if (now.items) {
    const titles = added.map(({ text }) => text);
    const title = `${titles.length === 1 ? 'new' : `${titles.length} new items`}: ${titles.slice(0, MAX_LISTED).map(quote).join(', ')}`;
    return { title, before: '', after: shorten(titles.join('\n'), MAX_SHOWN) };
  }
  if (now.value) return wordValue(watch, known.value ?? now.value, now.value, known);
  const texts = (things: readonly WatchedThing[]) => things.map(({ text }) => text).join('\n\n');
  const limits = { most: MAX_LISTED, chars: 10 * MAX_SHOWN };
  const { list, ...counts } = comparePages(texts(removed), texts(added), limits);
  const [first] = list.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind));
  const more = counts.added + counts.removed + counts.changed - 1;
  const [before, after] =
    first?.kind === 'removed' ? [first.text, ''] : [first?.before ?? '', first?.text ?? ''];
  const what =
    first?.kind === 'changed'
      ? `${quote(before)} became ${quote(after)}`
      : `${after ? 'new' : 'gone'}: ${quote(after || before)}`;
  const title = more > 0 ? `${what}, and ${formatCount(more, 'more change')}` : what;
  const all = (side: (change: (typeof list)[number]) => string | undefined) =>
    shorten(list.map(side).filter(Boolean).join('\n'), MAX_SHOWN);
  return {
    title,
    before: all((change) => (change.kind === 'removed' ? change.text : change.before)),
    after: all((change) => (change.kind === 'removed' ? '' : change.text)),
  };
}

const rankOf = (kind: string): number => ['changed', 'added', 'removed'].indexOf(kind);

function wordValue(
  { is, words = [], value = 0, of: name, ...more }: PlainWatch,
  old: WatchedThing,
  now: WatchedThing,
  known: WatchedReading,
): PageNotice {
  const isPrice = more.what === 'price' || more.currency !== undefined;
  const kind = isPrice ? 'the price' : 'the number';
  const what = name === undefined ? kind : `${kind} ${isPrice ? 'of' : 'beside'} ${quote(name)}`;
  const before = old.text || (known.value?.text ?? '');
  const sides = { before: shorten(before, MAX_SHOWN), after: shorten(now.text, MAX_SHOWN) };
  const list = words.map(quote).join(' or ');
  const titles: Readonly<Record<string, string>> = {
    appears: `${list} appears: ${quote(now.text)}`,
    disappears: `${list} is gone${before ? `; it said ${quote(before)}` : ''}`,
    in_stock: `it is in stock: ${quote(now.text)}`,
    out_of_stock: `it is not in stock: ${quote(now.text)}`,
    below: `${what} is below ${value}: ${now.text}${before ? `, and was ${before}` : ''}`,
    above: `${what} is above ${value}: ${now.text}${before ? `, and was ${before}` : ''}`,
  };
  const verb = (now.number ?? 0) < (old.number ?? 0) ? 'fell' : 'rose';
  return { title: titles[is] ?? `${what} ${verb} from ${before} to ${now.text}`, ...sides };
}

const quote = (text: string): string => `“${shorten(markdownToPlainText(text), MAX_QUOTED)}”`;

function shorten(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${takeCharacters(text, most - 1)}…`;
}
