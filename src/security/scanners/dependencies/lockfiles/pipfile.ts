import { textMemberOf } from '../../../../lib/json-members.ts';
import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { colonHashes } from './hashes.ts';
import { isObject, itemsIn, objectIn, parseJson, textIn } from './json-tree.ts';
import { pythonName } from './python-name.ts';
import { isTomlTable, parseToml, tableIn } from './toml-tree.ts';

export const pipfile: LockfileParseFunction = (text, collector, { beside }) => {
  const { root, lines } = parseJson(text);
  const indexes = new Map<string, number>();
  for (const section of ['default', 'develop']) {
    for (const [stated, entry] of objectIn(root, section).members) {
      const name = pythonName(stated);
      const version = textIn(entry, 'version')?.replace(/^={2,3}/, '');
      if (!isObject(entry) || version === undefined || indexes.has(name)) continue;
      const hashes = itemsIn(entry, 'hashes').map((one) => (typeof one === 'string' ? one : ''));
      const one = { name, version, line: lines.lineAt(entry.at), development: section === 'develop' };
      indexes.set(name, collector.addPackage({ ...one, hashes: colonHashes(hashes) }));
    }
  }
  const manifest = beside('Pipfile');
  if (manifest !== undefined) {
    const needed = parseToml(manifest);
    for (const section of ['dev-packages', 'packages']) {
      for (const [name, one] of Object.entries(tableIn(needed, section))) {
        const range = (isTomlTable(one) ? textMemberOf(one, 'version') : String(one)) ?? '*';
        collector.addDirect(indexes.get(pythonName(name)), range, section === 'dev-packages');
      }
    }
  }
};
