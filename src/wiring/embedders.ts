import type { Config } from '../config/config.ts';
import type { Embedder } from '../knowledge/embedder.ts';

/** The model that the operator chose. */
export async function chooseEmbedder(config: Config): Promise<Embedder> {
  const [, model, dimensions] = /^openai:([^@]+)(?:@(\d+))?$/.exec(config.embedder) ?? [];
  if (model === undefined) {
    const { createEnglishEmbedder } = await import('../knowledge/embedders/english.ts');
    return createEnglishEmbedder();
  }
  const { createOpenAiEmbedder } = await import('../knowledge/embedders/openai.ts');
  return createOpenAiEmbedder({
    baseUrl: config.openaiBaseUrl,
    model,
    key: config.openaiKey,
    prefixes: { query: config.embedderQueryPrefix ?? '', passage: config.embedderPassagePrefix ?? '' },
    dimensions: dimensions !== undefined ? Number(dimensions) : undefined,
  });
}

/** The embedded model, if that is its name. An endpoint that the user has left is not asked again. */
export async function embeddedModel(name: string): Promise<Embedder | undefined> {
  const { createEnglishEmbedder } = await import('../knowledge/embedders/english.ts');
  const embedder = createEnglishEmbedder();
  if (embedder.name === name) return embedder;
  await embedder.close();
  return undefined;
}
