import { z } from 'zod';
import { type AppError, unavailableError } from '../../errors.ts';
import type { EmbeddedKind } from '../embedding/embedder.ts';
import families from './model-families.json' with { type: 'json' };
import type { Pooling } from './sentence-model.ts';

export interface FolderSettings {
  readonly graph: string | undefined;
  readonly pooling: Pooling;
  /** True if the model has a layer after the pooling. The ONNX graph must then contain that layer. */
  readonly whole: boolean;
  readonly prefixes: Readonly<Record<EmbeddedKind, string>>;
  readonly maxTokens: number;
}

export type ReadJson = (path: string) => unknown;

const USUAL_TOKENS = 256;
const MIN_TOKENS = 16;
/** In a settings file, a token limit of at least this number means "unlimited". */
const NO_LIMIT = 1_000_000;
/** Number of positions that a type of model reserves. The token limit of a text is lower by this number. */
const OWN_POSITIONS: ReadonlyMap<string, number> = new Map([
  ['roberta', 2],
  ['xlm-roberta', 2],
  ['camembert', 2],
]);

const text = z.string().max(500);
const count = z.number().positive();
const OWN = z.strictObject({
  file: text.optional(),
  pooling: z.enum(['mean', 'cls', 'last']).optional(),
  queryPrefix: text.optional(),
  passagePrefix: text.optional(),
  maxTokens: z.int().min(MIN_TOKENS).max(32_768).optional(),
});
const MODULES = z.array(z.object({ path: z.string(), type: z.string() }));
/** Other names than these say which poolings an older version uses, such as `pooling_mode_cls_token`. */
const POOLING = z.looseObject({
  pooling_mode: z.string().optional(),
  include_prompt: z.boolean().optional(),
});
const PROMPTS = z.object({ prompts: z.record(z.string(), z.string().nullable()).nullish() });
const MODEL = z.object({ model_type: z.string().optional(), max_position_embeddings: count.optional() });
const SENTENCES = z.object({ max_seq_length: count.nullish() });
const TOKENIZER = z.object({ model_max_length: count.nullish() });
const POOLING_NAMES: Readonly<Record<string, Pooling>> = { mean: 'mean', cls: 'cls', lasttoken: 'last' };

/** Reads a model's settings from its folder, or takes the defaults of its family. Throws AppError `unavailable`. */
export function readFolderSettings(
  name: string,
  read: ReadJson,
  chosen: Readonly<Partial<Record<EmbeddedKind, string | undefined>>> = {},
): FolderSettings {
  const own = parse('magpie.json', OWN, read('magpie.json')) ?? {};
  const family = FAMILIES.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? {};
  const stated = statedPrompts(read);
  const { pooling, whole, prompted } = statedPooling(read);
  const prefixes = {
    query: chosen.query ?? own.queryPrefix ?? stated?.query ?? family.query ?? '',
    passage: chosen.passage ?? own.passagePrefix ?? stated?.passage ?? family.passage ?? '',
  };
  if (!prompted && prefixes.query + prefixes.passage !== '') {
    throw unusableModelError(
      'its pooling leaves the prefix out, which only models without prefixes can have here',
    );
  }
  return {
    graph: own.file,
    pooling: own.pooling ?? pooling ?? family.pooling ?? 'mean',
    whole,
    prefixes,
    maxTokens: Math.min(own.maxTokens ?? USUAL_TOKENS, mostTokens(read)),
  };
}

export function unusableModelError(why: string, cause?: unknown): AppError {
  return unavailableError(`the model of MAGPIE_EMBEDDER cannot be used: ${why}`, { cause });
}

function statedPrompts(read: ReadJson): Record<EmbeddedKind, string> | undefined {
  const path = 'config_sentence_transformers.json';
  const prompts = parse(path, PROMPTS, read(path))?.prompts ?? {};
  const query = prompts.query ?? prompts.search_query ?? '';
  const passage = prompts.passage ?? prompts.document ?? prompts.search_document ?? '';
  // Newer versions of sentence-transformers write empty prompts if a model has none.
  return query + passage === '' ? undefined : { query, passage };
}

function statedPooling(read: ReadJson): { pooling: Pooling | undefined; whole: boolean; prompted: boolean } {
  const modules = parse('modules.json', MODULES, read('modules.json')) ?? [];
  const after = modules.some(({ type }) => !/\.(?:Transformer|Pooling|Normalize)$/.test(type));
  const folder = modules.find(({ type }) => type.endsWith('.Pooling'))?.path ?? '1_Pooling';
  const path = `${folder}/config.json`;
  const stated = parse(path, POOLING, read(path));
  if (!stated) return { pooling: undefined, whole: after, prompted: true };
  const modes = stated.pooling_mode !== undefined ? [stated.pooling_mode] : oldModes(stated);
  const [mode = 'mean'] = modes;
  const pooling = modes.length > 1 ? undefined : POOLING_NAMES[mode];
  if (!pooling && !after)
    throw unusableModelError(
      `${path} asks for the pooling ${modes.join(' with ')}; known are mean, cls and lasttoken`,
    );
  return { pooling, whole: after, prompted: stated.include_prompt !== false };
}

function oldModes(stated: z.output<typeof POOLING>): string[] {
  return Object.entries(stated).flatMap(([name, on]) =>
    on === true ? (/^pooling_mode_(\w{1,40}?)(?:_tokens?)?$/.exec(name)?.[1] ?? []) : [],
  );
}

function mostTokens(read: ReadJson): number {
  const model = parse('config.json', MODEL, read('config.json'));
  const positions = model?.max_position_embeddings;
  const sentences = parse('sentence_bert_config.json', SENTENCES, read('sentence_bert_config.json'));
  const tokenizer = parse('tokenizer_config.json', TOKENIZER, read('tokenizer_config.json'));
  const said = [
    positions && positions - (OWN_POSITIONS.get(model?.model_type ?? '') ?? 0),
    sentences?.max_seq_length,
    tokenizer?.model_max_length,
  ].filter((one) => typeof one === 'number' && one < NO_LIMIT);
  const most = Math.floor(said.reduce((least: number, one) => Math.min(least, one ?? least), NO_LIMIT));
  // With fewer tokens than MIN_TOKENS, all texts would have nearly the same vector.
  if (most >= MIN_TOKENS) return most;
  throw unusableModelError(
    `its files let it read ${most} tokens of a text, and ${MIN_TOKENS} are needed: see max_seq_length in ` +
      'sentence_bert_config.json, model_max_length in tokenizer_config.json and max_position_embeddings in config.json',
  );
}

function parse<T>(path: string, schema: z.ZodType<T>, value: unknown): T | undefined {
  if (value === undefined) return undefined;
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  throw unusableModelError(`${path}: ${[...(issue?.path ?? []), issue?.message ?? ''].join(' ')}`);
}

interface ModelFamily {
  readonly pooling?: Pooling;
  readonly query?: string;
  readonly passage?: string;
}

/** Settings of model families. The first pattern that matches the folder's name applies. */
const FAMILIES = families.map(
  ({ pattern, ...family }) => [new RegExp(pattern), family as ModelFamily] as const,
);
