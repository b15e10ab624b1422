import { createCollector, type LockfileReader } from '../locked.ts';
import { integrityHashes, withHashes } from './hashes.ts';
import { type Json, objectIn, parseJson, textsIn } from './json-tree.ts';

const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const;

/** `bun.lock`, the text form; `bun.lockb` is binary, and bun itself no longer writes it. */
export const bun: LockfileReader = {
  kind: 'bun.lock',
  ecosystem: 'npm',
  wants: (path) => /(?:^|\/)bun\.lock$/.test(path),
  parse(text) {
    const { root, lines } = parseJson(text);
    const collector = createCollector();
    const indexes = new Map<string, number>();
    const facts: { readonly place: string; readonly own: number; readonly entry: Json }[] = [];
    for (const [place, entry] of objectIn(root, 'packages').members) {
      if (typeof entry !== 'object' || entry === null || !('items' in entry)) continue;
      const [told, , info = null, integrity] = entry.items;
      if (typeof told !== 'string') continue;
      const cut = told.indexOf('@', 1);
      const version = told.slice(cut + 1);
      const known = typeof integrity === 'string' ? integrity : undefined;
      const own = collector.add({
        name: told.slice(0, cut),
        version,
        line: lines.lineAt(entry.at),
        local: known === undefined ? (true as const) : undefined,
        ...withHashes(integrityHashes(known)),
      });
      indexes.set(place, own);
      facts.push({ place, own, entry: info });
    }
    for (const { place, own, entry } of facts) {
      for (const kind of [...KINDS, 'peerDependencies']) {
        for (const [name, range] of textsIn(entry, kind))
          collector.link(own, seek(indexes, place, name), range);
      }
    }
    for (const [folder, workspace] of objectIn(root, 'workspaces').members) {
      for (const kind of KINDS) {
        for (const [name, range] of textsIn(workspace, kind)) {
          collector.wish(seek(indexes, folder, name), range, kind === 'devDependencies');
        }
      }
    }
    return collector.done();
  },
};

/** The nearest one upwards: `a/b` before `b`. */
function seek(indexes: ReadonlyMap<string, number>, place: string, name: string): number {
  for (let base = place; base !== ''; base = base.slice(0, Math.max(0, base.lastIndexOf('/')))) {
    const found = indexes.get(`${base}/${name}`);
    if (found !== undefined) return found;
  }
  return indexes.get(name) ?? -1;
}
