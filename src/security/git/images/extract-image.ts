import { createReadStream } from 'node:fs';
import { posix } from 'node:path';
import { createDigestingStream } from '../../../lib/digest-stream.ts';
import {
  type ContainerImageFile,
  findLeftOutTargets,
  type ImageLayer,
  type ImageLimits,
  type ImageTotals,
  mergeLayers,
  readLayer,
} from './image-layer.ts';
import { findLayers, type ImageDocuments } from './image-manifest.ts';
import { MAX_PATH_LENGTH, MAX_PATHS_LENGTH, readTar } from './read-tar.ts';

export interface ContainerImageJob extends ImageLimits {
  readonly archive: string;
  readonly files: number;
}

export interface ImageContents {
  /** Files sorted by path, at most `job.files` + 1. The extra file shows that the limit is exceeded. */
  readonly files: readonly (readonly [path: string, file: ContainerImageFile])[];
  readonly symbolicLinks: readonly string[];
  readonly totals: ImageTotals;
  readonly missing: number;
  readonly changed: number;
  readonly damaged: number;
  readonly others: number;
}

/** Index documents of an image. Their size does not count towards `MAX_DOCUMENTS_BYTES`. */
const FIRST_DOCUMENTS: ReadonlySet<string> = new Set(['manifest.json', 'index.json', 'oci-layout']);
/** Entry names that show that an archive is a saved container image and not an archive of plain files. */
const SAVED = /^oci-layout$|^blobs\/sha256\/[0-9a-f]{64}$|^[^/]+\/layer\.tar$|^[0-9a-f]{64}\.tar$/;
const DOCUMENT = /^[^/]+\.json$|^blobs\//;
const MAX_DOCUMENT_BYTES = 4_000_000;
const MAX_DOCUMENTS_BYTES = 64_000_000;
const CHUNK_BYTES = 1 << 18;

/** Extracts a tar archive: an OCI image, an image of `docker save` (with `manifest.json`), or plain files. */
export async function extractContainerImage(job: ContainerImageJob) {
  const totals: ImageTotals = {
    entries: 0,
    bytes: 0,
    keptBytes: 0,
    pathsLength: 0,
    odd: 0,
    devices: 0,
    unknown: 0,
    lostLinks: 0,
    isCut: false,
  };
  const open = () => createReadStream(job.archive, { highWaterMark: CHUNK_BYTES });
  try {
    const { layers: wanted, others } = findLayers(await readDocuments(open(), job.entries));
    const found = new Map<string, ImageLayer>();
    let [changed, damaged] = [0, 0];
    if (wanted === undefined) found.set('', await readLayer(open(), job, totals));
    else {
      await readTar(open(), async ({ path, type, stream }) => {
        const name = posix.normalize(path);
        const layer =
          type === 'file' && !found.has(name) ? wanted.find((one) => one.name === name) : undefined;
        if (!layer) return true;
        const passing = createDigestingStream(stream);
        try {
          found.set(name, await readLayer(passing.source, job, totals));
          for await (const _ of passing.source);
          if (layer.digest !== undefined && !totals.isCut && passing.digest().sha256 !== layer.digest)
            changed++;
        } catch {
          damaged++;
        }
        return true;
      });
    }
    const names = wanted?.map(({ name }) => name) ?? [''];
    const layers = names.flatMap((name) => found.get(name) ?? []);
    const targets = findLeftOutTargets(layers);
    if (targets.size > 0) await readLinkTargets(open(), found, targets, job, totals);
    const files = [...mergeLayers(layers, totals)].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      files: withoutLockedManifests(files).slice(0, job.files + 1),
      symbolicLinks: layers.flatMap(({ symbolicLinks }) => [...symbolicLinks]).slice(0, job.files),
      totals,
      missing: names.length - layers.length - damaged,
      changed,
      damaged,
      others,
    };
  } catch (thrown) {
    return { broken: thrown instanceof Error ? thrown.message.slice(0, 200) : 'it cannot be read' };
  }
}

/** A scanned hard link may point to a file that was skipped. Reads the archive again to store such files. */
async function readLinkTargets(
  source: AsyncIterable<Uint8Array>,
  found: ReadonlyMap<string, ImageLayer>,
  targets: ReadonlySet<string>,
  job: ContainerImageJob,
  { ...totals }: ImageTotals,
): Promise<void> {
  [totals.entries, totals.bytes, totals.pathsLength] = [0, 0, 0];
  const add = async (layer: ImageLayer, stream: AsyncIterable<Uint8Array>) => {
    const { files, unread } = await readLayer(stream, job, totals, targets);
    for (const [path, file] of files) layer.linkTargets.set(path, file);
    for (const path of unread) layer.unread.add(path);
  };
  const plain = found.get('');
  if (plain) return add(plain, source);
  const waiting = new Map(found);
  await readTar(source, async ({ path, type, stream }) => {
    const name = posix.normalize(path);
    const layer = type === 'file' ? waiting.get(name) : undefined;
    if (layer) {
      waiting.delete(name);
      await add(layer, stream);
    }
    return waiting.size > 0;
  });
}

async function readDocuments(source: AsyncIterable<Uint8Array>, maxEntries: number): Promise<ImageDocuments> {
  const documents = new Map<string, Buffer>();
  const links = new Map<string, string>();
  let bytes = 0;
  let [entries, pathsLength] = [0, 0];
  let isSaved = false;
  await readTar(source, async ({ path, type, size, target, content }) => {
    if (++entries > maxEntries) return false;
    if (Math.max(path.length, target.length) > MAX_PATH_LENGTH) return true;
    const name = posix.normalize(path);
    const isFirst = FIRST_DOCUMENTS.has(name);
    isSaved ||= SAVED.test(name) || (isFirst && size > MAX_DOCUMENT_BYTES);
    pathsLength += name.length + target.length;
    const isHeld = pathsLength <= MAX_PATHS_LENGTH;
    if (isHeld && target !== '')
      links.set(name, posix.join(type === 'symbolic link' ? posix.dirname(name) : '', target));
    if (type !== 'file' || size > MAX_DOCUMENT_BYTES) return true;
    if (isFirst) documents.set(name, await content());
    else if (isHeld && DOCUMENT.test(name) && bytes + size <= MAX_DOCUMENTS_BYTES) {
      bytes += size;
      documents.set(name, await content());
    }
    return true;
  });
  return { documents, links, isSaved };
}

/** Drops files in `node_modules` beside a lockfile, because the lockfile lists the installed packages. */
function withoutLockedManifests<T>(files: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  const lockfile =
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock)$/;
  const locked = new Set(files.flatMap(([path]) => (lockfile.test(path) ? [posix.dirname(path)] : [])));
  return files.filter(([path]) => {
    const at = path.startsWith('node_modules/') ? 0 : path.indexOf('/node_modules/');
    return at < 0 || !locked.has(at === 0 ? '.' : path.slice(0, at));
  });
}
