import type { SpanStart } from '../../lib/tracing.ts';
import type { Embedder } from './embedder.ts';

/** Describes a call of the embedder by OpenTelemetry's conventions, without the model's prefix, which may be private. */
export function embeddingSpan({ name }: Pick<Embedder, 'name'>, texts: number): SpanStart {
  const model = name.split(' ')[0] ?? '';
  return {
    name: `embeddings ${model}`,
    kind: 'client',
    facts: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': model, 'magpie.texts': texts },
  };
}
