import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError, badRequestError, notFoundError, upstreamError } from '../../errors.ts';
import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import type { FetchResult, GuardedFetch } from '../../lib/network/fetch.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { FetchedModel, ModelFetcher } from '../types.ts';
import { chooseModelFiles, type HubFile, type HubModel, MODEL_ID, parseHubModel } from './hub-listing.ts';
import { readModelFolder } from './model-folder.ts';

export interface FetchedModelsOptions {
  readonly folder: string;
  /** Site from which models are downloaded, such as `https://huggingface.co`, without a trailing slash. */
  readonly hub: string;
  readonly fetch: GuardedFetch;
}

const SOURCE_FILE = 'magpie-source.json';
const SOURCE = z.object({
  hub: z.string(),
  model: z.string(),
  revision: z.string(),
  license: z.string().optional(),
  graph: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      size: z.number(),
      digest: z.object({ algorithm: z.enum(['sha256', 'git']), hex: z.string() }),
    }),
  ),
});
type HubSource = z.output<typeof SOURCE>;
const PART = '.part';
const MAX_LISTING_BYTES = 5_000_000;
const LISTING_TIMEOUT_MS = 30_000;

export function createFetchedModels({ folder, hub, fetch }: FetchedModelsOptions): ModelFetcher {
  const lock = createKeyedLock();
  const allow = [new URL(hub).host];
  const placeOf = (id: string) => join(folder, ...checkId(id).split('/'));

  async function askHub(id: string, revision: string, signal: AbortSignal): Promise<HubModel> {
    const url = `${hub}/api/models/${id}/revision/${encodeURIComponent(revision)}?blobs=true`;
    const answer = await fetch(url, {
      ...{ signal, allow, headers: { accept: 'application/json' } },
      ...{ maxBytes: MAX_LISTING_BYTES, timeoutMs: LISTING_TIMEOUT_MS },
    });
    checkStatus(answer, id, revision);
    return parseHubModel(id, parseJsonOrNothing(new TextDecoder().decode(answer.body)));
  }

  async function add(
    id: string,
    { graph, revision = 'main' }: { graph?: string; revision?: string },
    watch: Parameters<ModelFetcher['add']>[2],
  ): Promise<FetchedModel> {
    const place = placeOf(id);
    const { signal, progress } = watch;
    await checkOwn(place);
    const model = await askHub(id, revision, signal);
    const chosen = chooseModelFiles(model, graph);
    const known = await readSource(place);
    if (known?.revision === model.revision && known.graph === chosen.graph) return describe(place, known);
    const part = `${place}${PART}`;
    await dropOthers(part, model.revision);
    const bytes = chosen.files.reduce((sum, { size }) => sum + size, 0);
    let before = 0;
    for (const file of chosen.files) {
      const url = `${hub}/${id}/resolve/${model.revision}/${file.path}`;
      const report = (at: number) =>
        progress(`${megabytes(before + at)} of ${megabytes(bytes)} MB: ${file.path}`);
      await downloadFile(url, file, join(part, file.path), { fetch, allow, signal, report });
      before += file.size;
    }
    const source: HubSource = { hub, model: id, revision: model.revision, license: model.license, ...chosen };
    await writeFile(join(part, SOURCE_FILE), `${JSON.stringify(source, undefined, 2)}\n`);
    await rm(join(part, REVISION_FILE), { force: true });
    // A folder with several graphs is rejected unless `magpie.json` names one of them.
    await writeFile(
      join(part, 'magpie.json'),
      `${JSON.stringify(await ownSettings(place, chosen.graph), undefined, 2)}\n`,
    );
    await rm(place, { recursive: true, force: true });
    await rename(part, place);
    return describe(place, source);
  }

  return {
    add: (id, options, watch) => lock.run(placeOf(id), () => add(id, options, watch)),
    async list() {
      const models: FetchedModel[] = [];
      for (const place of await placesIn(folder)) {
        const source = await readSource(place);
        if (source) models.push(await describe(place, source));
      }
      return models;
    },
    remove: (id) =>
      lock.run(placeOf(id), async () => {
        const place = placeOf(id);
        const gone = [`${place}${PART}`, ...(existsSync(join(place, SOURCE_FILE)) ? [place] : [])].filter(
          existsSync,
        );
        for (const one of gone) await rm(one, { recursive: true, force: true });
        if (id.includes('/')) await rmdir(dirname(place)).catch(() => {});
        return gone.length > 0;
      }),
  };
}

const REVISION_FILE = '.revision';

async function dropOthers(part: string, revision: string): Promise<void> {
  const kept = await readFile(join(part, REVISION_FILE), 'utf8').catch(() => '');
  if (kept !== revision) await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  await writeFile(join(part, REVISION_FILE), revision);
}

/** Refuses to replace a folder that Magpie did not download, because the user may have put a model there. */
async function checkOwn(place: string): Promise<void> {
  const names = await readdir(place).catch((): string[] => []);
  if (names.length === 0 || names.includes(SOURCE_FILE)) return;
  throw badRequestError(
    `${place} is there, and was not fetched by magpie model add: move it away, or use it as MAGPIE_EMBEDDER=file:${place}`,
  );
}

async function ownSettings(place: string, graph: string): Promise<object> {
  const text = new TextDecoder().decode(await readFile(join(place, 'magpie.json')).catch(() => undefined));
  const own: unknown = parseJsonOrNothing(text);
  return { ...(typeof own === 'object' ? own : {}), file: graph };
}

