import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobId } from '../local/plain-file.ts';
import type { TreeLimits } from '../selection.ts';
import rules from './image-paths.json' with { type: 'json' };
import { MAX_PATH_LENGTH, MAX_PATHS_LENGTH, readTar, type TarEntry } from './read-tar.ts';

export interface ContainerImageFile {
  readonly bytes: number;
  /** Git's object id of the content, and name of the stored file. Undefined above a size limit. */
  readonly blob: string | undefined;
}

/** Changes of one image layer to the layers below it. Paths have no leading slash. */
export interface ImageLayer {
  readonly files: Map<string, ContainerImageFile>;
  readonly hardLinks: Map<string, string>;
  /** Paths of lower layers that this layer replaces or deletes. The file `.wh.<name>` deletes `<name>`. */
  readonly hidden: Set<string>;
  readonly opaque: Set<string>;
  readonly symbolicLinks: Set<string>;
  readonly unread: Set<string>;
  /** Files that are scanned only because a hard link points to them. Their own paths are not scanned. */
  readonly linkTargets: Map<string, ContainerImageFile>;
}

export interface ImageLimits extends Omit<TreeLimits, 'files'> {
  /** Folder in which contents of files are stored. The file names are git's object ids of the contents. */
  readonly folder: string;
}

export interface ImageTotals {
  entries: number;
  bytes: number;
  keptBytes: number;
  pathsLength: number;
  odd: number;
  devices: number;
  unknown: number;
  lostLinks: number;
  isCut: boolean;
}

const MAX_UNPACKED_BYTES = 64 * 2 ** 30;
const MAX_HOPS = 10;
const SNIFFED_BYTES = 8000;
const compile = (patterns: readonly string[]) => patterns.map((one) => new RegExp(one));
const [KEEP, SYSTEM, INSTALLED, MANIFESTS] = [rules.keep, rules.system, rules.installed, rules.manifests].map(
  compile,
);
const fits = (patterns: readonly RegExp[] | undefined, path: string) =>
  patterns?.some((one) => one.test(path)) === true;

export function isWantedInImage(path: string): boolean {
  if (fits(KEEP, path)) return true;
  if (fits(SYSTEM, path)) return false;
  return !fits(INSTALLED, path) || fits(MANIFESTS, path);
}

/** Reads a layer and stores the files to scan, or only the files in `only`. Throws for a damaged layer. */
export async function readLayer(
  source: AsyncIterable<Uint8Array>,
  limits: ImageLimits,
  totals: ImageTotals,
  only?: ReadonlySet<string>,
): Promise<ImageLayer> {
  const layer: ImageLayer = {
    files: new Map(),
    hardLinks: new Map(),
    hidden: new Set(),
    opaque: new Set(),
    symbolicLinks: new Set(),
    unread: new Set(),
    linkTargets: new Map(),
  };
  const visit = async (entry: TarEntry) => {
    totals.entries++;
    totals.bytes += entry.size;
    totals.pathsLength += entry.path.length + entry.target.length;
    const isTooMuch = totals.bytes > MAX_UNPACKED_BYTES || totals.pathsLength > MAX_PATHS_LENGTH;
    if (totals.entries > limits.entries || isTooMuch) {
      totals.isCut = true;
      return false;
    }
    const path = plainPath(entry.path);
    if (path === undefined) totals.odd += isRoot(entry) ? 0 : 1;
    else if (!only) await addEntry(path, entry, { layer, limits, totals });
    else if (only.has(path) && entry.type === 'file') await addFile(path, entry, { layer, limits, totals });
    return true;
  };
  await readTar(source, visit, (path) => {
    if (isWantedInImage(plainPath(path) ?? '')) totals.unknown++;
  });
  return layer;
}

interface LayerReading {
  readonly layer: ImageLayer;
  readonly limits: ImageLimits;
  readonly totals: ImageTotals;
}

