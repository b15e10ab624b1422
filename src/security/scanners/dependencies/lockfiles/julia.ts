import { textMemberOf } from '../../../../lib/json-members.ts';
import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { allHeaderLines, isTomlTable, listIn, parseToml, type TomlTable, tableIn } from './toml-tree.ts';

export const julia: LockfileParseFunction = (text, collector, { beside }) => {
  const root = parseToml(text);
  // Manifest format 2 has the packages in the table `deps`. Format 1 has the packages at the top level.
  const within = Object.hasOwn(root, 'manifest_format') ? 'deps' : undefined;
  const tables = within ? tableIn(root, within) : root;
  const headers = allHeaderLines(text);
  const entries = Object.entries(tables).flatMap(([name, list]) => {
    if (!Array.isArray(list)) return [];
    const lines = headers.get(`[[${within ? 'deps.' : ''}${name}]]`) ?? [];
    return list.filter(isTomlTable).flatMap((one, at) => {
      const version = textMemberOf(one, 'version');
      if (version === undefined) return [];
      const local = textMemberOf(one, 'path') !== undefined || textMemberOf(one, 'repo-url') !== undefined;
      const index = collector.addPackage({ name, version, line: lines[at] ?? 1, local });
      return [{ name, one, index }];
    });
  });
  const indexes = new Map(entries.map(({ name, index }) => [name, index]));
  for (const { one, index } of entries) {
    for (const needed of needsOf(one)) collector.addNeed(index, indexes.get(needed));
  }
  const project = parseToml(beside('Project.toml') ?? beside('JuliaProject.toml') ?? '');
  const compat = tableIn(project, 'compat');
  for (const name of Object.keys(tableIn(project, 'deps')))
    collector.addDirect(indexes.get(name), textMemberOf(compat, name));
};

/** Returns the names of a package's dependencies. `deps` is a list of names, or a table if names are ambiguous. */
function needsOf(entry: TomlTable): string[] {
  const named = Object.keys(tableIn(entry, 'deps'));
  return [...named, ...listIn(entry, 'deps').filter((one): one is string => typeof one === 'string')];
}
