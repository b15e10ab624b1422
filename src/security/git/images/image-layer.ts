import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobId } from '../local/plain-file.ts';
import rules from './image-paths.json' with { type: 'json' };
import { readTar, type TarEntry } from './read-tar.ts';

export interface ImageFile {
  readonly bytes: number;
  /** Git's object id of the content, which is the name of its file. Undefined for a file that is too large to be kept. */
  readonly blob: string | undefined;
}

/** What a layer does to the layers below it. Paths have no leading slash. */
export interface ImageLayer {
  readonly files: Map<string, ImageFile>;
  /** Targets of hard links by the paths of the links. */
  readonly hardLinks: Map<string, string>;
  /** Paths that hide a file or folder of the layers below: whiteouts, symbolic links, devices. */
  readonly hidden: Set<string>;
  /** Folders whose contents in the layers below are hidden. */
  readonly opaque: Set<string>;
  readonly symbolicLinks: Set<string>;
}

export interface ImageLimits {
  /** Folder in which kept contents are written under their ids. */
  readonly folder: string;
  readonly fileBytes: number;
  readonly treeBytes: number;
  readonly entries: number;
}

export interface ImageTotals {
  entries: number;
  bytes: number;
  keptBytes: number;
  odd: number;
  devices: number;
  /** Entries of types that are not read. */
  unknown: number;
  isCut: boolean;
}

const MAX_UNPACKED_BYTES = 64 * 2 ** 30;
const MAX_PATH_LENGTH = 4096;
const SNIFFED_BYTES = 8000;
const compile = (patterns: readonly string[]) => patterns.map((one) => new RegExp(one));
const [KEEP, SYSTEM, INSTALLED, MANIFESTS] = [rules.keep, rules.system, rules.installed, rules.manifests].map(
  compile,
);
const fits = (patterns: readonly RegExp[] | undefined, path: string) =>
  patterns?.some((one) => one.test(path)) === true;

/** True for a file that a scanner may read: no part of the operating system, and of installed packages the manifests. */
export function isWantedInImage(path: string): boolean {
  if (fits(KEEP, path)) return true;
  if (fits(SYSTEM, path)) return false;
  return !fits(INSTALLED, path) || fits(MANIFESTS, path);
}

/** Reads one layer and writes the contents that scanners read. Throws for an archive that is damaged. */
export async function readLayer(
  source: AsyncIterable<Uint8Array>,
  limits: ImageLimits,
  totals: ImageTotals,
): Promise<ImageLayer> {
  const layer: ImageLayer = {
    files: new Map(),
    hardLinks: new Map(),
    hidden: new Set(),
    opaque: new Set(),
    symbolicLinks: new Set(),
  };
  const visit = async (entry: TarEntry) => {
    totals.entries++;
    totals.bytes += entry.size;
    if (totals.entries > limits.entries || totals.bytes > MAX_UNPACKED_BYTES) {
      totals.isCut = true;
      return false;
    }
    const path = plainPath(entry.path);
    if (path === undefined) totals.odd += isRoot(entry) ? 0 : 1;
    else await addEntry(path, entry, layer, limits, totals);
    return true;
  };
  await readTar(source, visit, (path) => {
    if (isWantedInImage(plainPath(path) ?? '')) totals.unknown++;
  });
  return layer;
}

async function addEntry(
  path: string,
  entry: TarEntry,
  layer: ImageLayer,
  limits: ImageLimits,
  totals: ImageTotals,
): Promise<void> {
  const slash = path.lastIndexOf('/');
  const [parent, name] = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
  if (name === '.wh..wh..opq') layer.opaque.add(parent);
  else if (name.startsWith('.wh.'))
    layer.hidden.add(parent === '' ? name.slice(4) : `${parent}/${name.slice(4)}`);
  else if (entry.type === 'folder') return;
  else if (entry.type !== 'file') {
    layer.hidden.add(path);
    layer.files.delete(path);
    const target = plainPath(entry.target);
    if (entry.type === 'symbolic link') layer.symbolicLinks.add(path);
    else if (entry.type !== 'hard link') totals.devices++;
    else if (target !== undefined && isWantedInImage(path)) layer.hardLinks.set(path, target);
  } else {
    layer.hidden.add(path);
    layer.hardLinks.delete(path);
    const file = isWantedInImage(path) ? await keepContent(path, entry, limits, totals) : undefined;
    if (file) layer.files.set(path, file);
    else layer.files.delete(path);
  }
}

/** Writes a content under its id. Returns undefined for a binary file, which no scanner reads. */
async function keepContent(
  path: string,
  { size, content }: TarEntry,
  { folder, fileBytes, treeBytes }: ImageLimits,
  totals: ImageTotals,
): Promise<ImageFile | undefined> {
  if (size > fileBytes || totals.keptBytes + size > treeBytes) return { bytes: size, blob: undefined };
  const bytes = await content();
  if (!fits(KEEP, path) && bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  const blob = blobId(bytes);
  const at = join(folder, blob);
  if (!existsSync(at)) {
    totals.keptBytes += bytes.length;
    writeFileSync(at, bytes, { mode: 0o600 });
  }
  return { bytes: bytes.length, blob };
}

function isRoot({ path, type }: TarEntry): boolean {
  return type === 'folder' && path.split('/').every((part) => part === '' || part === '.');
}

/** Returns a path without its leading `./` or slash. Undefined if it leads out of the image or is not a usable path. */
function plainPath(path: string): string | undefined {
  const plain = path.replace(/^\.?\/+/, '').replace(/\/$/, '');
  const isUsable = plain !== '' && plain.length <= MAX_PATH_LENGTH && !plain.includes('\0');
  return isUsable && plain.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
    ? plain
    : undefined;
}

export function mergeLayers(layers: readonly ImageLayer[]): Map<string, ImageFile> {
  const merged = new Map<string, ImageFile>();
  for (const { files, hardLinks, hidden, opaque } of layers) {
    const linked = [...hardLinks].flatMap(([path, target]): [string, ImageFile][] => {
      const file = files.get(target) ?? merged.get(target);
      return file ? [[path, file]] : [];
    });
    for (const path of merged.keys()) {
      if (isBelowAny(path, hidden, true) || isBelowAny(path, opaque, false) || opaque.has(''))
        merged.delete(path);
    }
    for (const [path, file] of [...files, ...linked]) {
      // A folder takes the place of a file below it.
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
        merged.delete(path.slice(0, at));
      merged.set(path, file);
    }
  }
  return merged;
}

/** True if one of the paths is a folder above `path`, or `path` itself with `orItself`. */
function isBelowAny(path: string, paths: ReadonlySet<string>, orItself: boolean): boolean {
  if (paths.size === 0) return false;
  if (orItself && paths.has(path)) return true;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (paths.has(path.slice(0, at))) return true;
  return false;
}

/** Returns the SHA-256 digest of what passes, once `source` was read to its end. */
export function digestOf(source: AsyncIterable<Uint8Array>): {
  readonly source: AsyncIterable<Uint8Array>;
  digest(): string;
} {
  const hash = createHash('sha256');
  async function* passing() {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { source: passing(), digest: () => hash.digest('hex') };
}