async function addEntry(path: string, entry: TarEntry, reading: LayerReading): Promise<void> {
  const { layer, totals } = reading;
  const slash = path.lastIndexOf('/');
  const [parent, name] = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
  if (name === '.wh..wh..opq') layer.opaque.add(parent);
  else if (name.startsWith('.wh.'))
    layer.hidden.add(parent === '' ? name.slice(4) : `${parent}/${name.slice(4)}`);
  else if (entry.type === 'folder') return;
  else if (entry.type !== 'file') {
    forgetPath(layer, path);
    const target = entry.type === 'hard link' ? plainPath(entry.target) : undefined;
    if (entry.type === 'symbolic link') layer.symbolicLinks.add(path);
    else if (target !== undefined) layer.hardLinks.set(path, target);
    else if (entry.type === 'hard link') totals.odd++;
    else {
      layer.unread.add(path);
      totals.devices++;
    }
  } else {
    forgetPath(layer, path);
    if (isWantedInImage(path)) await addFile(path, entry, reading);
  }
}

/** Removes earlier entries with this path, because a later entry of a tar archive replaces them. */
function forgetPath({ files, hardLinks, symbolicLinks, unread, hidden }: ImageLayer, path: string): void {
  for (const one of [files, hardLinks, symbolicLinks, unread]) one.delete(path);
  hidden.add(path);
}

async function addFile(path: string, entry: TarEntry, reading: LayerReading): Promise<void> {
  const file = await keepContent(path, entry, reading);
  if (file) reading.layer.files.set(path, file);
  else reading.layer.unread.add(path);
}

async function keepContent(
  path: string,
  { size, content }: TarEntry,
  { limits: { folder, fileBytes, treeBytes }, totals }: LayerReading,
): Promise<ContainerImageFile | undefined> {
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

const isRoot = ({ path, type }: TarEntry): boolean =>
  type === 'folder' && path.split('/').every((part) => part === '' || part === '.');

/** Removes a leading `./` or slash. Returns undefined for an invalid path and for a path with `..`. */
function plainPath(path: string): string | undefined {
  const plain = path.replace(/^\.?\/+/, '').replace(/\/$/, '');
  const isUsable = plain !== '' && plain.length <= MAX_PATH_LENGTH && !plain.includes('\0');
  return isUsable && plain.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
    ? plain
    : undefined;
}

export function findLeftOutTargets(layers: readonly ImageLayer[]): Set<string> {
  const targets = new Set<string>();
  for (const [at, { hardLinks }] of layers.entries())
    for (const path of hardLinks.keys())
      if (isWantedInImage(path)) followHardLink(layers, at, path, (target) => targets.add(target));
  return targets;
}

/** Returns a hard link's target. `left`: the target is not scanned. `lost`: the target is missing. */
function followHardLink(
  layers: readonly ImageLayer[],
  from: number,
  link: string,
  onLeftOut: (path: string) => void = () => {},
): ContainerImageFile | 'left' | 'lost' {
  let [path, at, hops] = [link, from, 0];
  while (at >= 0 && hops <= MAX_HOPS) {
    const layer = layers[at];
    const file = layer?.files.get(path) ?? layer?.linkTargets.get(path);
    if (file) return file;
    if (layer?.unread.has(path) || layer?.symbolicLinks.has(path)) return 'left';
    const next = layer?.hardLinks.get(path);
    if (next === undefined) {
      if (layer?.hidden.has(path) && !isWantedInImage(path)) onLeftOut(path);
      at--;
    } else {
      path = next;
      hops++;
    }
  }
  return 'lost';
}

export function mergeLayers(
  layers: readonly ImageLayer[],
  totals: ImageTotals,
): Map<string, ContainerImageFile> {
  const merged = new Map<string, ContainerImageFile>();
  for (const [at, { files, hardLinks, hidden, opaque }] of layers.entries()) {
    const linked = [...hardLinks.keys()]
      .filter(isWantedInImage)
      .flatMap((path): [string, ContainerImageFile][] => {
        const file = followHardLink(layers, at, path);
        if (file === 'lost') totals.lostLinks++;
        return typeof file === 'string' ? [] : [[path, file]];
      });
    for (const path of merged.keys()) {
      if (isBelowAny(path, hidden, true) || isBelowAny(path, opaque, false) || opaque.has(''))
        merged.delete(path);
    }
    for (const [path, file] of [...files, ...linked]) {
      // A file `a/b` of this layer removes a file `a` of a lower layer, because `a` is now a folder.
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
        merged.delete(path.slice(0, at));
      merged.set(path, file);
    }
  }
  return merged;
}

function isBelowAny(path: string, paths: ReadonlySet<string>, orItself: boolean): boolean {
  if (paths.size === 0) return false;
  if (orItself && paths.has(path)) return true;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (paths.has(path.slice(0, at))) return true;
  return false;
}
