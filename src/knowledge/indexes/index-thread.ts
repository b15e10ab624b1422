import { Worker } from 'node:worker_threads';
import { withDeadline } from '../../lib/concurrency/deadline.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { exitWithoutStoppingThreads } from '../embedders/native-gate.ts';
import {
  createPassageNumberSet,
  isPassageNumberSet,
  type PassageNumberSet,
} from '../ranking/passage-number-set.ts';
import {
  checkVector,
  type GrowingIndexOptions,
  type IndexSyncState,
  type OpenVectorIndex,
  type OwnerIndex,
  type PlacedVectors,
  type VectorEntry,
} from '../ranking/vector-index.ts';
import type {
  IndexThreadAnswer,
  IndexThreadMessage,
  IndexThreadRequest,
  VectorIndexState,
} from './index-messages.ts';

/** Maximum time for the thread to end. Writing a large graph takes a second. */
const END_MS = 2000;
const VECTORS_AT_ONCE = 500;

interface IndexWorker {
  readonly worker: Worker;
  readonly waiting: Map<number, PromiseWithResolvers<IndexThreadAnswer>>;
  ended: boolean;
  end(): Promise<void>;
}

export function createIndexThread(): { readonly open: OpenVectorIndex; close(): Promise<void> } {
  let running: IndexWorker | undefined;
  let closed = false;
  let keys = 0;

  return {
    async open(options, path) {
      if (closed) throw new Error('the indexes are closed');
      if (!running || running.ended) running = start();
      const thread = running;
      const key = ++keys;
      const ask = (request: IndexThreadRequest, transfer: readonly ArrayBuffer[] = []) =>
        send(thread, { ...request, key }, transfer);
      const { ids = [], state, followed } = await ask({ do: 'open', options, path });
      return createThreadIndex({
        options,
        ask,
        ids: createPassageNumberSet(ids),
        state,
        followed,
        ended: () => thread.ended,
      });
    },
    async close() {
      closed = true;
      await running?.end();
    },
  };
}

function start(): IndexWorker {
  const worker = new Worker(moduleUrl('./index-worker.ts', import.meta.url));
  const gone = Promise.withResolvers<void>();
  let ending = false;
  const running: IndexWorker = {
    worker,
    waiting: new Map(),
    ended: false,
    async end() {
      if (ending || running.ended) return;
      ending = true;
      running.ended = true;
      worker.ref();
      worker.postMessage(null);
      const { signal } = new AbortController();
      await withDeadline(signal, END_MS, () => gone.promise).catch((error: Error) => {
        worker.unref();
        end(error);
      });
    },
  };
  const onExit = (code: number) => {
    if (ending || running.waiting.size > 0) exitWithoutStoppingThreads(code);
  };
  process.on('exit', onExit);
  worker.unref();
  worker.on('message', (answer: IndexThreadAnswer) => {
    if (ending) return;
    const waiting = running.waiting.get(answer.number);
    running.waiting.delete(answer.number);
    if (running.waiting.size === 0) worker.unref();
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(answer.error));
  });
  const end = (error: Error) => {
    running.ended = true;
    for (const { reject } of running.waiting.values()) reject(error);
    running.waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', () => {
    process.off('exit', onExit);
    end(new Error('the thread of the indexes has ended'));
    gone.resolve();
  });
  return running;
}

let numbers = 0;

function send(
  { worker, waiting, ended }: IndexWorker,
  request: IndexThreadRequest & { readonly key: number },
  transfer: readonly ArrayBuffer[],
): Promise<IndexThreadAnswer> {
  if (ended) return Promise.reject(new Error('the thread of the indexes has ended'));
  const number = ++numbers;
  const answer = Promise.withResolvers<IndexThreadAnswer>();
  waiting.set(number, answer);
  worker.ref();
  worker.postMessage({ ...request, number } satisfies IndexThreadMessage, transfer);
  return answer.promise;
}

interface ThreadIndexParts {
  readonly options: GrowingIndexOptions;
  readonly ask: (
    request: IndexThreadRequest,
    transfer?: readonly ArrayBuffer[],
  ) => Promise<IndexThreadAnswer>;
  readonly ids: PassageNumberSet;
  readonly state: VectorIndexState | undefined;
  readonly followed: IndexSyncState | undefined;
  readonly ended: () => boolean;
}

function createThreadIndex({ options, ask, ids, ended, followed, ...parts }: ThreadIndexParts): OwnerIndex {
  const { dimensions } = options;
  let state: VectorIndexState = parts.state ?? { kind: 'exact', bytes: 0 };
  let removed: number[] = [];

  async function request(
    what: IndexThreadRequest,
    transfer?: readonly ArrayBuffer[],
  ): Promise<IndexThreadAnswer> {
    sendRemoved();
    const answer = await ask(what, transfer);
    state = answer.state ?? state;
    return answer;
  }

  async function add(batch: readonly VectorEntry[], last: boolean): Promise<void> {
    const vectors = new Float32Array(batch.length * dimensions);
    for (const [at, [, vector]] of batch.entries()) vectors.set(vector, at * dimensions);
    const added = Float64Array.from(batch, ([id]) => id);
    await request({ do: 'add', ids: added, vectors, last }, [vectors.buffer]);
    for (const [id] of batch) ids.add(id);
  }

  function sendRemoved(): void {
    if (removed.length === 0) return;
    const gone = Float64Array.from(removed);
    removed = [];
    ask({ do: 'remove', ids: gone }).catch(() => {});
  }

  return {
    followed,
    get kind() {
      return state.kind;
    },
    get bytes() {
      return state.bytes;
    },
    get size() {
      return ids.size;
    },
    get ended() {
      return ended();
    },
    has: (id) => ids.has(id),
    ids: () => ids,
    remove(id) {
      if (!ids.delete(id)) return false;
      if (removed.push(id) === 1) queueMicrotask(sendRemoved);
      return true;
    },
    async findNearest(vector, count, allowed, except) {
      const query = Float32Array.from(checkVector(vector, dimensions));
      const only = allowed && (isPassageNumberSet(allowed) ? allowed : createPassageNumberSet(allowed)).pages;
      const found = await request({ do: 'find', vector: query, count, allowed: only, except }, [
        query.buffer,
      ]);
      const similarities = found.similarities ?? new Float64Array();
      return Array.from(found.ids ?? [], (id, at) => ({ id, similarity: similarities[at] ?? 0 }));
    },
    async addMany(vectors: PlacedVectors, signal) {
      let batch: VectorEntry[] = [];
      try {
        for await (const [id, vector] of vectors) {
          signal.throwIfAborted();
          batch.push([id, checkVector(vector, dimensions)]);
          if (batch.length < VECTORS_AT_ONCE) continue;
          await add(batch, false);
          batch = [];
        }
      } catch (error) {
        await add([], true).catch(() => {});
        throw error;
      }
      await add(batch, true);
    },
    async settled() {
      await request({ do: 'settle' });
    },
    save: async (path, marks) => (await request({ do: 'save', path, followed: marks })).saved === true,
    close: () => void request({ do: 'close' }).catch(() => {}),
  };
}
