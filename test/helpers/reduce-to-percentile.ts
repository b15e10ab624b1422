import { createReducer } from '../../src/browse/reducing/reduce.ts';
import type { RelevanceFocus } from '../../src/browse/types.ts';

export interface TextReduction extends RelevanceFocus {
  /** From 1 to 100. At 1, nearly all blocks are kept; at 100, only the best block. */
  readonly percentile: number;
}

export function reduceToPercentile(markdown: string, { percentile, ...focus }: TextReduction): string {
  return createReducer(markdown, focus)(percentile);
}
