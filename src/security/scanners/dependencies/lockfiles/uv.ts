import { createPackageCollector, type LockfileReader } from '../lockfile-reader.ts';
import { colonHashes, withHashes } from './hashes.ts';
import { pythonName } from './python-name.ts';
import {
  headerLines,
  isTomlTable,
  listIn,
  parseToml,
  stringIn,
  type TomlTable,
  tableIn,
} from './toml-tree.ts';

/** Reads `uv.lock`, in which the project and its workspace members are packages too. */
export const uv: LockfileReader = {
  kind: 'uv.lock',
  ecosystem: 'PyPI',
  wants: (path) => /(?:^|\/)uv\.lock$/.test(path),
  parse(text) {
    const root = parseToml(text);
    const lines = headerLines(text, '[[package]]');
    const collector = createPackageCollector();
    const indexes = new Map<string, number>();
    const entries = listIn(root, 'package').filter(isTomlTable);
    const owners = entries.map((entry, at) => {
      const name = pythonName(stringIn(entry, 'name') ?? '');
      const archives = [tableIn(entry, 'sdist'), ...listIn(entry, 'wheels')];
      const registry = stringIn(tableIn(entry, 'source'), 'registry');
      const index = collector.addPackage({
        name,
        // Uses version 0 for a local project whose version is computed by its build, since the lockfile has none.
        version: stringIn(entry, 'version') ?? (registry === undefined ? '0' : ''),
        line: lines[at] ?? 1,
        local: registry === undefined ? (true as const) : undefined,
        ...withHashes(colonHashes(archives.map((one) => stringIn(one, 'hash') ?? ''))),
      });
      indexes.set(name, index);
      indexes.set(`${name}@${stringIn(entry, 'version')}`, index);
      return index;
    });
    const find = (one: TomlTable) => {
      const name = pythonName(stringIn(one, 'name') ?? '');
      return indexes.get(`${name}@${stringIn(one, 'version')}`) ?? indexes.get(name) ?? -1;
    };
    entries.forEach((entry, at) => {
      const own = owners[at] ?? -1;
      const optional = tableIn(entry, 'optional-dependencies');
      const needed = [
        listIn(entry, 'dependencies'),
        ...Object.keys(optional).map((name) => listIn(optional, name)),
      ];
      for (const one of needed.flat().filter(isTomlTable)) collector.addNeed(own, find(one));
      const source = tableIn(entry, 'source');
      if (stringIn(source, 'virtual') === undefined && stringIn(source, 'editable') === undefined) return;
      const development = tableIn(entry, 'dev-dependencies');
      const groups = Object.keys(development).flatMap((name) => listIn(development, name));
      const directNeeds = [
        ...needed.flat().map((one) => ({ one, development: false })),
        ...groups.map((one) => ({ one, development: true })),
      ];
      for (const { one, development } of directNeeds) {
        if (isTomlTable(one)) collector.addDirect(find(one), undefined, development);
      }
      const metadata = tableIn(entry, 'metadata');
      for (const stated of listIn(metadata, 'requires-dist').filter(isTomlTable))
        collector.addNeed(-1, find(stated), stringIn(stated, 'specifier'));
    });
    return collector.finish();
  },
};
