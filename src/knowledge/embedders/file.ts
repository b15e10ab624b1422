import { pathToFileURL } from 'node:url';
import { AppError } from '../../errors.ts';
import type { CosineScale, EmbeddedKind, Embedder } from '../embedding/embedder.ts';
import { dot } from '../ranking/smooth-by-neighbours.ts';
import { unusableModelError } from './folder-settings.ts';
import { readModelFolder } from './model-folder.ts';
import { createOnnxEmbedder, type OnnxEmbedder, type OnnxOptions } from './onnx.ts';

/** Each question with a passage that answers it. No passage answers another question. */
const PAIRS: readonly (readonly [question: string, passage: string])[] = [
  [
    'How do I descale a coffee machine?',
    'Fill the tank with water and citric acid, and let it run through twice.',
  ],
  [
    'When does the ferry to the island leave?',
    'Boats sail from the northern pier at eight and at noon, except on Sundays.',
  ],
  [
    'Which court heard the appeal?',
    'The judgment was upheld by the chamber in spring, with two judges against.',
  ],
  [
    'What feeds young swallows?',
    'Both parents bring flies and gnats to the nest, up to four hundred times a day.',
  ],
  [
    'Why did the build fail last night?',
    'A test of the parser ran out of memory after the compiler was updated.',
  ],
  [
    'How much did rents rise?',
    'Flats in the city cost a tenth more than a year before, says the housing office.',
  ],
  [
    'Who wrote the second violin concerto?',
    'The composer finished the piece for strings in Vienna, shortly before he died.',
  ],
  [
    'What is the dose for a child?',
    'Half a tablet in the evening, dissolved in water, for no longer than five days.',
  ],
];
const CHANCE_PART = 0.05;
const WEAK_PART = 0.28;

/** Creates the embedder of a model's folder after a test of its graph. Throws AppError `unavailable` with the cause. */
export async function createFileEmbedder(
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

async function measure(embedder: Embedder): Promise<{ dimensions: number; scale: CosineScale }> {
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
    passages.filter((_, other) => other !== at).map((other) => dot(one, other)),
  );
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const unrelated = mean + CHANCE_PART * (1 - mean);
  return {
    dimensions: questions[0]?.length ?? 0,
    scale: { unrelated, weak: unrelated + WEAK_PART * (1 - unrelated) },
  };
}
