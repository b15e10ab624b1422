import { createPackageCollector, type LockfileReader, type PackageCollector } from '../lockfile-reader.ts';
import { colonHashes, withHashes } from './hashes.ts';
import { pythonName, pythonRequirement } from './python-name.ts';
import { pythonProjectNeeds } from './python-project.ts';
import {
  headerLines,
  isTomlTable,
  listIn,
  parseToml,
  stringIn,
  type TomlTable,
  tableIn,
} from './toml-tree.ts';

export const pdm: LockfileReader = {
  kind: 'pdm.lock',
  ecosystem: 'PyPI',
  wants: (path) => /(?:^|\/)pdm\.lock$/.test(path),
  beside: ['pyproject.toml'],
  parse: (text, { beside }) => readPackages(text, 'package', beside('pyproject.toml')),
};

/** Reads `pylock.toml` (PEP 751), which pip, uv and pdm write. */
export const pylock: LockfileReader = {
  kind: 'pylock.toml',
  ecosystem: 'PyPI',
  wants: (path) => /(?:^|\/)pylock(?:\.[\w-]{1,100})?\.toml$/.test(path),
  beside: ['pyproject.toml'],
  parse: (text, { beside }) => readPackages(text, 'packages', beside('pyproject.toml')),
};

/** Reads packages from the named list of a lockfile. Dependencies are names, requirements or tables. */
function readPackages(text: string, list: string, project: string | undefined) {
  const root = parseToml(text);
  const lines = headerLines(text, `[[${list}]]`);
  const collector = createPackageCollector();
  const entries = listIn(root, list).filter(isTomlTable);
  const indexes = new Map<string, number>();
  for (const [at, entry] of entries.entries()) {
    const name = pythonName(stringIn(entry, 'name') ?? '');
    const one = { name, version: stringIn(entry, 'version') ?? '0', line: lines[at] ?? 1 };
    indexes.set(name, collector.addPackage({ ...one, ...placeOf(entry), ...withHashes(hashesOf(entry)) }));
  }
  for (const entry of entries) addNeeds(entry, indexes, collector);
  for (const { name, range, development } of pythonProjectNeeds(project)) {
    collector.addDirect(indexes.get(name) ?? -1, range, development);
  }
  return collector.finish();
}

function placeOf(entry: TomlTable): { local?: true; development?: boolean } {
  const groups = listIn(entry, 'groups');
  const local = ['git', 'path', 'url', 'vcs', 'directory', 'archive'].some((one) =>
    Object.hasOwn(entry, one),
  );
  return {
    ...(local && { local: true as const }),
    ...(groups.length > 0 && { development: !groups.includes('default') }),
  };
}

function hashesOf(entry: TomlTable) {
  const stated = listIn(entry, 'files').map((file) => stringIn(file, 'hash') ?? '');
  const archives = [tableIn(entry, 'sdist'), ...listIn(entry, 'wheels')];
  const sums = archives.map((one) => `sha256:${stringIn(tableIn(one, 'hashes'), 'sha256') ?? ''}`);
  return colonHashes([...stated, ...sums]);
}

function addNeeds(entry: TomlTable, indexes: ReadonlyMap<string, number>, collector: PackageCollector): void {
  const own = indexes.get(pythonName(stringIn(entry, 'name') ?? '')) ?? -1;
  for (const one of listIn(entry, 'dependencies')) {
    const need = pythonRequirement(typeof one === 'string' ? one : (stringIn(one, 'name') ?? ''));
    if (need) collector.addNeed(own, indexes.get(need.name) ?? -1, need.range || undefined);
  }
}
