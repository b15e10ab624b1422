import { tooLargeError } from '../../errors.ts';
import { normalizeOptionalCollection } from '../../lib/collection.ts';
import { runInTimeSlices } from '../../lib/concurrency/time-slices.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { QueryModels } from '../embedding/query-models.ts';
import { dotProduct } from '../ranking/smooth-by-neighbours.ts';
import type { EntryStore } from '../store.ts';
import type { DuplicateEntries, DuplicateGroup, DuplicatesOptions, KnowledgeEntry } from '../types.ts';
import { computeTextSketch, estimateTextSimilarity, type TextSketch } from './text-sketch.ts';

/** Texts are duplicates from this similarity of words on (0 to 1). From MAYBE_LIKENESS on, vectors decide. */
const SAME_LIKENESS = 0.8;
const MAYBE_LIKENESS = 0.5;
/** Minimum similarity of the vectors of duplicates, on a scale from 0 (unrelated) to 1 (equal). */
const SAME_CLOSENESS = 0.85;
const UNRELATED = 0.1;
const MAX_ENTRIES = 200_000;
const READ_AT_ONCE = 100;
const PROGRESS_ENTRIES = 1000;
/** To save time, an entry is compared only with 8 earlier entries for each of its 6 smallest hashes. */
const LISTED_HASHES = 6;
const COMPARED_BEFORE = 8;
const MAX_MAYBE = 20_000;
const VECTORS_AT_ONCE = 250;
const SHOWN_CHARS = 200;

interface SketchedEntry {
  readonly shown: DuplicateGroup['entries'][number];
  readonly sketch: TextSketch;
}

interface EntryPair {
  readonly a: number;
  readonly b: number;
  readonly score: number;
}

export interface DuplicatesParts {
  readonly store: Pick<EntryStore, 'listEntries' | 'listFirstPlaces' | 'readVectors'>;
  readonly models: Pick<QueryModels, 'chooseModel'>;
}

export async function findDuplicates(
  { store, models }: DuplicatesParts,
  owner: string,
  { collection, signal, progress }: DuplicatesOptions,
): Promise<DuplicateEntries> {
  const entries = await readSketches(store, owner, {
    collection: normalizeOptionalCollection(collection),
    signal,
    progress,
  });
  const groups = createGroups(entries.length);
  const maybe = await runInTimeSlices(compareAll(entries, groups));
  const open = maybe.filter(({ a, b }) => groups.rootOf(a) !== groups.rootOf(b));
  for (let at = 0; at < open.length && !signal.aborted; at += VECTORS_AT_ONCE) {
    const some = open.slice(at, at + VECTORS_AT_ONCE);
    for (const pair of await confirmed({ store, models }, owner, entries, some)) groups.join(pair);
  }
  return { compared: entries.length, groups: await runInTimeSlices(listDuplicateGroups(entries, groups)) };
}

async function readSketches(
  store: DuplicatesParts['store'],
  owner: string,
  { collection, signal, progress }: DuplicatesOptions,
): Promise<SketchedEntry[]> {
  const entries: SketchedEntry[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    if (signal.aborted) return entries;
    const page = await store.listEntries(owner, READ_AT_ONCE, 'oldest', cursor, { collection });
    if (entries.length + page.entries.length > MAX_ENTRIES) {
      throw tooLargeError(`there are over ${MAX_ENTRIES} entries: name a collection`);
    }
    const steps = function* () {
      for (const entry of page.entries) {
        entries.push({ shown: shownOf(entry), sketch: computeTextSketch(entry.text) });
        yield;
      }
    };
    await runInTimeSlices(steps());
    if (entries.length % PROGRESS_ENTRIES === 0)
      progress(`${formatCount(entries.length, 'entry', 'entries')} read`);
    cursor = page.next;
  }
  return entries;
}

function shownOf({ id, title, text, collection, key, createdAt }: KnowledgeEntry): SketchedEntry['shown'] {
  return { id, title, text: takeCharacters(text, SHOWN_CHARS), collection, key, createdAt };
}