function checkId(id: string): string {
  if (MODEL_ID.test(id) && !id.includes('..')) return id;
  throw badRequestError(
    `${JSON.stringify(id.slice(0, 200))} is not a model's name, such as BAAI/bge-small-en-v1.5`,
  );
}

function checkStatus({ status }: FetchResult, id: string, revision: string): void {
  if (status === 200) return;
  if (status === 401 || status === 403 || status === 404) {
    throw notFoundError(
      `the hub has no model ${id} with a revision ${revision} that can be downloaded without an account: check the name; download a model that asks for consent by hand, and set MAGPIE_EMBEDDER=file:<folder>`,
    );
  }
  throw new AppError(
    status === 429 ? 'rate_limited' : 'upstream',
    `the hub answered about ${id} with status ${status}; try again later`,
  );
}

async function readSource(place: string): Promise<HubSource | undefined> {
  const text = await readFile(join(place, SOURCE_FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : SOURCE.safeParse(parseJsonOrNothing(text)).data;
}

/** Lists the folders one and two levels below, because a model's folder is `name` or `vendor/name`. */
async function placesIn(folder: string): Promise<string[]> {
  const below = async (parent: string) =>
    (await readdir(parent, { withFileTypes: true }).catch(() => []))
      .filter((one) => one.isDirectory() && !one.name.endsWith(PART))
      .map((one) => join(parent, one.name))
      .sort();
  const first = await below(folder);
  return [...first, ...(await Promise.all(first.map(below))).flat()];
}

async function describe(place: string, { model: id, revision, license, files, graph }: HubSource) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const about = { id, folder: place, revision, license, graph, bytes };
  const changed = await findChanged(place, files);
  if (changed !== undefined)
    return {
      ...about,
      problem: `${changed} is not as it was fetched; magpie model remove and add fetch it again`,
    };
  try {
    const { prefixes, pooling, maxTokens } = await readModelFolder(place);
    return { ...about, prefixes, pooling, maxTokens };
  } catch (error) {
    return { ...about, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function findChanged(place: string, files: readonly HubFile[]): Promise<string | undefined> {
  for (const file of files) {
    const path = join(place, file.path);
    const size = await stat(path).then(
      (found) => found.size,
      () => -1,
    );
    if (size !== file.size || (await computeHubDigest(path, file)) !== file.digest.hex) return file.path;
  }
  return undefined;
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

const PART_BYTES = 8_000_000;
const PART_TIMEOUT_MS = 120_000;
const MAX_REDIRECTS = 5;
const TRIES = 3;

interface Download {
  readonly fetch: GuardedFetch;
  /** Hosts that may have private addresses, such as the operator's model server. */
  readonly allow: readonly string[];
  readonly signal: AbortSignal;
  readonly report: (bytes: number) => void;
}

/** Downloads a file in parts, and resumes after an interruption. Throws AppError `upstream` if the checksum is wrong. */
async function downloadFile(url: string, file: HubFile, path: string, download: Download): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const kept = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  if (kept > file.size) await rm(path);
  const target = await open(path, 'a');
  try {
    for (let at = kept > file.size ? 0 : kept; at < file.size; ) {
      const part = await fetchPart(url, at, file, download);
      await target.appendFile(part);
      at += part.length;
      download.report(at);
    }
    await target.sync();
  } finally {
    await target.close();
  }
  const found = await computeHubDigest(path, file);
  if (found === file.digest.hex) return;
  await rm(path);
  throw upstreamError(
    `${file.path} was downloaded, but its content is not what the hub lists: run the command again`,
  );
}

async function computeHubDigest(path: string, { size, digest }: Pick<HubFile, 'size' | 'digest'>) {
  const hash = createHash(digest.algorithm === 'git' ? 'sha1' : 'sha256');
  if (digest.algorithm === 'git') hash.update(`blob ${size}\0`);
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(part);
  return hash.digest('hex');
}

async function fetchPart(url: string, from: number, file: HubFile, { fetch, allow, signal }: Download) {
  const to = Math.min(from + PART_BYTES, file.size) - 1;
  const wanted = to - from + 1;
  for (let tries = 1; ; tries++) {
    try {
      const answer = await fetch(url, {
        signal,
        allow,
        headers: { range: `bytes=${from}-${to}`, accept: '*/*', 'accept-encoding': 'identity' },
        maxBytes: Math.max(PART_BYTES, file.size <= PART_BYTES ? file.size : 0),
        timeoutMs: PART_TIMEOUT_MS,
        maxRedirects: MAX_REDIRECTS,
      });
      return partOf(answer, from, wanted, file);
    } catch (error) {
      signal.throwIfAborted();
      const again = error instanceof AppError && ['timeout', 'upstream', 'unavailable'].includes(error.code);
      if (!again || tries === TRIES) throw error;
    }
  }
}

function partOf({ status, body }: FetchResult, from: number, wanted: number, { path, size }: HubFile) {
  if (status === 206 && body.length === wanted) return body;
  if (status === 200 && body.length === size) return body.subarray(from, from + wanted);
  const why =
    status === 206 || status === 200 ? `${body.length} bytes in the place of ${wanted}` : `status ${status}`;
  throw upstreamError(`${path} could not be fetched: the hub answered with ${why}`);
}
