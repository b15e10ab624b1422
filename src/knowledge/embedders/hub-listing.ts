import { z } from 'zod';
import { notFoundError, upstreamError } from '../../errors.ts';

export interface HubFile {
  readonly path: string;
  readonly size: number;
  /** SHA-256 for large files. For small files in git, the SHA-1 of the git blob. */
  readonly digest: { readonly algorithm: 'sha256' | 'git'; readonly hex: string };
}

export type HubModel = ReturnType<typeof parseHubModel>;

const hex = (characters: number) => z.string().regex(new RegExp(`^[0-9a-f]{${characters}}$`));
const ANSWER = z.object({
  sha: hex(40),
  gated: z.unknown(),
  cardData: z.object({ license: z.union([z.string(), z.array(z.string())]).optional() }).nullish(),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.int().nonnegative().nullish(),
      blobId: z.string().nullish(),
      lfs: z.object({ sha256: hex(64), size: z.int().nonnegative() }).nullish(),
    }),
  ),
});

const WANTED = [
  /^(?:config|tokenizer|tokenizer_config|special_tokens_map|modules|sentence_bert_config|config_sentence_transformers)\.json$/,
  /^\d+_[A-Za-z]+\/config\.json$/,
  /^(?:LICENSE|NOTICE)(?:\.md|\.txt)?$/i,
];
/** Model graphs, the fastest first. 8-bit weights take a quarter of the memory and half of the time. */
const GRAPHS =
  'onnx/model_quantized.onnx onnx/model_int8.onnx onnx/model.onnx model_quantized.onnx model.onnx'.split(' ');

/** `vendor/name` or only a name. Each part begins with a letter or a digit, so that neither can be `..`. */
export const MODEL_ID = /^[A-Za-z0-9][\w.-]{0,95}(?:\/[A-Za-z0-9][\w.-]{0,95})?$/;

export function parseHubModel(id: string, answer: unknown) {
  const { data, error } = ANSWER.safeParse(answer);
  if (!data) throw upstreamError(`the hub's answer about ${id} cannot be read`, { cause: error });
  const { license } = data.cardData ?? {};
  const files = data.siblings.flatMap(({ rfilename: path, size, blobId, lfs }): HubFile[] => {
    if (!isSafe(path)) return [];
    if (lfs) return [{ path, size: lfs.size, digest: { algorithm: 'sha256', hex: lfs.sha256 } }];
    if (typeof size !== 'number' || !/^[0-9a-f]{40}$/.test(blobId ?? '')) return [];
    return [{ path, size, digest: { algorithm: 'git', hex: blobId ?? '' } }];
  });
  return { id, revision: data.sha, license: [license].flat()[0], files };
}

/** Chooses a graph (`graph` if given), its weights, the tokenizer and the settings. Throws AppError `not_found`. */
export function chooseModelFiles(
  { id, files }: HubModel,
  graph: string | undefined,
): { graph: string; files: HubFile[] } {
  const has = (path: string) => files.some((file) => file.path === path);
  const graphs = files.map(({ path }) => path).filter((path) => path.endsWith('.onnx'));
  const chosen = graph ?? GRAPHS.find(has) ?? (graphs.length === 1 ? graphs[0] : undefined);
  if (chosen === undefined || !graphs.includes(chosen)) throw notFoundError(lacking(id, graph, graphs));
  if (!has('tokenizer.json')) {
    throw notFoundError(
      `${id} has no tokenizer.json, which Magpie needs; search the hub for the name of the model with "onnx": most models have a copy with one`,
    );
  }
  const wanted = ({ path }: HubFile) =>
    path === chosen ||
    path === `${chosen}.data` ||
    path.startsWith(`${chosen}_data`) ||
    WANTED.some((pattern) => pattern.test(path));
  return { graph: chosen, files: files.filter(wanted) };
}

function lacking(id: string, graph: string | undefined, graphs: readonly string[]): string {
  const name = id.split('/').at(-1);
  if (graphs.length === 0) {
    return `${id} has no graph of ONNX; most models are there as ONNX too: try Xenova/${name} or onnx-community/${name}`;
  }
  const list = graphs.slice(0, 12).join(', ');
  return graph === undefined
    ? `${id} has several graphs: name one with --graph: ${list}`
    : `${id} has no ${graph}; it has ${list}`;
}

function isSafe(path: string): boolean {
  return path.length < 300 && path.split('/').every((part) => /^[A-Za-z0-9_][\w.-]*$/.test(part));
}
