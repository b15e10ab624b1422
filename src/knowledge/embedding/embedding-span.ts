import type { SpanStart } from '../../lib/tracing.ts';
import type { Embedder } from './embedder.ts';

/** Describes a call for OpenTelemetry. Leaves out the prefix after the model's name, which may be private. */
export function embeddingSpan({ name }: Pick<Embedder, 'name'>, texts: number): SpanStart {
  const model = name.split(' ')[0] ?? '';
  return {
    name: `embeddings ${model}`,
    kind: 'client',
    facts: { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': model, 'magpie.texts': texts },
  };
}
