import { textMemberOf } from '../../../../lib/json-members.ts';
import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { hexHash } from './hashes.ts';
import { addTables, isTomlTable, listIn, parseToml, type TomlTable, tableIn } from './toml-tree.ts';

const REGISTRY =
  /^(?:registry|sparse)\+https:\/\/(?:github\.com\/rust-lang\/crates\.io-index|index\.crates\.io\/)/;

/** Reads `Cargo.lock`. A package without `source` is a member of the workspace. */
export const cargo: LockfileParseFunction = (text, collector, { beside }) => {
  const root = parseToml(text);
  const indexes = new Map<string, number>();
  const entries = addTables(text, root, 'package', (entry, line) => {
    const [name, version] = [textMemberOf(entry, 'name') ?? '', textMemberOf(entry, 'version') ?? ''];
    const index = collector.addPackage({
      name,
      version,
      line,
      local: !REGISTRY.test(textMemberOf(entry, 'source') ?? ''),
      hashes: hexHash('sha256', textMemberOf(entry, 'checksum') ?? ''),
    });
    indexes.set(name, index);
    indexes.set(`${name} ${version}`, index);
    return index;
  });
  const directNeeds = manifestNeeds(beside('Cargo.toml'));
  for (const { entry, own } of entries) {
    const member = textMemberOf(entry, 'source') === undefined;
    for (const one of listIn(entry, 'dependencies')) {
      const to = indexes.get(withoutSource(String(one))) ?? -1;
      collector.addNeed(own, to);
      const needed = directNeeds.get(collector.packages[to]?.name ?? '');
      if (member) collector.addDirect(to, needed?.range, needed?.development);
    }
  }
};

function manifestNeeds(text: string | undefined): Map<string, { range: string; development: boolean }> {
  const directNeeds = new Map<string, { range: string; development: boolean }>();
  if (text === undefined) return directNeeds;
  const root = parseToml(text);
  const targets = Object.values(tableIn(root, 'target')).filter(isTomlTable);
  const read = (from: TomlTable, kind: string, development: boolean) => {
    for (const [name, one] of Object.entries(tableIn(from, kind))) {
      const range = isTomlTable(one) ? textMemberOf(one, 'version') : one;
      const real = (isTomlTable(one) ? textMemberOf(one, 'package') : undefined) ?? name;
      if (typeof range === 'string') directNeeds.set(real, { range, development });
    }
  };
  for (const one of [root, ...targets]) read(one, 'dev-dependencies', true);
  for (const one of [root, ...targets]) {
    read(one, 'build-dependencies', false);
    read(one, 'dependencies', false);
  }
  read(tableIn(root, 'workspace'), 'dependencies', false);
  return directNeeds;
}

function withoutSource(stated: string): string {
  const at = stated.endsWith(')') ? stated.indexOf(' (') : -1;
  return at < 0 ? stated : stated.slice(0, at);
}
