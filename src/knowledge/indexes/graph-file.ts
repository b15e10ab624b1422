import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { digestStream } from '../../lib/digest-stream.ts';
import type { Int8Vectors } from './exact.ts';
import { REMOVED_VECTOR_ID } from './graph.ts';

export interface GraphFile {
  readonly dimensions: number;
  readonly model: string;
  /** Ids by the graph's labels: `labels[n]` is the id of label n. A removed vector has the id -1. */
  readonly labels: readonly number[];
  readonly copies: Int8Vectors;
}

const VERSION = 2;
const Header = z.object({
  version: z.literal(VERSION),
  dimensions: z.int(),
  model: z.string(),
  count: z.int().min(0),
  live: z.int().min(0),
  bytes: z.int(),
  graphHash: z.string(),
  labelsHash: z.string(),
});
const MAX_HEADER_BYTES = 4096;

/** Saves `<path>.graph`, and `<path>.labels` with a JSON header, the ids and the vectors as int8 numbers. */
export async function saveGraph(
  path: string,
  { dimensions, model, labels, copies }: GraphFile,
  write: (file: string) => Promise<unknown>,
): Promise<void> {
  const [graph, side] = [`${path}.graph`, `${path}.labels`].map((to) => ({
    to,
    from: `${to}.${randomUUID()}`,
  }));
  if (!graph || !side) return;
  const { ids, scales, numbers } = copies;
  const body = Buffer.concat(
    [Float64Array.from(labels), ids, scales, numbers].map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  );
  try {
    await write(graph.from);
    await flush(graph.from);
    const header: z.infer<typeof Header> = {
      version: VERSION,
      dimensions,
      model,
      count: labels.length,
      live: ids.length,
      bytes: (await stat(graph.from)).size,
      graphHash: await hashOf(graph.from),
      labelsHash: createHash('sha256').update(body).digest('hex'),
    };
    await writeFile(side.from, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]), {
      flush: true,
    });
    await rename(graph.from, graph.to);
    await rename(side.from, side.to);
  } finally {
    await Promise.all([graph, side].map(({ from }) => rm(from, { force: true })));
  }
}

/** Reads a saved graph's labels. Returns undefined for another model or a wrong checksum. */
export async function loadGraphLabels(
  path: string,
  { dimensions, model }: Pick<GraphFile, 'dimensions' | 'model'>,
): Promise<Pick<GraphFile, 'labels' | 'copies'> | undefined> {
  try {
    const side = await readFile(`${path}.labels`);
    const { header, end } = headerOf(side);
    const body = side.subarray(end + 1);
    const { count, live } = header;
    if (header.dimensions !== dimensions || header.model !== model) return undefined;
    if (body.length !== count * 8 + live * (16 + dimensions)) return undefined;
    if (createHash('sha256').update(body).digest('hex') !== header.labelsHash) return undefined;
    const { size } = await stat(`${path}.graph`);
    if (size !== header.bytes || (await hashOf(`${path}.graph`)) !== header.graphHash) return undefined;
    // Copies the bytes, because an array of 64-bit floats must begin at a multiple of 8.
    const { buffer } = new Uint8Array(body);
    const labels = Array.from(new Float64Array(buffer, 0, count));
    if (!labels.every((id) => Number.isSafeInteger(id) && id >= REMOVED_VECTOR_ID)) return undefined;
    const copies = {
      ids: new Float64Array(buffer, count * 8, live),
      scales: new Float64Array(buffer, (count + live) * 8, live),
      numbers: new Int8Array(buffer, (count + 2 * live) * 8, live * dimensions),
    };
    return { labels, copies };
  } catch {
    return undefined;
  }
}

export async function deleteGraph(path: string): Promise<void> {
  await Promise.all(['graph', 'labels'].map((end) => rm(`${path}.${end}`, { force: true })));
}

export async function listDamagedGraphs(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = new Set(names.flatMap((name) => /^(.+)\.(?:graph|labels)$/.exec(name)?.[1] ?? []));
  const damaged: string[] = [];
  for (const name of paths) {
    const path = join(folder, name);
    const header = await readHeader(path);
    if (!header || !(await loadGraphLabels(path, header))) damaged.push(path);
  }
  return damaged;
}

async function readHeader(path: string): Promise<z.infer<typeof Header> | undefined> {
  try {
    return headerOf(await readFile(`${path}.labels`)).header;
  } catch {
    return undefined;
  }
}

function headerOf(side: Buffer): { readonly header: z.infer<typeof Header>; readonly end: number } {
  const end = side.subarray(0, MAX_HEADER_BYTES).indexOf(10);
  return { header: Header.parse(JSON.parse(side.subarray(0, end).toString())), end };
}

const hashOf = async (file: string): Promise<string> =>
  (await digestStream(createReadStream(file, { highWaterMark: 1 << 18 }))).sha256;

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
