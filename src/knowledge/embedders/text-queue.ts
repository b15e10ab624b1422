import type { ProcessorMeter } from '../../lib/workers/processor-meter.ts';
import type { EmbeddedKind } from '../embedding/embedder.ts';

/** One call of an embedder. */
export interface EmbeddingCall {
  /** Of the request that it belongs to. */
  readonly meter?: ProcessorMeter | undefined;
}

/** A text on its way to a vector. */
export interface QueuedText {
  readonly text: string;
  /** Tokens, about. */
  readonly tokens: number;
  readonly kind: EmbeddedKind;
  /**
   * What it came with. The model's numbers are scaled by the largest of a batch, so a vector depends a little
   * on its neighbours; texts of different callers never share a batch.
   */
  readonly call: EmbeddingCall;
  /** Times that it was in a batch that broke off. */
  failures: number;
  done(vector: Float32Array): void;
  fail(error: Error): void;
}

/** Texts that wait: questions before passages, in the order in which they came. */
export interface TextQueue {
  readonly size: number;
  push(texts: readonly QueuedText[]): void;
  /** Puts texts of a broken batch back to the front. */
  unshift(texts: readonly QueuedText[]): void;
  /** The next batch, all of one kind; empty when nothing waits. */
  take(): QueuedText[];
  drop(texts: ReadonlySet<QueuedText>): void;
  /** All that waits, taken out. */
  clear(): QueuedText[];
}

/** Bounds of a batch; a model may have a lower one. */
const MAX_BATCH_TEXTS = 32;
/**
 * Tokens of a batch, padding included: some 40 ms of one thread. That is as long as a question may have to
 * wait for passages, and bigger batches gain nothing (measured: 8 texts of 52 tokens 3.6 ms a text, 32 texts
 * 3.9 ms).
 */
const MAX_BATCH_TOKENS = 512;
/** Batches of questions after which waiting passages get one, so that these never stop. */
const MAX_QUESTIONS_IN_A_ROW = 8;

export function createTextQueue(maxTexts = MAX_BATCH_TEXTS): TextQueue {
  const lists: Record<EmbeddedKind, QueuedText[]> = { query: [], passage: [] };
  let inARow = 0;

  function next(): QueuedText[] {
    const { query, passage } = lists;
    const questions = query.length > 0 && (passage.length === 0 || inARow < MAX_QUESTIONS_IN_A_ROW);
    inARow = questions && passage.length > 0 ? inARow + 1 : 0;
    return questions ? query : passage;
  }

  return {
    get size() {
      return lists.query.length + lists.passage.length;
    },
    push(texts) {
      for (const one of texts) lists[one.kind].push(one);
    },
    unshift(texts) {
      for (const one of texts.toReversed()) lists[one.kind].unshift(one);
    },
    take() {
      const list = next();
      let count = 0;
      let longest = 0;
      for (const { tokens, failures, call } of list) {
        longest = Math.max(longest, tokens);
        // What broke a batch goes alone, so that the others are not lost with it again.
        const alone = failures > 0;
        if (count > 0 && (alone || call !== list[0]?.call)) break;
        if (count === maxTexts || (count > 0 && longest * (count + 1) > MAX_BATCH_TOKENS)) break;
        count++;
        if (alone) break;
      }
      return list.splice(0, count);
    },
    drop(texts) {
      for (const kind of ['query', 'passage'] as const) {
        lists[kind] = lists[kind].filter((one) => !texts.has(one));
      }
    },
    clear: () => [...lists.query.splice(0), ...lists.passage.splice(0)],
  };
}
