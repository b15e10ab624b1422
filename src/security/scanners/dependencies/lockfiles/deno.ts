import type { LockfileParseFunction } from '../lockfile-reader.ts';
import { integrityHashes } from './hashes.ts';
import { isObject, itemsIn, type Json, objectIn, parseJson, textIn } from './json-tree.ts';

export const deno: LockfileParseFunction = (text, collector) => {
  const { root, lines } = parseJson(text);
  const entries = [...objectIn(root, 'npm').members, ...objectIn(objectIn(root, 'packages'), 'npm').members];
  const indexes = new Map<string, number>();
  for (const [key, entry] of entries) {
    const [plain = ''] = key.split('_', 1);
    const at = plain.indexOf('@', 1);
    if (at < 0 || !isObject(entry)) continue;
    const one = { name: plain.slice(0, at), version: plain.slice(at + 1), line: lines.lineAt(entry.at) };
    const index = collector.addPackage({ ...one, hashes: integrityHashes(textIn(entry, 'integrity')) });
    indexes.set(key, index);
    // If `deno.lock` has only one version of a package, other packages refer to it by name, without a version.
    indexes.set(one.name, index);
  }
  for (const [key, entry] of entries) {
    const own = indexes.get(key);
    for (const need of needsOf(entry)) collector.addNeed(own, indexes.get(need));
  }
  const stated = [
    ...objectIn(root, 'specifiers').members,
    ...objectIn(objectIn(root, 'packages'), 'specifiers').members,
  ];
  for (const [asked, found] of stated) {
    if (!asked.startsWith('npm:') || typeof found !== 'string') continue;
    const [name = '', range] = splitAt(asked.slice('npm:'.length));
    collector.addDirect(indexes.get(`${name}@${found}`) ?? indexes.get(found.replace(/^npm:/, '')), range);
  }
};

function needsOf(entry: Json): string[] {
  const listed = [...itemsIn(entry, 'dependencies'), ...objectIn(entry, 'dependencies').members.values()];
  return listed.filter((one) => typeof one === 'string');
}

function splitAt(text: string): [name: string, range: string | undefined] {
  const at = text.indexOf('@', 1);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
