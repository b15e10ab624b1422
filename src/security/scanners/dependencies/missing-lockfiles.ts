import { posix } from 'node:path';
import { pushTo } from '../../../lib/push-to.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import type { TreeScanContext } from '../../scans/scanner.ts';
import { isTestOrExamplePath } from '../../trees/test-paths.ts';
import written from './manifests.json' with { type: 'json' };
import unsupported from './unsupported-inventories.json' with { type: 'json' };

type WrittenManifest = Pick<(typeof written)[number], 'name' | 'locks' | 'write'> &
  Partial<(typeof written)[number]>;

interface Manifest {
  readonly name: RegExp;
  readonly locks: RegExp;
  readonly above?: boolean | undefined;
  asks(text: string): boolean;
  readonly write: string;
}

const MANIFESTS: readonly Manifest[] = written.map((one: WrittenManifest) => {
  const { name, locks, lockFlags, above, members, hasVendors, asks = [], flags, isEachNeeded, write } = one;
  const patterns = asks.map((source) => new RegExp(source, flags));
  return {
    name: new RegExp(name),
    locks: new RegExp(locks, lockFlags),
    above,
    asks(text) {
      if (members) return hasMember(text, members, (key) => (hasVendors ? key.includes('/') : key !== ''));
      return isEachNeeded ? patterns.every((one) => one.test(text)) : patterns.some((one) => one.test(text));
    },
    write,
  };
});
const UNREAD_FIX = 'switch on osv-scanner or trivy by MAGPIE_SCANNERS, which read more kinds';
const MAX_MANIFESTS = 5000;
const MAX_NAMED = 3;
const MAX_MANIFEST_BYTES = 2_000_000;

export async function reportMissingLockfiles(
  { tree, signal, miss, leave }: TreeScanContext,
  isOwn: (path: string) => boolean,
): Promise<void> {
  const names = new Map<string, string[]>();
  for (const { path } of tree.files) pushTo(names, posix.dirname(path), posix.basename(path));
  const reportGap = (paths: readonly string[], what: string, fix: string) => {
    if (paths.length === 0) return;
    const shown = paths.slice(0, MAX_NAMED).join(', ');
    const rest = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
    const text = `${what}: ${shown}${rest}`;
    if (fix === '') leave(text);
    else miss('lockfiles', text, fix);
  };
  let read = 0;
  for (const manifest of MANIFESTS) {
    const without: string[] = [];
    for (const file of tree.files) {
      const { path, bytes } = file;
      if (!manifest.name.test(posix.basename(path)) || !isOwn(path) || bytes > MAX_MANIFEST_BYTES) continue;
      if (isLocked(path, manifest, names) || read >= MAX_MANIFESTS) continue;
      signal.throwIfAborted();
      read++;
      if (manifest.asks(new TextDecoder().decode(await tree.read(file)))) without.push(path);
    }
    const [testing, own] = [
      without.filter(isTestOrExamplePath),
      without.filter((path) => !isTestOrExamplePath(path)),
    ];
    const what = (count: number) =>
      `${formatCount(count, 'file that asks', 'files that ask')} for packages without a lockfile, so that they are not compared with advisories`;
    reportGap(own, what(own.length), `write a lockfile (${manifest.write}) and commit it`);
    reportGap(testing, what(testing.length), '');
  }
  const unread = tree.files
    .map(({ path }) => path)
    .filter((path) => isUnsupportedInventory(path) && isOwn(path) && !isTestOrExamplePath(path));
  const { lockfiles, databases } = findUnsupportedInventories(unread);
  reportGap(lockfiles, `${formatCount(lockfiles.length, 'lockfile')} of kinds that are not read`, UNREAD_FIX);
  const installed = formatCount(
    databases.length,
    'database of installed packages',
    'databases of installed packages',
  );
  reportGap(databases, `${installed} of kinds that are not read`, UNREAD_FIX);
}

function isLocked(path: string, { locks, above }: Manifest, names: ReadonlyMap<string, readonly string[]>) {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (names.get(folder)?.some((name) => locks.test(name))) return true;
    if (!above || folder === '.') return false;
  }
}

function hasMember(text: string, objects: readonly string[], fits: (name: string) => boolean): boolean {
  const value = parseJsonOrNothing(text.replace(/^\ufeff/, ''));
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return objects.some((name) => {
    const list = (value as Record<string, unknown>)[name];
    return typeof list === 'object' && list !== null && Object.keys(list).some(fits);
  });
}

const LOCKFILES = new RegExp(unsupported.lockfiles);

/** Package databases that Magpie cannot read. Group 1 of each pattern is the path of the database. */
const DATABASES = Object.entries(unsupported.databases).map(
  ([name, path]) => [name, new RegExp(path)] as const,
);

export const isUnsupportedInventory = (path: string): boolean =>
  LOCKFILES.test(path) || DATABASES.some(([, pattern]) => pattern.test(path));

function findUnsupportedInventories(paths: readonly string[]) {
  const databases = paths.flatMap((path) => {
    const [name, pattern] = DATABASES.find(([, one]) => one.test(path)) ?? [];
    const place = pattern?.exec(path);
    return place
      ? [`${name} (${path.slice(0, place.index)}${place[0].startsWith('/') ? '/' : ''}${place[1]})`]
      : [];
  });
  return { lockfiles: paths.filter((path) => LOCKFILES.test(path)), databases: [...new Set(databases)] };
}
