import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../errors.ts';
import type { CosineThresholds, EmbeddedKind, Embedder } from '../embedding/embedder.ts';
import { dotProduct } from '../ranking/smooth-by-neighbours.ts';
import { unusableModelError } from './folder-settings.ts';
import { readModelFolder } from './model-folder.ts';
import { createOnnxEmbedder, type OnnxEmbedder, type OnnxOptions } from './onnx.ts';

const PAIRS: readonly (readonly [question: string, passage: string])[] = JSON.parse(
  readFileSync(new URL('./sample-pairs.json', import.meta.url), 'utf8'),
);
/** `unrelated` = mean + CHANCE_PART * (1 - mean). `mean` is the mean cosine of unrelated sample texts. */
const CHANCE_PART = 0.05;
const WEAK_PART = 0.28;

/** Creates the embedder of a model's folder and tests it on sample texts. Throws AppError `unavailable` with the cause. */
export async function createModelFolderEmbedder(
  folder: string,
  chosen?: Readonly<Partial<Record<EmbeddedKind, string | undefined>>>,
  options?: OnnxOptions,
): Promise<OnnxEmbedder> {
  const { name, graph, pooling, whole, prefixes, maxTokens } = await readModelFolder(folder, chosen);
  const model = { name, folder: pathToFileURL(`${folder}/`).href, graph, dimensions: 0, maxTokens, prefixes };
  const embedder = createOnnxEmbedder({ ...model, vectors: { pooling, whole } }, options);
  try {
    return { ...embedder, ...(await measure(embedder)) };
  } catch (error) {
    await embedder.close();
    const reason = error instanceof AppError && error.cause instanceof Error ? error.cause : error;
    throw unusableModelError(
      `${folder}: ${reason instanceof Error ? reason.message : String(reason)}`,
      error,
    );
  }
}

async function measure(embedder: Embedder): Promise<{ dimensions: number; scale: CosineThresholds }> {
  const { signal } = new AbortController();
  const questions = await embedder.embed(
    PAIRS.map(([question]) => question),
    'query',
    signal,
  );
  const passages = await embedder.embed(
    PAIRS.map(([, passage]) => passage),
    'passage',
    signal,
  );
  const cosines = questions.flatMap((one, at) =>
    passages.filter((_, other) => other !== at).map((other) => dotProduct(one, other)),
  );
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const unrelated = mean + CHANCE_PART * (1 - mean);
  return {
    dimensions: questions[0]?.length ?? 0,
    scale: { unrelated, weak: unrelated + WEAK_PART * (1 - unrelated) },
  };
}
