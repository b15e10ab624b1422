import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Fetched, GuardedFetch } from '../../lib/network/fetch.ts';
import type { HubFile } from './hub-listing.ts';

const PART_BYTES = 8_000_000;
const PART_TIMEOUT_MS = 120_000;
const MAX_REDIRECTS = 5;
const TRIES = 3;

export interface Download {
  readonly fetch: GuardedFetch;
  /** Hosts that may have private addresses, such as the operator's model server. */
  readonly allow: readonly string[];
  readonly signal: AbortSignal;
  readonly report: (bytes: number) => void;
}

/** Downloads a file in parts and resumes after an interruption. Throws AppError `upstream` for a wrong checksum. */
export async function downloadFile(
  url: string,
  file: HubFile,
  path: string,
  download: Download,
): Promise<void> {
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
  throw new AppError(
    'upstream',
    `${file.path} was downloaded, but its content is not what the hub lists: run the command again`,
  );
}

export async function computeHubDigest(
  path: string,
  { size, digest }: Pick<HubFile, 'size' | 'digest'>,
): Promise<string> {
  const hash = createHash(digest.algorithm === 'git' ? 'sha1' : 'sha256');
  if (digest.algorithm === 'git') hash.update(`blob ${size}\0`);
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(part);
  return hash.digest('hex');
}

async function fetchPart(
  url: string,
  from: number,
  file: HubFile,
  { fetch, allow, signal }: Download,
): Promise<Uint8Array> {
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

function partOf(
  { status, body }: Fetched,
  from: number,
  wanted: number,
  { path, size }: HubFile,
): Uint8Array {
  if (status === 206 && body.length === wanted) return body;
  // The server has ignored the range and sent the whole file.
  if (status === 200 && body.length === size) return body.subarray(from, from + wanted);
  const why =
    status === 206 || status === 200 ? `${body.length} bytes in the place of ${wanted}` : `status ${status}`;
  throw new AppError('upstream', `${path} could not be fetched: the hub answered with ${why}`);
}
