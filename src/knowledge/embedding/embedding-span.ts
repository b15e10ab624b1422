import type { SpanStart } from '../../lib/tracing.ts';
import type { Embedder } from './embedder.ts';

/**
 * Describes a tracing span by OpenTelemetry's conventions for models. The prefix in a model's name is left out, since the
 * operator may have written words of their own in it.
 */
export function embeddingSpan({ name }: Pick<Embedder, 'name'>, texts: number): SpanStart {
  const model = name.split(' ')[0] ?? '';
  return {
    name: `embeddings ${model}`,
    kind: 'client',
    facts: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': model, 'magpie.texts': texts },
  };
}
