import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Embedder } from '../knowledge/embedder.ts';

/** The model that the operator chose. */
export async function chooseEmbedder(config: Config): Promise<Embedder> {
  const prefixes = { query: config.embedderQueryPrefix, passage: config.embedderPassagePrefix };
  if (config.embedder.startsWith('file:')) {
    const { createFileEmbedder } = await import('../knowledge/embedders/file.ts');
    return createFileEmbedder(modelFolder(config, config.embedder.slice('file:'.length)), prefixes);
  }
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
    prefixes: { query: prefixes.query ?? '', passage: prefixes.passage ?? '' },
    dimensions: dimensions !== undefined ? Number(dimensions) : undefined,
  });
}

/** Where models are that were fetched by name. */
export const modelsFolder = (config: Pick<Config, 'data'>) => join(config.data, 'models');

/** Absolute; a name that was fetched goes before a folder below the working one. */
function modelFolder(config: Pick<Config, 'data'>, named: string): string {
  const fetched = join(modelsFolder(config), named);
  if (!isAbsolute(named) && existsSync(fetched)) return fetched;
  return resolve(named);
}

/** The embedded model, if that is its name. An endpoint that the user has left is not asked again. */
export async function embeddedModel(name: string): Promise<Embedder | undefined> {
  const { createEnglishEmbedder } = await import('../knowledge/embedders/english.ts');
  const embedder = createEnglishEmbedder();
  if (embedder.name === name) return embedder;
  await embedder.close();
  return undefined;
}
