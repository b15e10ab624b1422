import { textMemberOf } from '../../../../lib/json-members.ts';
import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { isForeignRegistryUrl } from '../registries/foreign-registries.ts';
import { colonHashes } from './hashes.ts';
import { pythonName } from './python-name.ts';
import { addTables, isTomlTable, listIn, parseToml, type TomlTable, tableIn } from './toml-tree.ts';

export const uv: LockfileParseFunction = (text, collector) => {
  const root = parseToml(text);
  const indexes = new Map<string, number>();
  const entries = addTables(text, root, 'package', (entry, line) => {
    const name = pythonName(textMemberOf(entry, 'name') ?? '');
    const archives = [tableIn(entry, 'sdist'), ...listIn(entry, 'wheels')];
    const registry = textMemberOf(tableIn(entry, 'source'), 'registry');
    const index = collector.addPackage({
      name,
      // If a build computes a local project's version, the lockfile has no version. 0 is used instead.
      version: textMemberOf(entry, 'version') ?? (registry === undefined ? '0' : ''),
      line,
      local: registry === undefined,
      foreign: isForeignRegistryUrl(registry),
      hashes: colonHashes(archives.map((one) => textMemberOf(one, 'hash') ?? '')),
    });
    indexes.set(name, index);
    indexes.set(`${name}@${textMemberOf(entry, 'version')}`, index);
    return index;
  });
  const find = (one: TomlTable) => {
    const name = pythonName(textMemberOf(one, 'name') ?? '');
    return indexes.get(`${name}@${textMemberOf(one, 'version')}`) ?? indexes.get(name);
  };
  for (const { entry, own } of entries) {
    const optional = tableIn(entry, 'optional-dependencies');
    const needed = [
      listIn(entry, 'dependencies'),
      ...Object.keys(optional).map((name) => listIn(optional, name)),
    ];
    for (const one of needed.flat().filter(isTomlTable)) collector.addNeed(own, find(one));
    const source = tableIn(entry, 'source');
    if (textMemberOf(source, 'virtual') === undefined && textMemberOf(source, 'editable') === undefined)
      continue;
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
      collector.addNeed(-1, find(stated), textMemberOf(stated, 'specifier'));
  }
};
