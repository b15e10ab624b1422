import { createOnnxEmbedder, type OnnxEmbedder, type OnnxOptions } from './onnx.ts';
import type { SentenceModel } from './sentence-model.ts';

const NAME = 'all-minilm-l6-v2-int8';

export const ENGLISH_MODEL: SentenceModel = {
  name: NAME,
  folder: new URL(`./${NAME}/`, import.meta.url).href,
  dimensions: 384,
  maxTokens: 256,
  prefixes: { query: '', passage: '' },
  vectors: { outputs: { query: 'embedding', passage: 'embedding' } },
  // 2% of the answerable questions of LoCoMo and XQuAD score below these thresholds (docs/choices.md).
  scale: {
    ...{ unrelated: 0.1, weak: 0.35, absent: 0.48, absentNamed: 0.7 },
    ...{ attribute: 0.28, standsOut: [0.36, 0.3] },
  },
};

export function createEnglishEmbedder(options?: OnnxOptions): OnnxEmbedder {
  return createOnnxEmbedder(ENGLISH_MODEL, options);
}
