import type { FoundPackage, LockfileParseFunction } from '../lockfile-reader.ts';
import { isForeignRegistryUrl } from '../registries/foreign-registries.ts';
import { integrityHashes } from './hashes.ts';
import { entryIn, type IndentedEntry, parseIndented, valueIn } from './indented.ts';
import { npmManifestNeeds } from './package-lock.ts';

export const yarn: LockfileParseFunction = (text, collector, { beside }) => {
  const entries = parseIndented(text).filter(({ key }) => key !== '__metadata');
  const indexes = new Map<string, number>();
  const workspaces: number[] = [];
  const owners = entries.map((entry) => {
    // A key such as `a@^1, a@~1.2` has several requests. Yarn 1 quotes each request.
    const asked = entry.key.split(', ').map((one) => one.replace(/^"|"$/g, ''));
    const index = collector.addPackage(packageOf(entry, asked[0] ?? ''));
    for (const one of asked) indexes.set(one, index);
    if (entry.entries.some(({ key, value }) => key === 'resolution' && /@workspace:/.test(value ?? '')))
      workspaces.push(index);
    return index;
  });
  // Finds a package by name and range. Some ranges omit the prefix `npm:`, because npm is the default registry.
  const find = (name: string, range: string) =>
    indexes.get(`${name}@${range}`) ?? indexes.get(`${name}@npm:${range}`);
  entries.forEach(({ entries: facts }, at) => {
    for (const kind of ['dependencies', 'optionalDependencies']) {
      for (const { key, value = '' } of entryIn(facts, kind)?.entries ?? [])
        collector.addNeed(owners[at], find(key, value), plainRange(value));
    }
  });
  for (const index of workspaces) {
    for (const to of collector.packages[index]?.needs ?? []) collector.addDirect(to);
  }
  for (const { name, range, development } of npmManifestNeeds(beside('package.json'))) {
    collector.addDirect(find(name, range), plainRange(range), development);
  }
};

function packageOf({ entries, line }: IndentedEntry, asked: string): FoundPackage {
  const version = valueIn(entries, 'version') ?? '';
  const resolution = valueIn(entries, 'resolution');
  const cut = asked.indexOf('@', 1);
  const [name, range] = [asked.slice(0, cut), asked.slice(cut + 1)];
  if (resolution !== undefined) {
    const at = resolution.indexOf('@', 1);
    const protocol = resolution.slice(at + 1);
    const patched = /^patch:(@?[^@]+)@/.exec(protocol)?.[1];
    const local = !protocol.startsWith('npm:') && patched === undefined;
    return { name: resolution.slice(0, at), version, line, local };
  }
  const resolved = valueIn(entries, 'resolved') ?? '';
  const alias = /^npm:(@?[^@]+)@/.exec(range)?.[1];
  const local =
    /^(?:file|link|portal|git|github|https?)[:+]/.test(range) || /^git|codeload\.github\.com/.test(resolved);
  return {
    name: alias ?? name,
    version,
    line,
    local,
    foreign: isForeignRegistryUrl(resolved),
    hashes: integrityHashes(valueIn(entries, 'integrity')),
  };
}

const plainRange = (range: string): string => range.replace(/^npm:(?:@?[^@]+@)?/, '');
