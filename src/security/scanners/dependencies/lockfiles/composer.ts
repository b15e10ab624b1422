import type { LockedPackageIndex, LockfileParseFunction, PackageCollector } from '../lockfile-reader.ts';
import { isForeignRegistryUrl } from '../registries/foreign-registries.ts';
import { hexHash } from './hashes.ts';
import {
  isObject,
  itemsIn,
  type Json,
  type JsonObject,
  objectIn,
  parseJson,
  textIn,
  textsIn,
} from './json-tree.ts';

export const composer: LockfileParseFunction = (text, collector, { beside }) => {
  const { root, lines } = parseJson(text);
  const indexes = new Map<string, number>();
  const entries: { readonly own: number; readonly entry: Json }[] = [];
  for (const section of ['packages', 'packages-dev']) {
    for (const entry of itemsIn(root, section)) {
      if (!isObject(entry)) continue;
      const named = text.indexOf('"name"', entry.at);
      const one = packageOf(entry, lines.lineAt(named < 0 ? entry.at : named), section === 'packages-dev');
      const own = collector.addPackage(one);
      indexes.set(one.name, own);
      entries.push({ own, entry });
    }
  }
  const indexOf = (name: string) => indexes.get(name.toLowerCase());
  for (const { own, entry } of entries) {
    for (const [name, range] of textsIn(entry, 'require')) collector.addNeed(own, indexOf(name), range);
  }
  const manifest = beside('composer.json');
  if (manifest !== undefined) addDirectNeeds(parseJson(manifest).root, indexOf, collector);
};

function packageOf(entry: JsonObject, line: number, development: boolean) {
  const version = (textIn(entry, 'version') ?? '').replace(/^v(?=\d)/i, '');
  const licenses = itemsIn(entry, 'license').filter((one) => typeof one === 'string');
  return {
    name: (textIn(entry, 'name') ?? '').toLowerCase(),
    version,
    line,
    development,
    license: licenses.length > 0 ? licenses.join(' OR ') : undefined,
    local: /^dev-|-dev$/.test(version),
    foreign: isForeignRegistryUrl(textIn(entry, 'notification-url')),
    hashes: hexHash('sha1', textIn(objectIn(entry, 'dist'), 'shasum') ?? ''),
  };
}

function addDirectNeeds(
  manifest: Json,
  indexOf: (name: string) => LockedPackageIndex,
  collector: PackageCollector,
): void {
  for (const kind of ['require', 'require-dev']) {
    for (const [name, range] of textsIn(manifest, kind))
      collector.addDirect(indexOf(name), range, kind === 'require-dev');
  }
}
