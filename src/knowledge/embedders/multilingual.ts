import { unavailableError } from '../../errors.ts';
import { findOptionalPackage } from '../../lib/optional-packages.ts';
import { createOnnxEmbedder, type OnnxEmbedder, type OnnxOptions } from './onnx.ts';
import type { SentenceModel } from './sentence-model.ts';

export const ADD_MULTILINGUAL = 'magpie add multilingual';
/** Name under which vectors are stored. `c1` means that this graph ends with a linear layer. */
export const MULTILINGUAL_NAME = 'multilingual-e5-small-int8-c1';

export const isMultilingualInstalled = (): boolean => packageFolder() !== undefined;

/** Creates the embedder of multilingual-e5-small. Its AppError `unavailable` names the command that installs the model. */
export function createMultilingualEmbedder(options?: OnnxOptions): OnnxEmbedder {
  const folder = packageFolder();
  if (!folder) throw unavailableError(`the multilingual model is not installed: ${ADD_MULTILINGUAL}`);
  return createOnnxEmbedder(multilingualModel(folder), options);
}

function multilingualModel(folder: string): SentenceModel {
  return {
    name: MULTILINGUAL_NAME,
    folder,
    pieces: 'pieces.bin',
    dimensions: 384,
    maxTokens: 256,
    // With one text per batch, the other texts of a call cannot change a text's vector.
    batchTexts: 1,
    prefixes: { query: 'query: ', passage: 'passage: ' },
    vectors: { outputs: { query: 'query', passage: 'passage' } },
    // On Cranfield and MED, 96% of the unrelated passages and 1% of the best answers score below 0.25.
    // The thresholds `absent`, `absentNamed` and `absentForeign` are from XQuAD and LoCoMo (docs/choices.md).
    scale: {
      unrelated: 0,
      weak: 0.25,
      weakForeign: 0.2,
      absent: 0.45,
      absentNamed: 0.65,
      absentForeign: 0.3,
      ...{ attribute: 0.2, standsOut: [0.36, 0.23] },
    },
  };
}

function packageFolder(): string | undefined {
  const file = findOptionalPackage('multilingual', 'model.onnx');
  return file && new URL('./', file).href;
}
