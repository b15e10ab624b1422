import type { ScanOmissions } from '../scans/omissions.ts';
import type { PastFile, TreeFile } from '../trees/tree.ts';
import { type GitObjectReader, openObjectReader } from './object-reader.ts';
import { brokenRepositoryError, decodePath, readRecords } from './process.ts';
import { formatBytes } from './selection.ts';
import type { GitStore } from './store.ts';

export interface GitHistoryOptions {
  readonly store: GitStore;
  readonly commit: string;
  readonly files: readonly TreeFile[];
  readonly omissions: ScanOmissions;
  /** Folder to read, with a trailing slash, or '' for all folders. Yielded paths are relative to it. */
  readonly prefix: string;
  readonly signal: AbortSignal;
}

const MAX_BLOB_BYTES = 2 * 2 ** 20;
const MAX_TOTAL_BYTES = 4 * 2 ** 30;
const MAX_TOTAL_BLOBS = 2_000_000;
const PAGE_BLOBS = 256;
const CONTENTS_AT_ONCE = 8;

interface BlobCandidate {
  readonly blob: string;
  readonly path: string;
  readonly commit: string;
}

export async function* readGitHistory(options: GitHistoryOptions): AsyncGenerator<PastFile> {
  const { store, signal, omissions } = options;
  const sizes = openObjectReader(await store.start(['cat-file', '--batch-check'], signal), 'sizes');
  const contents = openObjectReader(await store.start(['cat-file', '--batch'], signal), 'contents');
  let large = 0;
  let total = 0;
  let count = 0;
  try {
    for await (const page of pagesOf(options)) {
      const found = await Promise.all(
        page.map(async (one) => ({ ...one, ...(await sizes.readObject(one.blob)) })),
      );
      const blobs = found.filter(({ type, bytes }) => type === 'blob' && bytes !== undefined);
      const wanted = blobs.filter(({ bytes = 0 }) => bytes <= MAX_BLOB_BYTES);
      large += blobs.length - wanted.length;
      for (let at = 0; at < wanted.length; at += CONTENTS_AT_ONCE) {
        for await (const past of read(wanted.slice(at, at + CONTENTS_AT_ONCE), contents)) {
          total += past.bytes;
          if (total > MAX_TOTAL_BYTES || ++count > MAX_TOTAL_BLOBS) {
            omissions.miss('limits', `all of the history past its newest ${formatBytes(total)}`);
            return;
          }
          yield past;
        }
        signal.throwIfAborted();
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    sizes.close();
    contents.close();
    if (large > 0)
      omissions.miss('large-files', `contents of the history over ${formatBytes(MAX_BLOB_BYTES)}: ${large}`);
  }
}

async function* read(wanted: readonly BlobCandidate[], contents: GitObjectReader): AsyncGenerator<PastFile> {
  const objects = await Promise.all(wanted.map(({ blob }) => contents.readObject(blob)));
  for (const [index, { blob, path, commit }] of wanted.entries()) {
    const object = objects[index];
    if (object) yield { blob, path, commit, bytes: object.bytes, content: object.content };
  }
}

async function* pagesOf({
  store,
  commit,
  files,
  prefix,
  signal,
}: GitHistoryOptions): AsyncGenerator<BlobCandidate[]> {
  const known = new Set(files.map(({ blob }) => blob));
  const process = await store.start(
    [
      'rev-list',
      '--objects',
      '--in-commit-order',
      '--missing=allow-any',
      '--all',
      commit,
      '--',
      ...(prefix ? [`:(top,literal)${prefix}`] : []),
    ],
    signal,
  );
  process.stdin.end();
  let page: BlobCandidate[] = [];
  let newest = commit;
  for await (const record of readRecords(process, 10)) {
    const space = record.indexOf(32);
    if (space < 0) {
      newest = record.toString('latin1');
      continue;
    }
    const blob = record.toString('latin1', 0, space);
    const path = decodePath(record.subarray(space + 1));
    if (known.has(blob) || path === '' || !path.startsWith(prefix)) continue;
    page.push({ blob, path: path.slice(prefix.length), commit: newest });
    if (page.length < PAGE_BLOBS) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
  const { ok, stderr } = await process.ended;
  signal.throwIfAborted();
  if (!ok) throw brokenRepositoryError('its history is malformed or not whole', stderr);
}
