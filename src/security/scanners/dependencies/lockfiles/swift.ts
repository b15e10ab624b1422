import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { isObject, itemsIn, objectIn, parseJson, textIn } from './json-tree.ts';

/** Reads `Package.resolved`, versions 1 to 3. The name of a Swift package is the address of its repository. */
export const swift: LockfileParseFunction = (text, collector) => {
  const { root, lines } = parseJson(text);
  for (const pin of [...itemsIn(root, 'pins'), ...itemsIn(objectIn(root, 'object'), 'pins')]) {
    const address = textIn(pin, 'location') ?? textIn(pin, 'repositoryURL') ?? '';
    const version = textIn(objectIn(pin, 'state'), 'version');
    if (!isObject(pin)) continue;
    // A package without a version is pinned to a branch or commit. It is not compared with advisories.
    const local = version === undefined || !URL.canParse(address);
    collector.addPackage({
      name: local ? address : nameOf(new URL(address)),
      version: version ?? '0',
      line: lines.lineAt(pin.at),
      local,
    });
  }
};

const nameOf = ({ host, pathname }: URL): string => `${host}${pathname.replace(/\.git$/, '')}`.toLowerCase();
