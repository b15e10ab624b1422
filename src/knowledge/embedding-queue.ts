import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { embeddedText } from './chunk.ts';
import type { Embedder } from './embedder.ts';
import type { EntryStore, Unembedded } from './store.ts';
import { checkVector } from './vector-index.ts';

export interface EmbeddingQueueOptions {
  readonly store: EntryStore;
  readonly embedder: Embedder;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds between looks for what other processes, or a killed one, left; default 30,000. */
  readonly lookMs?: number;
  /** Milliseconds of the first pause after a failure; default 1,000. */
  readonly pauseMs?: number;
}

export interface EmbeddingQueue {
  /** The owner has passages without a vector. */
  addOwner(owner: string): void;
  /** Knowledge.settle(). */
  waitForVectors(most: number, signal: AbortSignal, told?: (embedded: number) => void): Promise<void>;
  close(): Promise<void>;
}

/** Passages that are embedded at once, and of one owner where others wait: what is embedded in about 0.3 s. */
const BATCH = 128;
const SHARE = 8;
const LOOK_MS = 30_000;
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const EMBED_MS = 120_000;
/** Times that the embedder refuses one text, and takes others, before the text goes without a vector. */
const REFUSALS = 3;
/** Owners remembered as waiting; the others are found when the line is empty. */
const OWNERS = 10_000;

interface Share {
  readonly owner: string;
  readonly passages: readonly Unembedded[];
}

/**
 * Gives passages their vectors in the background, owners in turn. What waits stands in the store, not here: a
 * killed process loses nothing, and a new model finds everything waiting.
 */
export function createEmbeddingQueue(options: EmbeddingQueueOptions): EmbeddingQueue {
  const { store, embedder, log, lookMs = LOOK_MS, pauseMs = PAUSE_MS } = options;
  const line = new Set<string>();
  const closing = new AbortController();
  let size = BATCH;
  let failures = 0;
  let unreadable = false;
  let running: Promise<void> | undefined;
  /** The passage that the embedder refused last when it was alone, and how often in a row. */
  let refused = { owner: '', place: 0, times: 0 };
  /** Passages that have got their vectors from this process. */
  let given = 0;
  /** Resolves at the next batch that is done or has failed. */
  let step = Promise.withResolvers<void>();

  function stepped(): void {
    step.resolve();
    step = Promise.withResolvers();
  }

  /** A batch of several owners, each with a share; who has more goes to the end of the line. */
  async function take(): Promise<Share[]> {
    const shares: Share[] = [];
    for (let room = size; room > 0 && line.size > 0; ) {
      const [owner = ''] = line;
      line.delete(owner);
      const most =
        line.size === 0 ? room : Math.min(room, Math.max(SHARE, Math.floor(size / (line.size + 1))));
      const passages = await unembedded(owner, most);
      if (passages.length === 0) continue;
      shares.push({ owner, passages });
      room -= passages.length;
    }
    return shares;
  }

  /** An owner whose rows cannot be read keeps no other waiting. */
  async function unembedded(owner: string, most: number): Promise<Unembedded[]> {
    try {
      return await store.listUnembedded(owner, embedder.name, most);
    } catch (error) {
      if (!unreadable && !closing.signal.aborted) {
        log.warn({ err: error }, 'passages wait for their vectors: they cannot be read');
      }
      unreadable = true;
      return [];
    }
  }

  async function embed(texts: readonly string[]): Promise<Float32Array[]> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(EMBED_MS)]);
    const vectors = await embedder.embed(texts, 'passage', signal);
    if (vectors.length !== texts.length) {
      throw new RangeError(`${embedder.name} gave ${vectors.length} vectors for ${texts.length} texts`);
    }
    return vectors.map((vector) => checkVector(vector, embedder.dimensions));
  }

  async function keep(shares: readonly Share[], vectors: readonly Float32Array[]): Promise<void> {
    let at = 0;
    for (const { owner, passages } of shares) {
      const placed = passages.flatMap(({ place }) => {
        const vector = vectors[at++];
        return vector ? [{ place, vector }] : [];
      });
      await store.putVectors(owner, embedder.name, (passages.at(-1)?.place ?? 0) + 1, placed);
      line.add(owner);
    }
  }

  /** Whether the failing batch is one text that the model does not take; then it goes without a vector. */
  async function skipped(shares: readonly Share[], error: unknown): Promise<boolean> {
    const [share] = shares;
    const [one] = share?.passages ?? [];
    if (!share || !one || shares.length > 1 || share.passages.length > 1) return false;
    // A connection that breaks once says nothing of the text.
    const again = refused.owner === share.owner && refused.place === one.place;
    refused = { owner: share.owner, place: one.place, times: again ? refused.times + 1 : 1 };
    if (refused.times < REFUSALS) return false;
    try {
      await embed(['magpie']);
    } catch {
      return false;
    }
    log.warn({ err: error }, 'a passage is found by its words only: the embedder does not take it');
    await keep(shares, []);
    return true;
  }

  /** `vectors` when there were some: then it is the store that failed, and no text is to blame. */
  async function fail(
    shares: readonly Share[],
    error: unknown,
    vectors: readonly Float32Array[] | undefined,
  ): Promise<void> {
    for (const { owner } of shares) line.add(owner);
    if (closing.signal.aborted) return;
    const smaller = size > 1 && shares.reduce((sum, { passages }) => sum + passages.length, 0) > 1;
    if (smaller) size = Math.max(1, Math.floor(size / 8));
    else if (!vectors && (await skipped(shares, error))) return;
    if (failures++ === 0)
      log.warn({ err: error }, 'passages wait for their vectors; they are found by their words');
    stepped();
    const pause = Math.min(pauseMs * 2 ** Math.min(failures - 1, 10), LONGEST_PAUSE_MS);
    await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const shares = await take();
      if (shares.length === 0) return;
      let vectors: Float32Array[] | undefined;
      try {
        vectors = await embed(shares.flatMap(({ passages }) => passages.map(embeddedText)));
        await keep(shares, vectors);
        if (failures > 0) log.info('passages get their vectors again');
        failures = 0;
        size = Math.min(BATCH, size * 2);
        given += shares.reduce((sum, { passages }) => sum + passages.length, 0);
        stepped();
        // Neither the store nor every embedder waits for anything.
        await new Promise(setImmediate);
      } catch (error) {
        await fail(shares, error, vectors);
      }
    }
  }

  function start(): void {
    if (closing.signal.aborted) return;
    running ??= run()
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.warn({ err: error }, 'passages wait for their vectors');
      })
      .finally(() => {
        running = undefined;
      });
  }

  async function look(): Promise<void> {
    try {
      for (const owner of await store.listWaitingOwners(embedder.name)) line.add(owner);
      while (!closing.signal.aborted && (await store.tendModels(embedder.name))) {
        await new Promise(setImmediate);
      }
      await store.cleanUp(closing.signal);
    } catch (error) {
      if (!unreadable && !closing.signal.aborted) {
        log.warn({ err: error }, 'it cannot be seen which passages wait for their vectors');
      }
      unreadable = true;
    }
    if (line.size > 0) start();
  }

  let looking: Promise<void> = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookMs);
  timer.unref();

  return {
    addOwner(owner) {
      if (line.size < OWNERS) line.add(owner);
      start();
    },
    async waitForVectors(most, signal, told) {
      const before = given;
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => end(), { once: true });
      await Promise.race([looking, over]);
      while (running && given - before < most && failures === 0 && !signal.aborted) {
        await Promise.race([running, step.promise, over]);
        told?.(given - before);
      }
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      await looking;
      await running;
    },
  };
}
