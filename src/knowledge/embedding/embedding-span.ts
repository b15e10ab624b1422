import type { SpanStart } from '../../lib/tracing.ts';
import type { Embedder } from './embedder.ts';

/** Describes a span by OpenTelemetry's conventions. A model's prefix is left out, since it may hold the operator's words. */
export function embeddingSpan({ name }: Pick<Embedder, 'name'>, texts: number): SpanStart {
  const model = name.split(' ')[0] ?? '';
  return {
    name: `embeddings ${model}`,
    kind: 'client',
    facts: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': model, 'magpie.texts': texts },
  };
}
