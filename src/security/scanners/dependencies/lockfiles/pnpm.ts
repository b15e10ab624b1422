import type {
  FoundPackage,
  LockedPackageIndex,
  LockfileParseFunction,
  PackageCollector,
} from '../lockfile-reader.ts';
import { integrityHashes } from './hashes.ts';
import { entryIn, type IndentedEntry, inlineMap, parseIndented, valueIn } from './indented.ts';

const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const;

export const pnpm: LockfileParseFunction = (text, collector) => {
  const root = parseIndented(text);
  const indexes = new Map<string, number>();
  const put = (entry: IndentedEntry) => {
    const one = packageOf(entry);
    const place = plain(entry.key);
    // The file lists a package once for each set of peer dependencies. Only the first entry is added.
    if (indexes.has(place)) return;
    const own = collector.addPackage(one);
    for (const key of [place, `${one.name}@${one.version}`]) indexes.set(key, own);
  };
  const packages = entryIn(root, 'packages')?.entries ?? [];
  const snapshots = entryIn(root, 'snapshots')?.entries ?? packages;
  packages.forEach(put);
  const indexOf: IndexOf = (name, version) =>
    indexes.get(`${name}@${plain(version)}`) ?? indexes.get(plain(version));
  for (const { key, entries } of snapshots) {
    const own = indexes.get(plain(key));
    for (const kind of KINDS) {
      for (const used of entryIn(entries, kind)?.entries ?? [])
        collector.addNeed(own, indexOf(used.key, used.value ?? ''));
    }
  }
  const importers = entryIn(root, 'importers')?.entries ?? [
    { key: '.', value: undefined, line: 1, entries: root },
  ];
  for (const { entries } of importers) addDirectNeeds(entries, indexOf, collector);
};

type IndexOf = (name: string, version: string) => LockedPackageIndex;

function addDirectNeeds(entries: readonly IndentedEntry[], indexOf: IndexOf, collector: PackageCollector) {
  const specifiers = entryIn(entries, 'specifiers')?.entries ?? [];
  const stated = new Map(specifiers.map(({ key, value = '' }) => [key, value]));
  for (const kind of KINDS) {
    for (const { key, value, entries: inner } of entryIn(entries, kind)?.entries ?? []) {
      const to = indexOf(key, valueIn(inner, 'version') ?? value ?? '');
      const range = valueIn(inner, 'specifier') ?? stated.get(key);
      collector.addDirect(to, range, kind === 'devDependencies');
    }
  }
}

/** Removes the suffix for peer dependencies: `(react@18.0.0)`, or `_react@18.0.0` in lockfile version 5. */
function plain(place: string): string {
  const bracket = place.indexOf('(');
  const end = bracket < 0 ? place : place.slice(0, bracket);
  const slash = end.lastIndexOf('/');
  const under = end.indexOf('_', slash + 1);
  const version = under > 0 && /^[\d.]+/.test(end.slice(slash + 1));
  return (version ? end.slice(0, under) : end).replace(/^\//, '');
}

/** Reads a package from its key: `/a/1.0.0` in lockfile version 5, `/a@1.0.0` in 6, `a@1.0.0` in 9. */
function packageOf({ key, line, entries }: IndentedEntry): FoundPackage {
  const place = plain(key);
  const at = place.indexOf('@', 1);
  const slash = place.lastIndexOf('/');
  const cut = at > 0 ? at : slash;
  const resolution = entryIn(entries, 'resolution');
  const inline = inlineMap(resolution?.value);
  const fact = (name: string) => inline.get(name) ?? valueIn(resolution?.entries ?? [], name);
  const development = valueIn(entries, 'dev');
  const version = valueIn(entries, 'version') ?? place.slice(cut + 1);
  const integrity = fact('integrity');
  const local =
    integrity === undefined || /^(?:file|link|git|https?):/.test(version) || place.includes('://');
  return {
    name: valueIn(entries, 'name') ?? place.slice(0, cut),
    version,
    line,
    development: development !== undefined ? development === 'true' : undefined,
    local,
    hashes: integrityHashes(integrity),
  };
}
