import type { LockedPackageIndex, LockfileParseFunction, PackageCollector } from '../lockfile-reader.ts';
import { isForeignRegistryUrl } from '../registries/foreign-registries.ts';
import { integrityHashes } from './hashes.ts';
import { type Json, type JsonArray, objectIn, parseJson, textsIn } from './json-tree.ts';

const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const;

/** Reads `bun.lock`, bun's lockfile in text format. The older binary format is not read. */
export const bun: LockfileParseFunction = (text, collector) => {
  const { root, lines } = parseJson(text);
  const indexes = new Map<string, number>();
  const infos: { readonly place: string; readonly own: number; readonly info: Json }[] = [];
  for (const [place, entry] of objectIn(root, 'packages').members) {
    if (typeof entry !== 'object' || entry === null || !('items' in entry)) continue;
    const one = packageOf(entry, lines.lineAt(entry.at));
    if (!one) continue;
    const own = collector.addPackage(one);
    indexes.set(place, own);
    infos.push({ place, own, info: entry.items[2] ?? null });
  }
  for (const { place, own, info } of infos) {
    for (const kind of [...KINDS, 'peerDependencies']) {
      for (const [name, range] of textsIn(info, kind))
        collector.addNeed(own, indexFrom(indexes, place, name), range);
    }
  }
  addDirectNeeds(root, indexes, collector);
};

function packageOf({ items }: JsonArray, line: number) {
  const [stated, registry, , integrity] = items;
  if (typeof stated !== 'string') return undefined;
  const cut = stated.indexOf('@', 1);
  const known = typeof integrity === 'string' ? integrity : undefined;
  return {
    name: stated.slice(0, cut),
    version: stated.slice(cut + 1),
    line,
    local: known === undefined,
    foreign: isForeignRegistryUrl(registry),
    hashes: integrityHashes(known),
  };
}

function addDirectNeeds(root: Json, indexes: ReadonlyMap<string, number>, collector: PackageCollector): void {
  for (const [folder, workspace] of objectIn(root, 'workspaces').members) {
    for (const kind of KINDS) {
      for (const [name, range] of textsIn(workspace, kind)) {
        collector.addDirect(indexFrom(indexes, folder, name), range, kind === 'devDependencies');
      }
    }
  }
}

function indexFrom(indexes: ReadonlyMap<string, number>, place: string, name: string): LockedPackageIndex {
  for (let base = place; base !== ''; base = base.slice(0, Math.max(0, base.lastIndexOf('/')))) {
    const found = indexes.get(`${base}/${name}`);
    if (found !== undefined) return found;
  }
  return indexes.get(name);
}
