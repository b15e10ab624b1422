import type { SpanStart } from '../../lib/tracing.ts';
import type { Embedder } from './embedder.ts';

/** By the conventions for models; the prefix of a model's name may be words of the operator, and stays out. */
export function embeddingSpan({ name }: Pick<Embedder, 'name'>, texts: number): SpanStart {
  const model = name.split(' ')[0] ?? '';
  return {
    name: `embeddings ${model}`,
    kind: 'client',
    facts: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': model, 'magpie.texts': texts },
  };
}
