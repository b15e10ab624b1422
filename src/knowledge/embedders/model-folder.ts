import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EmbeddedKind } from '../embedding/embedder.ts';
import { type FolderSettings, readFolderSettings, unusableModelError } from './folder-settings.ts';

export interface ModelFolder extends Omit<FolderSettings, 'graph'> {
  /** `file:`, the folder's name, and a digest of the weights and of settings that affect the vectors. */
  readonly name: string;
  readonly folder: string;
  readonly graph: string;
  readonly bytes: number;
}

const SMALL_FILES = [
  'magpie.json',
  'config.json',
  'tokenizer_config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  'modules.json',
];
const MAX_SMALL_BYTES = 2_000_000;
const GRAPHS =
  'model.onnx onnx/model.onnx onnx/model_quantized.onnx onnx/model_int8.onnx model_quantized.onnx'.split(' ');
const DIGEST_CHARS = 12;

/** Reads a model's folder. `chosen` replaces the model's prefixes. Throws AppError `unavailable` with the cause. */
export async function readModelFolder(
  folder: string,
  chosen?: Readonly<Partial<Record<EmbeddedKind, string | undefined>>>,
): Promise<ModelFolder> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) throw unusableModelError(`there is no folder ${folder}`);
  if (!found.isDirectory()) throw unusableModelError(`${folder} is a file; name the folder that it is in`);
  const name = basename(folder);
  const files = await readSmallFiles(folder);
  const { graph: named, ...settings } = readFolderSettings(name, (path) => files.get(path), chosen);
  const graph = await findGraph(folder, named);
  if (!(await isFile(join(folder, 'tokenizer.json'))))
    throw unusableModelError(
      `${folder} has no tokenizer.json; a vocabulary alone does not do: save the model's fast tokenizer there`,
    );
  const digest = createHash('sha256');
  const { pooling, whole, prefixes, maxTokens } = settings;
  digest.update(JSON.stringify([pooling, whole, prefixes.passage, maxTokens]));
  let bytes = 0;
  for (const path of [graph, ...(await weightsBeside(folder, graph)), 'tokenizer.json']) {
    if (path !== 'tokenizer.json') bytes += (await stat(join(folder, path))).size;
    await hashInto(digest, join(folder, path));
  }
  const id = digest.digest('hex').slice(0, DIGEST_CHARS);
  return { ...settings, folder, graph, bytes, name: `file:${name}@${id}` };
}

async function readSmallFiles(folder: string): Promise<Map<string, unknown>> {
  const files = new Map<string, unknown>();
  const read = async (path: string) => {
    const content = await readJson(folder, path);
    if (content !== undefined) files.set(path, content);
  };
  for (const path of SMALL_FILES) await read(path);
  const below = await readdir(folder, { withFileTypes: true });
  for (const one of below) {
    if (one.isDirectory() && /^\d+_\w+$/.test(one.name)) await read(`${one.name}/config.json`);
  }
  return files;
}

async function readJson(folder: string, path: string): Promise<unknown> {
  const found = await stat(join(folder, path)).catch(() => undefined);
  if (!found) return undefined;
  if (found.size > MAX_SMALL_BYTES)
    throw unusableModelError(`${path} has ${found.size} bytes, which no such file has`);
  try {
    return JSON.parse(await readFile(join(folder, path), 'utf8'));
  } catch (cause) {
    throw unusableModelError(`${path} is not JSON`, cause);
  }
}

async function findGraph(folder: string, named: string | undefined): Promise<string> {
  if (named !== undefined) {
    const path = normalize(named);
    if (isAbsolute(path) || path.split(sep).includes('..'))
      throw unusableModelError('magpie.json: file is a path in its folder');
    if (await isFile(join(folder, path))) return path;
    throw unusableModelError(`magpie.json names the graph ${named}, which is not there`);
  }
  for (const path of GRAPHS) if (await isFile(join(folder, path))) return path;
  const all = [...(await listGraphs(folder, '')), ...(await listGraphs(folder, 'onnx'))];
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  throw unusableModelError(
    all.length > 1
      ? `${folder} has ${all.length} graphs: magpie.json says which, as {"file": ${JSON.stringify(only)}}`
      : `${folder} has no model.onnx, onnx/model.onnx or other graph of ONNX`,
  );
}

async function listGraphs(folder: string, below: string): Promise<string[]> {
  const names = await readdir(join(folder, below)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.onnx'))
    .map((name) => join(below, name))
    .sort();
}

async function weightsBeside(folder: string, graph: string): Promise<string[]> {
  const below = join(graph, '..');
  const names = await readdir(join(folder, below));
  const start = basename(graph);
  return names
    .filter((name) => name.startsWith(`${start}_data`) || name === `${start}.data`)
    .map((name) => join(below, name))
    .sort();
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

async function hashInto(digest: ReturnType<typeof createHash>, path: string): Promise<void> {
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), async (parts) => {
    for await (const part of parts) digest.update(part);
  });
}
