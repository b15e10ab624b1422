import { textMemberOf } from '../../../../lib/json-members.ts';
import type { LockfileParseFunction, PackageCollector } from '../lockfile-reader.ts';
import { colonHashes } from './hashes.ts';
import { pythonName, pythonRequirement } from './python-name.ts';
import { pythonProjectNeeds } from './python-project.ts';
import { addTables, listIn, parseToml, type TomlTable, tableIn } from './toml-tree.ts';

export const pdm: LockfileParseFunction = (text, collector, { beside }) =>
  readPackages(text, 'package', collector, beside('pyproject.toml'));

/** Reads `pylock.toml` (PEP 751), which pip, uv and pdm write. */
export const pylock: LockfileParseFunction = (text, collector, { beside }) =>
  readPackages(text, 'packages', collector, beside('pyproject.toml'));

function readPackages(text: string, list: string, collector: PackageCollector, project: string | undefined) {
  const indexes = new Map<string, number>();
  const entries = addTables(text, parseToml(text), list, (entry, line) => {
    const name = pythonName(textMemberOf(entry, 'name') ?? '');
    const one = { name, version: textMemberOf(entry, 'version') ?? '0', line };
    const own = collector.addPackage({ ...one, ...placeOf(entry), hashes: hashesOf(entry) });
    indexes.set(name, own);
    return own;
  });
  for (const { entry } of entries) addNeeds(entry, indexes, collector);
  for (const { name, range, development } of pythonProjectNeeds(project)) {
    collector.addDirect(indexes.get(name), range, development);
  }
}

function placeOf(entry: TomlTable): { local: boolean; development?: boolean } {
  const groups = listIn(entry, 'groups');
  const local = ['git', 'path', 'url', 'vcs', 'directory', 'archive'].some((one) =>
    Object.hasOwn(entry, one),
  );
  return { local, development: groups.length > 0 ? !groups.includes('default') : undefined };
}

function hashesOf(entry: TomlTable) {
  const stated = listIn(entry, 'files').map((file) => textMemberOf(file, 'hash') ?? '');
  const archives = [tableIn(entry, 'sdist'), ...listIn(entry, 'wheels')];
  const sums = archives.map((one) => `sha256:${textMemberOf(tableIn(one, 'hashes'), 'sha256') ?? ''}`);
  return colonHashes([...stated, ...sums]);
}

function addNeeds(entry: TomlTable, indexes: ReadonlyMap<string, number>, collector: PackageCollector): void {
  const own = indexes.get(pythonName(textMemberOf(entry, 'name') ?? ''));
  for (const one of listIn(entry, 'dependencies')) {
    const need = pythonRequirement(typeof one === 'string' ? one : (textMemberOf(one, 'name') ?? ''));
    if (need) collector.addNeed(own, indexes.get(need.name), need.range || undefined);
  }
}
