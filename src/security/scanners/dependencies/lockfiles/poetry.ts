import { textMemberOf } from '../../../../lib/json-members.ts';
import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { isForeignRegistryUrl } from '../registries/foreign-registries.ts';
import { colonHashes } from './hashes.ts';
import { pythonName } from './python-name.ts';
import { pythonProjectNeeds } from './python-project.ts';
import { addTables, isTomlTable, listIn, parseToml, type TomlTable, tableIn } from './toml-tree.ts';

export const poetry: LockfileParseFunction = (text, collector, { beside }) => {
  const root = parseToml(text);
  const indexes = new Map<string, number>();
  const entries = addTables(text, root, 'package', (entry, line) => {
    const name = pythonName(textMemberOf(entry, 'name') ?? '');
    const index = collector.addPackage({
      name,
      version: textMemberOf(entry, 'version') ?? '',
      line,
      ...developmentOf(entry),
      local: /^(?:git|directory|file|url)$/.test(textMemberOf(tableIn(entry, 'source'), 'type') ?? ''),
      foreign: isForeignRegistryUrl(textMemberOf(tableIn(entry, 'source'), 'url')),
      hashes: colonHashes(filesOf(entry, root).map((file) => textMemberOf(file, 'hash') ?? '')),
    });
    indexes.set(name, index);
    return index;
  });
  for (const { entry, own } of entries) {
    for (const [name, one] of Object.entries(tableIn(entry, 'dependencies'))) {
      const range = isTomlTable(one) ? textMemberOf(one, 'version') : one;
      const to = indexes.get(pythonName(name));
      collector.addNeed(own, to, typeof range === 'string' ? range : undefined);
    }
  }
  for (const { name, range, development } of pythonProjectNeeds(beside('pyproject.toml')))
    collector.addDirect(indexes.get(name), range, development);
};

function developmentOf(entry: TomlTable): { development?: boolean } {
  const groups = listIn(entry, 'groups');
  if (groups.length > 0) return { development: !groups.includes('main') };
  const category = textMemberOf(entry, 'category');
  return category === undefined ? {} : { development: category === 'dev' };
}

function filesOf(entry: TomlTable, root: TomlTable): readonly unknown[] {
  const own = listIn(entry, 'files');
  if (own.length > 0) return own;
  return listIn(tableIn(tableIn(root, 'metadata'), 'files'), textMemberOf(entry, 'name') ?? '');
}
