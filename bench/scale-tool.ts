import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIndexThread } from '../src/knowledge/indexes/index-thread.ts';
import { createKnowledge } from '../src/knowledge/knowledge.ts';
import { createVectorIndexes } from '../src/knowledge/ranking/indexes.ts';
import type { OwnerIndex } from '../src/knowledge/ranking/vector-index.ts';
import { createEntryStore } from '../src/knowledge/stores/entry-store.ts';
import { createLog } from '../src/log.ts';
import { openDatabase } from '../src/storage/sqlite.ts';
import { median } from './figures.ts';
import { DIMENSIONS, passageTexts, questionFrom, standInEmbedder, vectorsOf } from './kb-data.ts';
import { exact, NEAREST } from './kb-fill.ts';
import { numbers } from './local-texts.ts';

/** One start of the room over a filled data folder (`scale.ts`); sends a Measured and ends. */
export interface Measured {
  readonly kind: string;
  readonly first: Asked & { readonly megabytes: number };
  /** Seconds of processor time until the index was kept. */
  readonly ready: number;
  readonly queries: readonly Asked[];
  /** Milliseconds of processor time. */
  readonly words: readonly number[];
  readonly vectors: readonly number[];
  readonly recall: number;
  /** Milliseconds of processor time of the main thread between two ticks of a timer, at most. */
  readonly turn: number;
  readonly megabytes: number;
  /** Milliseconds of a bare read of the index's file, and of a copy of as many bytes as a search reads. */
  readonly readMs: number;
  readonly copyMs: number;
}

interface Asked {
  readonly ms: number;
  readonly cpuMs: number;
  readonly wordsOnly: string | undefined;
}

const QUESTIONS = 100;
const RECALLED = 30;
const READY_MS = 1_800_000;
const OWNER = 'ann';
const signal = new AbortController().signal;

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const [folder = '', mode] = process.argv.slice(2);
const indexFolder = join(folder, 'indexes');
const started = process.cpuUsage();
const db = await openDatabase({ folder });
const store = createEntryStore(db);
const thread = createIndexThread();
const embedder = standInEmbedder();
let opened: OwnerIndex | undefined;
const openIndex: typeof thread.open = async (options, path) => {
  opened = await thread.open(options, path);
  return opened;
};
const log = createLog('warn');
const knowledge = createKnowledge({ store, embedder, openIndex, indexFolder, log });

async function ask(question: string): Promise<Asked> {
  let wordsOnly: string | undefined;
  const began = performance.now();
  const onWordsOnly = (why: string) => {
    wordsOnly = why;
  };
  const cpuMs = await cpuOf(() => knowledge.findPassages(OWNER, question, { onWordsOnly }, signal));
  return { ms: performance.now() - began, cpuMs, wordsOnly: wordsOnly && `answered by words (${wordsOnly})` };
}

/** Gives the longest turn since the call. */
function watchTurns(): () => number {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

const next = passageTexts();
const random = numbers(3);
const questions = Array.from({ length: QUESTIONS }, () => questionFrom(next(), random));
const turns = watchTurns();
const first = { ...(await ask(questions[0] ?? '')), megabytes: process.memoryUsage.rss() / 1e6 };
const kept = () => {
  try {
    return readdirSync(indexFolder).some((name) => /\.(bits|graph)$/.test(name));
  } catch {
    return false;
  }
};
// Small ones are kept in no file.
const { searched } = await store.readStanding(OWNER, embedder.name);
for (let waited = 0; waited < READY_MS && searched > 30_000 && !kept(); waited += 500) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  await knowledge.findPassages(OWNER, questions[1] ?? '', {}, signal);
}
const spent = process.cpuUsage(started);
const ready = (spent.user + spent.system) / 1e6;

const queries: Asked[] = [];
const words: number[] = [];
const vectors: number[] = [];
let recall = Number.NaN;
if (mode === 'open') {
  const near = createVectorIndexes({ store, open: thread.open, embedder, log, folder: indexFolder });
  const vector = vectorsOf(11);
  const asked = Array.from({ length: RECALLED }, vector);
  for (const one of asked) await near.findNearest(OWNER, one, NEAREST, undefined, signal);
  for (const question of questions) {
    queries.push(await ask(question));
    words.push(await cpuOf(() => store.findByWords(OWNER, question, 400)));
    const one = vector();
    vectors.push(await cpuOf(() => near.findNearest(OWNER, one, 100, undefined, signal)));
  }
  const megabytes = process.memoryUsage.rss() / 1e6;
  const turn = turns();
  let hits = 0;
  for (const [i, right] of (await exact(store, asked)).entries()) {
    const found = (await near.findNearest(OWNER, asked[i] ?? vector(), 100, undefined, signal)) ?? [];
    const best = new Set(found.slice(0, NEAREST).map(({ place }) => place));
    hits += right.filter((place) => best.has(place)).length;
  }
  recall = hits / (RECALLED * NEAREST);
  await near.close();
  finish(megabytes, turn);
} else finish(process.memoryUsage.rss() / 1e6, turns());

function finish(megabytes: number, turn: number): void {
  const readMs = timesOf(() => {
    for (const name of kept() ? readdirSync(indexFolder) : []) readFileSync(join(indexFolder, name));
  });
  const bytes = new Uint8Array(opened?.kind === 'bits' ? opened.bytes : searched * DIMENSIONS * 4);
  const target = new Uint8Array(bytes.length);
  const copyMs = timesOf(() => target.set(bytes));
  const kind = opened?.kind ?? 'from rows';
  process.send?.({
    kind,
    first,
    ready,
    queries,
    words,
    vectors,
    recall,
    megabytes,
    turn,
    readMs,
    copyMs,
  } satisfies Measured);
}

function timesOf(work: () => void): number {
  return median(
    Array.from({ length: 5 }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    }),
  );
}

await knowledge.close();
await thread.close();
db.close();
process.disconnect();
