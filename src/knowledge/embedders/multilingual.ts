import { AppError } from '../../errors.ts';
import { findPart } from '../../lib/parts.ts';
import { createOnnxEmbedder, type OnnxEmbedder, type OnnxOptions } from './onnx.ts';
import type { SentenceModel } from './sentence-model.ts';

/** How a user adds the package with the model's files. */
export const ADD_MULTILINGUAL = 'magpie add multilingual';
/** The name of its vectors; `c1` is the linear step at the end of its graph. */
export const MULTILINGUAL_NAME = 'multilingual-e5-small-int8-c1';

/** Whether the package is there: in a checkout it is, an install adds it. Its address is found from this file on. */
export function multilingualInstalled(): boolean {
  return packageFolder() !== undefined;
}

/**
 * multilingual-e5-small with 8-bit weights: reads about a hundred languages. Throws AppError `unavailable` with the
 * command that adds it where the package is not installed.
 */
export function createMultilingualEmbedder(options?: OnnxOptions): OnnxEmbedder {
  const folder = packageFolder();
  if (!folder) {
    throw new AppError('unavailable', `the multilingual model is not installed: ${ADD_MULTILINGUAL}`);
  }
  return createOnnxEmbedder(multilingualModel(folder), options);
}

function multilingualModel(folder: string): SentenceModel {
  return {
    name: MULTILINGUAL_NAME,
    folder,
    pieces: 'pieces.bin',
    dimensions: 384,
    maxTokens: 256,
    // One by one a vector depends on its text alone, and texts of 80 tokens take 23 ms instead of 38 in batches of 8.
    batchTexts: 1,
    prefixes: { query: 'query: ', passage: 'passage: ' },
    vectors: { outputs: { query: 'query', passage: 'passage' } },
    // Of the ten passages of Cranfield or MED that are nearest to questions on software, 96 to 99 in 100 are weak by it; of those that
    // answer best none of MED and 1 in 100 of Cranfield. Notes in one language are alike a little (0.4), whatever they say.
    // Across languages what answers is further away: of 32 notes in 13 languages that English questions ask for 6 lie below 0.2 and 11
    // below 0.25, and of 15 questions on other things 2 and 1 have a note above.
    scale: { unrelated: 0, weak: 0.25, weakForeign: 0.2 },
  };
}

function packageFolder(): string | undefined {
  const file = findPart('multilingual', 'model.onnx');
  return file && new URL('./', file).href;
}
