import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { EmbeddedKind } from '../embedding/embedder.ts';
import { familyOf } from './model-families.ts';
import type { Pooling } from './sentence-model.ts';

/** What the small files of a folder say of its model. */
export interface FolderSettings {
  /** Path of the graph in the folder, where `magpie.json` names it. */
  readonly graph: string | undefined;
  readonly pooling: Pooling;
  /** The graph itself must give whole vectors: a layer comes after the pooling. */
  readonly whole: boolean;
  readonly prefixes: Readonly<Record<EmbeddedKind, string>>;
  /** Tokens of a text that are read. */
  readonly maxTokens: number;
}

/** Files by their path in the folder, parsed; undefined for one that is not there. */
export type ReadJson = (path: string) => unknown;

/** Tokens that the passages of the knowledge base are cut for. More of them make no vector better, and cost time. */
const USUAL_TOKENS = 256;
const MIN_TOKENS = 16;
/** What is more is a way to write that there is no limit. */
const NO_LIMIT = 1_000_000;
/** Positions that RoBERTa's kin keep for themselves. */
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
const POOLING = z.object({
  pooling_mode: z.string().optional(),
  pooling_mode_cls_token: z.boolean().optional(),
  pooling_mode_mean_tokens: z.boolean().optional(),
  pooling_mode_lasttoken: z.boolean().optional(),
  pooling_mode_max_tokens: z.boolean().optional(),
  pooling_mode_mean_sqrt_len_tokens: z.boolean().optional(),
  pooling_mode_weightedmean_tokens: z.boolean().optional(),
  include_prompt: z.boolean().optional(),
});
const PROMPTS = z.object({ prompts: z.record(z.string(), z.string().nullable()).nullish() });
const MODEL = z.object({ model_type: z.string().optional(), max_position_embeddings: count.optional() });
const SENTENCES = z.object({ max_seq_length: count.nullish() });
const TOKENIZER = z.object({ model_max_length: count.nullish() });

/** What a pooling is called by sentence-transformers. */
const POOLING_NAMES: Readonly<Record<string, Pooling>> = { mean: 'mean', cls: 'cls', lasttoken: 'last' };

/**
 * Settings of the model in a folder: `magpie.json` goes before the files of sentence-transformers, and these before what is
 * known of the model's family. `name` is the folder's. AppError `unavailable` names the file that is wrong, or the pooling that
 * cannot be made here.
 */
export function folderSettings(
  name: string,
  read: ReadJson,
  chosen: Readonly<Partial<Record<EmbeddedKind, string | undefined>>> = {},
): FolderSettings {
  const own = parse('magpie.json', OWN, read('magpie.json')) ?? {};
  const family = familyOf(name);
  const stated = statedPrompts(read);
  const { pooling, whole, prompted } = statedPooling(read);
  const prefixes = {
    query: chosen.query ?? own.queryPrefix ?? stated?.query ?? family.query ?? '',
    passage: chosen.passage ?? own.passagePrefix ?? stated?.passage ?? family.passage ?? '',
  };
  if (!prompted && prefixes.query + prefixes.passage !== '') {
    throw unusable('its pooling leaves the prefix out, which only models without prefixes can have here');
  }
  return {
    graph: own.file,
    pooling: own.pooling ?? pooling ?? family.pooling ?? 'mean',
    whole,
    prefixes,
    maxTokens: Math.min(own.maxTokens ?? USUAL_TOKENS, mostTokens(read)),
  };
}

/** AppError `unavailable` about the model that MAGPIE_EMBEDDER names. */
export function unusable(why: string, cause?: unknown): AppError {
  return new AppError('unavailable', `the model of MAGPIE_EMBEDDER cannot be used: ${why}`, { cause });
}

function statedPrompts(read: ReadJson): Record<EmbeddedKind, string> | undefined {
  const path = 'config_sentence_transformers.json';
  const prompts = parse(path, PROMPTS, read(path))?.prompts ?? {};
  const query = prompts.query ?? prompts.search_query ?? '';
  const passage = prompts.passage ?? prompts.document ?? prompts.search_document ?? '';
  // Newer versions write empty ones where no one has said anything.
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
    throw unusable(`${path} asks for the pooling ${modes.join(' with ')}; known are mean, cls and lasttoken`);
  return { pooling, whole: after, prompted: stated.include_prompt !== false };
}

/** As versions before 5 write it. */
function oldModes(stated: z.output<typeof POOLING>): string[] {
  const named = {
    cls: stated.pooling_mode_cls_token,
    mean: stated.pooling_mode_mean_tokens,
    lasttoken: stated.pooling_mode_lasttoken,
    max: stated.pooling_mode_max_tokens,
    mean_sqrt_len: stated.pooling_mode_mean_sqrt_len_tokens,
    weightedmean: stated.pooling_mode_weightedmean_tokens,
  };
  return Object.entries(named).flatMap(([mode, on]) => (on ? [mode] : []));
}

/** The least of what the files say that the model reads. */
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
  // With less, all texts would have about the same vector.
  if (most >= MIN_TOKENS) return most;
  throw unusable(
    `its files let it read ${most} tokens of a text, and ${MIN_TOKENS} are needed: see max_seq_length in ` +
      'sentence_bert_config.json, model_max_length in tokenizer_config.json and max_position_embeddings in config.json',
  );
}

function parse<T>(path: string, schema: z.ZodType<T>, value: unknown): T | undefined {
  if (value === undefined) return undefined;
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  throw unusable(`${path}: ${[...(issue?.path ?? []), issue?.message ?? ''].join(' ')}`);
}
