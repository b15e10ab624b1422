import { parentPort } from 'node:worker_threads';
import { restorePassageNumberSet } from '../ranking/passage-number-set.ts';
import type { GrowingIndex } from '../ranking/vector-index.ts';
import { openGrowingIndex } from './growing.ts';
import type { IndexThreadAnswer, IndexThreadMessage } from './index-messages.ts';

/** Entry point of the index thread. A null message ends it, because terminating it may crash the process. */

const indexes = new Map<number, GrowingIndex>();
const stop = new AbortController();
const { signal } = stop;

function indexOf(key: number): GrowingIndex {
  const index = indexes.get(key);
  if (!index) throw new Error('the index is closed');
  return index;
}

async function answerOf(message: IndexThreadMessage): Promise<Omit<IndexThreadAnswer, 'number'>> {
  const { key } = message;
  if (message.do === 'open') {
    const index = await openGrowingIndex(message.options, message.path);
    indexes.set(key, index);
    return { ids: Float64Array.from(index.ids()), followed: index.followed };
  }
  const index = indexOf(key);
  switch (message.do) {
    case 'add':
      await add(key, index, message);
      return {};
    case 'remove':
      for (const id of message.ids) index.remove(id);
      return {};
    case 'find': {
      const { vector, count, allowed, except } = message;
      const found = index.findNearest(vector, count, allowed && restorePassageNumberSet(allowed), except);
      return {
        ids: Float64Array.from(found, ({ id }) => id),
        similarities: Float64Array.from(found, ({ similarity }) => similarity),
      };
    }
    case 'settle':
      await index.settled();
      return {};
    case 'save':
      return { saved: await index.save(message.path, message.followed) };
    case 'close':
      index.close();
      indexes.delete(key);
      return {};
  }
}

type AdditionBatch = Extract<IndexThreadMessage, { do: 'add' }>;

interface BatchFeed {
  push(batch: AdditionBatch): Promise<void>;
  readonly done: Promise<void>;
}

const feeds = new Map<number, BatchFeed>();

async function add(key: number, index: GrowingIndex, batch: AdditionBatch): Promise<void> {
  const feed = feeds.get(key) ?? startFeed(index);
  feeds.set(key, feed);
  try {
    await Promise.race([feed.push(batch), feed.done]);
    if (batch.last) await feed.done;
  } finally {
    if (batch.last) feeds.delete(key);
  }
}

function startFeed(index: GrowingIndex): BatchFeed {
  const { dimensions } = index;
  let next = Promise.withResolvers<AdditionBatch>();
  let taken = () => {};

  async function* rows() {
    for (;;) {
      const { ids, vectors, last } = await next.promise;
      next = Promise.withResolvers();
      for (const [at, id] of ids.entries()) {
        yield [id, vectors.subarray(at * dimensions, (at + 1) * dimensions)] as const;
      }
      taken();
      if (last) return;
    }
  }

  const done = index.addMany(rows(), signal);
  done.catch(() => {});
  return {
    done,
    push(batch) {
      const { promise, resolve } = Promise.withResolvers<void>();
      taken = resolve;
      next.resolve(batch);
      return promise;
    },
  };
}

const running = new Set<Promise<void>>();

async function reply(message: IndexThreadMessage): Promise<void> {
  const { number, key } = message;
  let answer: IndexThreadAnswer;
  try {
    answer = { ...(await answerOf(message)), number };
  } catch (error) {
    answer = { number, error: error instanceof Error ? error.message : String(error) };
  }
  const index = indexes.get(key);
  const state = index && { kind: index.kind, bytes: index.bytes };
  parentPort?.postMessage(
    { ...answer, state } satisfies IndexThreadAnswer,
    answer.ids ? [answer.ids.buffer] : [],
  );
}

async function end(): Promise<void> {
  stop.abort();
  for (const index of indexes.values()) index.close();
  await Promise.all(running);
  process.exit();
}

parentPort?.on('message', (message: IndexThreadMessage | null) => {
  if (signal.aborted) return;
  if (message === null) void end();
  else {
    const replying = reply(message).finally(() => running.delete(replying));
    running.add(replying);
  }
});
