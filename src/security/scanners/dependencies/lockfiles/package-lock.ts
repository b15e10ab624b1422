import {
  BrokenLockfileError,
  type DirectDependency,
  type LockfileParseFunction,
  type PackageCollector,
} from '../lockfile-reader.ts';
import { isForeignRegistryUrl } from '../registries/foreign-registries.ts';
import { integrityHashes } from './hashes.ts';
import { isObject, type Json, type JsonObject, objectIn, parseJson, textIn, textsIn } from './json-tree.ts';

const FOLDER = 'node_modules/';
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

export const packageLock: LockfileParseFunction = (text, collector, { beside }) => {
  const { root, lines } = parseJson(text);
  if (!isObject(root)) throw new BrokenLockfileError('it is not a JSON object');
  const packages = objectIn(root, 'packages');
  const lineOf = (one: JsonObject) => lines.lineAt(one.at);
  if (packages.members.size > 0) flat(packages, lineOf, collector);
  else nested(root, beside('package.json'), lineOf, collector);
};

function flat({ members }: JsonObject, lineOf: (one: JsonObject) => number, collector: PackageCollector) {
  const indexes = new Map<string, number>();
  for (const [path, entry] of members) {
    const at = path.lastIndexOf(FOLDER);
    if (!isObject(entry) || at < 0 || entry.members.get('link') === true) continue;
    const name = textIn(entry, 'name') ?? path.slice(at + FOLDER.length);
    const index = collector.addPackage({
      name,
      version: textIn(entry, 'version') ?? '',
      ...factsOf(entry, lineOf),
    });
    if (index >= 0) indexes.set(path, index);
  }
  for (const [path, entry] of members) {
    const [own = -1, isRoot] = [indexes.get(path), !path.includes(FOLDER)];
    addNeeds({ entry, own, isRoot, find: (name) => placeOf(path, name, indexes) }, collector);
  }
}

interface PackageNeeds {
  readonly entry: Json;
  readonly own: number;
  readonly isRoot: boolean;
  find(name: string): number;
}

function addNeeds({ entry, own, isRoot, find }: PackageNeeds, collector: PackageCollector): void {
  for (const kind of KINDS) {
    if (kind === 'devDependencies' && !isRoot) continue;
    for (const [name, range] of textsIn(entry, kind)) {
      const to = find(name);
      collector.addNeed(own, to, range);
      const used = collector.packages[to];
      if (isRoot && used && kind !== 'peerDependencies') used.direct = true;
    }
  }
}

/** Returns the index of the package that Node.js would load from the nearest `node_modules`, or -1. */
function placeOf(path: string, name: string, indexes: ReadonlyMap<string, number>): number {
  for (let base = path; ; ) {
    const found = indexes.get(`${base === '' ? '' : `${base}/`}${FOLDER}${name}`);
    if (found !== undefined) return found;
    if (base === '') return -1;
    const at = base.lastIndexOf(`/${FOLDER}`);
    base = at < 0 ? '' : base.slice(0, at);
  }
}

function factsOf(entry: JsonObject, lineOf: (one: JsonObject) => number) {
  const resolved = textIn(entry, 'resolved') ?? '';
  const version = textIn(entry, 'version') ?? '';
  const local = /^(?:git|file|link|github:)/.test(resolved) || /^(?:git|file:|https?:|github:)/.test(version);
  const license = textIn(entry, 'license');
  return {
    line: lineOf(entry),
    development: entry.members.get('dev') === true,
    license,
    local,
    foreign: isForeignRegistryUrl(resolved),
    hashes: integrityHashes(textIn(entry, 'integrity')),
  };
}

interface Level {
  readonly members: ReadonlyMap<string, Json>;
  readonly above: Level | undefined;
  readonly indexes: Map<string, number>;
}

/** Reads lockfile version 1. The entry of a package contains the entries of packages in its own `node_modules`. */
function nested(
  root: JsonObject,
  manifest: string | undefined,
  lineOf: (one: JsonObject) => number,
  collector: PackageCollector,
): void {
  const levels: { readonly level: Level; readonly own: number; readonly entry: JsonObject }[] = [];
  const top = open(root, undefined);
  function open(owner: JsonObject, above: Level | undefined): Level {
    const level: Level = { members: objectIn(owner, 'dependencies').members, above, indexes: new Map() };
    for (const [name, entry] of level.members) {
      if (!isObject(entry)) continue;
      const stated = textIn(entry, 'version') ?? '';
      const [, real = name, version = stated] = /^npm:(.+)@([^@]+)$/.exec(stated) ?? [];
      const own = collector.addPackage({ name: real, version, ...factsOf(entry, lineOf) });
      if (own >= 0) level.indexes.set(name, own);
      const below = objectIn(entry, 'dependencies').members.size > 0 ? open(entry, level) : level;
      levels.push({ level: below, own, entry });
    }
    return level;
  }
  for (const { level, own, entry } of levels) {
    for (const [name, range] of textsIn(entry, 'requires'))
      collector.addNeed(own, indexFrom(level, name), range);
  }
  if (manifest === undefined) return;
  const find = (name: string) => top.indexes.get(name) ?? -1;
  addNeeds({ entry: parseJson(manifest).root, own: -1, isRoot: true, find }, collector);
}

function indexFrom(level: Level, name: string): number {
  for (let here: Level | undefined = level; here; here = here.above) {
    const index = here.indexes.get(name);
    if (index !== undefined) return index;
  }
  return -1;
}

export function npmManifestNeeds(manifest: string | undefined): DirectDependency[] {
  if (manifest === undefined) return [];
  const { root } = parseJson(manifest);
  return (['dependencies', 'optionalDependencies', 'devDependencies'] as const).flatMap((kind) =>
    textsIn(root, kind).map(([name, range]) => ({ name, range, development: kind === 'devDependencies' })),
  );
}
