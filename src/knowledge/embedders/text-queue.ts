import type { ProcessorMeter } from '../../lib/workers/processor-meter.ts';
import type { EmbeddedKind } from '../embedding/embedder.ts';

export interface QueuedText {
  readonly text: string;
  readonly tokens: number;
  readonly kind: EmbeddedKind;
  /** A batch has texts of one call only, because the texts of a batch slightly change each other's vectors. */
  readonly call: { readonly meter?: ProcessorMeter | undefined };
  failures: number;
  done(vector: Float32Array): void;
  fail(error: Error): void;
}

export type TextQueue = ReturnType<typeof createTextQueue>;
const MAX_BATCH_TEXTS = 32;
const MAX_BATCH_TOKENS = 512;
const MAX_QUESTIONS_IN_A_ROW = 8;

export function createTextQueue(maxTexts = MAX_BATCH_TEXTS) {
  const lists: Record<EmbeddedKind, QueuedText[]> = { query: [], passage: [] };
  let inARow = 0;

  function next(): QueuedText[] {
    const { query, passage } = lists;
    const questions = query.length > 0 && (passage.length === 0 || inARow < MAX_QUESTIONS_IN_A_ROW);
    inARow = questions && passage.length > 0 ? inARow + 1 : 0;
    return questions ? query : passage;
  }

  return {
    get size(): number {
      return lists.query.length + lists.passage.length;
    },
    push(texts: readonly QueuedText[]): void {
      for (const one of texts) lists[one.kind].push(one);
    },
    unshift(texts: readonly QueuedText[]): void {
      for (const one of texts.toReversed()) lists[one.kind].unshift(one);
    },
    take(): QueuedText[] {
      const list = next();
      let count = 0;
      let longest = 0;
      for (const { tokens, failures, call } of list) {
        longest = Math.max(longest, tokens);
        // A text from a failed batch is sent alone, so that it cannot make other texts fail.
        const alone = failures > 0;
        if (count > 0 && (alone || call !== list[0]?.call)) break;
        if (count === maxTexts || (count > 0 && longest * (count + 1) > MAX_BATCH_TOKENS)) break;
        count++;
        if (alone) break;
      }
      return list.splice(0, count);
    },
    drop(texts: ReadonlySet<QueuedText>): void {
      for (const kind of ['query', 'passage'] as const) {
        lists[kind] = lists[kind].filter((one) => !texts.has(one));
      }
    },
    clear: () => [...lists.query.splice(0), ...lists.passage.splice(0)],
  };
}
