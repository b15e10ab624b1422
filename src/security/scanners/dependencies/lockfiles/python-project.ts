import { textMemberOf } from '../../../../lib/json-members.ts';
import type { DirectDependency } from '../lockfile-reader.ts';
import { pythonName, pythonRequirement } from './python-name.ts';
import { isTomlTable, listIn, parseToml, tableIn } from './toml-tree.ts';

export function pythonProjectNeeds(text: string | undefined): DirectDependency[] {
  if (text === undefined) return [];
  const root = parseToml(text);
  const project = tableIn(root, 'project');
  const poetry = tableIn(tableIn(root, 'tool'), 'poetry');
  const groups = tableIn(root, 'dependency-groups');
  const optional = tableIn(project, 'optional-dependencies');
  return [
    ...plain(listIn(project, 'dependencies'), false),
    ...Object.keys(optional).flatMap((name) => plain(listIn(optional, name), false)),
    ...Object.keys(groups).flatMap((name) => plain(listIn(groups, name), true)),
    ...ofPoetry(tableIn(poetry, 'dependencies'), false),
    ...ofPoetry(tableIn(poetry, 'dev-dependencies'), true),
    ...Object.entries(tableIn(poetry, 'group')).flatMap(([name, group]) =>
      ofPoetry(tableIn(group, 'dependencies'), name !== 'main'),
    ),
  ];
}

const plain = (list: readonly unknown[], development: boolean): DirectDependency[] =>
  list.flatMap((one) => {
    const need = typeof one === 'string' ? pythonRequirement(one) : undefined;
    return need ? [{ ...need, development }] : [];
  });

function ofPoetry(table: Readonly<Record<string, unknown>>, development: boolean): DirectDependency[] {
  return Object.entries(table).flatMap(([name, one]) => {
    const range = isTomlTable(one) ? textMemberOf(one, 'version') : one;
    return typeof range === 'string' && name !== 'python'
      ? [{ name: pythonName(name), range, development }]
      : [];
  });
}
