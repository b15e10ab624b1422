import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { isObject, itemsIn, objectIn, parseJson, textIn } from './json-tree.ts';

export const renv: LockfileParseFunction = (text, collector) => {
  const { root, lines } = parseJson(text);
  const entries = [...objectIn(root, 'Packages').members].flatMap(([key, one]) => {
    if (!isObject(one)) return [];
    const name = textIn(one, 'Package') ?? key;
    const source = textIn(one, 'Source') ?? 'Repository';
    const index = collector.addPackage({
      name,
      version: textIn(one, 'Version') ?? '',
      line: lines.lineAt(one.at),
      ecosystem: source === 'Bioconductor' ? source : undefined,
      // Packages from git, a folder or a URL are local. Local packages are not compared with advisories.
      local: source !== 'Repository' && source !== 'Bioconductor',
    });
    return [{ name, one, index }];
  });
  const indexes = new Map(entries.map(({ name, index }) => [name, index]));
  for (const { one, index } of entries) {
    for (const needed of itemsIn(one, 'Requirements')) {
      if (typeof needed === 'string') collector.addNeed(index, indexes.get(needed));
    }
  }
};
