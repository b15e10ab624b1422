import { textMemberOf } from '../../../../lib/json-members.ts';
import type { LockfileReader } from '../lockfile-reader.ts';
import { colonHashes } from './hashes.ts';
import { isObject, itemsIn, objectIn, parseJson, textIn } from './json-tree.ts';
import { pythonName } from './python-name.ts';
import { isTomlTable, parseToml, tableIn } from './toml-tree.ts';

export const pipfile: LockfileReader = {
  kind: 'Pipfile.lock',
  ecosystem: 'PyPI',
  wants: (path) => /(?:^|\/)Pipfile\.lock$/.test(path),
  beside: ['Pipfile'],
  parse(text, collector, { beside }) {
    const { root, lines } = parseJson(text);
    const indexes = new Map<string, number>();
    for (const [section, development] of [
      ['default', false],
      ['develop', true],
    ] as const) {
      for (const [stated, entry] of objectIn(root, section).members) {
        const name = pythonName(stated);
        const version = textIn(entry, 'version')?.replace(/^={2,3}/, '');
        if (!isObject(entry) || version === undefined || indexes.has(name)) continue;
        const hashes = itemsIn(entry, 'hashes').map((one) => (typeof one === 'string' ? one : ''));
        indexes.set(
          name,
          collector.addPackage({
            name,
            version,
            line: lines.lineAt(entry.at),
            development,
            hashes: colonHashes(hashes),
          }),
        );
      }
    }
    const manifest = beside('Pipfile');
    if (manifest !== undefined) {
      const needed = parseToml(manifest);
      for (const [section, development] of [
        ['dev-packages', true],
        ['packages', false],
      ] as const) {
        for (const [name, one] of Object.entries(tableIn(needed, section))) {
          const range = (isTomlTable(one) ? textMemberOf(one, 'version') : String(one)) ?? '*';
          collector.addDirect(indexes.get(pythonName(name)), range, development);
        }
      }
    }
  },
};