function* compareAll(entries: readonly SketchedEntry[], groups: Groups): Generator<undefined, EntryPair[]> {
  const lists = new Map<number, number[]>();
  const maybe = new Map<number, EntryPair>();
  const compare = (a: number, b: number) => {
    const [one, other] = [entries[a], entries[b]];
    if (!one || !other || one.shown.collection !== other.shown.collection) return;
    if (groups.rootOf(a) === groups.rootOf(b)) return;
    const score = estimateTextSimilarity(one.sketch, other.sketch);
    if (score >= SAME_LIKENESS) groups.join({ a, b, score });
    else if (score >= MAYBE_LIKENESS && maybe.size < MAX_MAYBE)
      maybe.set(a * MAX_ENTRIES + b, { a, b, score });
  };
  for (const [a, { sketch }] of entries.entries()) {
    yield;
    for (const hash of sketch.subarray(0, LISTED_HASHES)) {
      const list = lists.get(hash) ?? [];
      lists.set(hash, list);
      for (const b of list.slice(-COMPARED_BEFORE)) compare(a, b);
      list.push(a);
    }
  }
  return [...maybe.values()];
}

async function confirmed(
  { store, models }: DuplicatesParts,
  owner: string,
  entries: readonly SketchedEntry[],
  pairs: readonly EntryPair[],
): Promise<EntryPair[]> {
  const embedder = (await models.chooseModel(owner))?.embedder;
  if (!embedder) return [];
  const idOf = (at: number) => entries[at]?.shown.id ?? '';
  const ids = [...new Set(pairs.flatMap(({ a, b }) => [idOf(a), idOf(b)]))];
  const places = await store.listFirstPlaces(owner, ids);
  const vectors = await store.readVectors(owner, embedder.name, [...places.values()]);
  const vectorOf = (at: number) => vectors.get(places.get(idOf(at)) ?? -1);
  const { unrelated } = embedder.scale ?? { unrelated: UNRELATED };
  const bar = unrelated + SAME_CLOSENESS * (1 - unrelated);
  return pairs.filter(({ a, b }) => {
    const [one, other] = [vectorOf(a), vectorOf(b)];
    return one !== undefined && other !== undefined && dotProduct(one, other) >= bar;
  });
}

type Groups = ReturnType<typeof createGroups>;

function createGroups(count: number) {
  const parents = Uint32Array.from({ length: count }, (_, at) => at);
  const scores = new Float32Array(count).fill(1);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] ?? root;
    parents[at] = root;
    return root;
  };
  return {
    rootOf,
    scoreOf: (root: number) => scores[root] ?? 0,
    join({ a, b, score }: EntryPair): void {
      const [one, other] = [rootOf(a), rootOf(b)];
      if (one === other) return;
      const [root, child] = [Math.min(one, other), Math.max(one, other)];
      parents[child] = root;
      scores[root] = Math.min(score, scores[one] ?? 1, scores[other] ?? 1);
    },
  };
}

export function* listDuplicateGroups(
  entries: readonly Pick<SketchedEntry, 'shown'>[],
  groups: Pick<Groups, 'rootOf' | 'scoreOf'>,
): Generator<undefined, DuplicateGroup[]> {
  const members = new Map<number, { keyed: Member[]; others: Member[] }>();
  for (const [at, { shown }] of entries.entries()) {
    const root = groups.rootOf(at);
    const group = members.get(root) ?? { keyed: [], others: [] };
    members.set(root, group);
    (shown.key === '' ? group.others : group.keyed).push(shown);
    yield;
  }
  const byScore = new Map<number, DuplicateGroup[]>();
  for (const [root, { keyed, others }] of members) {
    if (keyed.length + others.length < 2) continue;
    const score = Math.round(groups.scoreOf(root) * 100) / 100;
    const group = { score, entries: keyed.concat(others) };
    const same = byScore.get(score);
    if (same) same.push(group);
    else byScore.set(score, [group]);
    yield;
  }
  return [...byScore].sort(([a], [b]) => b - a).flatMap(([, same]) => same);
}

type Member = DuplicateGroup['entries'][number];
