import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';

export interface Embedders {
  readonly embedder: Embedder;
  readonly multilingual?: Embedder | undefined;
  readonly remedy?: string | undefined;
  readonly missing?: string | undefined;
  close(): Promise<void>;
}

export async function chooseEmbedders(config: Config): Promise<Embedders> {
  if (/^(?:file|openai):/.test(config.embedder)) return alone(await chosenEmbedder(config));
  const { createEnglishEmbedder } = await import('../knowledge/embedders/english.ts');
  const { createMultilingualEmbedder } = await import('../knowledge/embedders/multilingual.ts');
  const { remedy, missing } = await findEmbedderGaps(config);
  if (config.embedder === 'multilingual') {
    return missing === undefined
      ? alone(createMultilingualEmbedder())
      : { ...alone(await missingMultilingual()), missing };
  }
  const embedder = createEnglishEmbedder();
  if (remedy !== undefined) return { ...alone(embedder), remedy };
  const multilingual = createMultilingualEmbedder();
  return {
    embedder,
    multilingual,
    async close() {
      await Promise.all([embedder.close(), multilingual.close()]);
    },
  };
}

export type EmbedderGaps = Awaited<ReturnType<typeof findEmbedderGaps>>;

export async function findEmbedderGaps({ embedder }: Pick<Config, 'embedder'>) {
  if (/^(?:file|openai):/.test(embedder)) return {};
  const { isMultilingualInstalled, ADD_MULTILINGUAL } = await import(
    '../knowledge/embedders/multilingual.ts'
  );
  const installed = isMultilingualInstalled();
  const add = `\`${ADD_MULTILINGUAL}\` adds a model that reads a hundred languages`;
  if (embedder === 'english') {
    return {
      remedy: installed
        ? 'MAGPIE_EMBEDDER=auto gives them a model that reads a hundred languages.'
        : `${add}, and MAGPIE_EMBEDDER=auto takes it.`,
    };
  }
  if (installed) return {};
  return embedder === 'multilingual'
    ? { missing: `${MISSING}: \`${ADD_MULTILINGUAL}\` adds it, and the next start takes it.` }
    : { remedy: `${add}; it takes over by itself at the next start.` };
}

const MISSING =
  'The multilingual model was chosen (MAGPIE_EMBEDDER) and is not installed, so that new texts are kept, and found by their words only';

function alone(embedder: Embedder): Embedders {
  return { embedder, close: () => embedder.close() };
}

/** Replaces a multilingual model that is not installed. Texts are then found only by their words. */
async function missingMultilingual(): Promise<Embedder> {
  const { createMultilingualEmbedder, MULTILINGUAL_NAME } = await import(
    '../knowledge/embedders/multilingual.ts'
  );
  const { createEnglishEmbedder } = await import('../knowledge/embedders/english.ts');
  const { dimensions, maxTokens, countTokens, close } = createEnglishEmbedder();
  return {
    ...{ name: MULTILINGUAL_NAME, dimensions, maxTokens, countTokens, close },
    embed: async (...given) => createMultilingualEmbedder().embed(...given),
  };
}

async function chosenEmbedder(config: Config): Promise<Embedder> {
  const prefixes = { query: config.embedderQueryPrefix, passage: config.embedderPassagePrefix };
  if (config.embedder.startsWith('file:')) {
    const { createModelFolderEmbedder: createFileEmbedder } = await import('../knowledge/embedders/file.ts');
    return createFileEmbedder(modelFolder(config, config.embedder.slice('file:'.length)), prefixes);
  }
  const [, model = '', dimensions] = /^openai:([^@]+)(?:@(\d+))?$/.exec(config.embedder) ?? [];
  const { createOpenAiEmbedder } = await import('../knowledge/embedders/openai.ts');
  return createOpenAiEmbedder({
    baseUrl: config.openaiBaseUrl,
    model,
    key: config.openaiKey,
    prefixes: { query: prefixes.query ?? '', passage: prefixes.passage ?? '' },
    dimensions: dimensions !== undefined ? Number(dimensions) : undefined,
  });
}

export const modelsFolder = (config: Pick<Config, 'data'>) => join(config.data, 'models');

function modelFolder(config: Pick<Config, 'data'>, named: string): string {
  const fetched = join(modelsFolder(config), named);
  if (!isAbsolute(named) && existsSync(fetched)) return fetched;
  return resolve(named);
}

export async function loadEmbeddedModel(name: string): Promise<Embedder | undefined> {
  const { createEnglishEmbedder } = await import('../knowledge/embedders/english.ts');
  const { createMultilingualEmbedder, isMultilingualInstalled, MULTILINGUAL_NAME } = await import(
    '../knowledge/embedders/multilingual.ts'
  );
  if (name === MULTILINGUAL_NAME) return isMultilingualInstalled() ? createMultilingualEmbedder() : undefined;
  const embedder = createEnglishEmbedder();
  if (embedder.name === name) return embedder;
  await embedder.close();
  return undefined;
}
