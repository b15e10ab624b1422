import type { Ecosystem } from './ecosystem.ts';

/** Digest of a published archive: the algorithm in CycloneDX's spelling and the digest in hexadecimal. */
export interface PackageHash {
  readonly alg: 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly content: string;
}

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly line: number;
  /** True if the project itself requires the package. `direct` is undefined if the lockfile does not say. */
  direct?: boolean;
  development?: boolean;
  readonly asked: string[];
  readonly needs: number[];
  /** Index of a package that requires this one, on a shortest path from a direct dependency. */
  from?: number;
  readonly ecosystem?: Ecosystem;
  readonly license?: string;
  readonly hashes?: readonly PackageHash[];
  /** True for a package that is not from a registry, but from git, for example. Advisories do not apply. */
  readonly local?: true;
  /** True for a package from a registry that is not public. No public registry is asked about the package. */
  readonly foreign?: boolean;
}

export interface LockfileContent {
  readonly packages: readonly LockedPackage[];
  readonly notes: readonly string[];
  readonly includes: readonly string[];
}

export interface DirectDependency {
  readonly name: string;
  readonly range: string;
  readonly development: boolean;
}

export interface LockfileReader {
  readonly kind: string;
  readonly ecosystem: Ecosystem;
  wants(path: string): boolean;
  readonly beside?: readonly string[];
  /** Advice if packages of this file could not be checked. Default: the advice to pin every version. */
  readonly advice?: string;
  readonly parse: LockfileParseFunction;
}

export type LockfileParseFunction = (
  text: string,
  collector: PackageCollector,
  context: LockfileContext,
) => void;

export interface LockfileContext {
  readonly path: string;
  beside(name: string): string | undefined;
}

/** Thrown for an invalid lockfile. Users see the message, for example `it is not valid TOML: line 3`. */
export class BrokenLockfileError extends Error {}

export const MAX_LOCKFILE_PACKAGES = 100_000;
/** Maximum lengths of package names and versions in characters. Real names and versions are shorter. */
const MAX_NAME_LENGTH = 300;
const MAX_VERSION_LENGTH = 200;
const UNUSABLE = /[\s\p{Cc}\u2028\u2029]/u;

export interface FoundPackage extends Omit<LockedPackage, 'asked' | 'needs' | 'local'> {
  readonly local?: boolean;
}

export type LockedPackageIndex = number | undefined;

export type PackageCollector = ReturnType<typeof createPackageCollector>;

export function createPackageCollector() {
  const packages: LockedPackage[] = [];
  const notes: string[] = [];
  const includes: string[] = [];
  let odd = 0;
  let over = 0;
  return {
    packages,
    addPackage({ local, hashes = [], ...one }: FoundPackage) {
      const { name, version } = one;
      const fits =
        name !== '' &&
        version !== '' &&
        name.length <= MAX_NAME_LENGTH &&
        version.length <= MAX_VERSION_LENGTH;
      if (!fits || UNUSABLE.test(name) || UNUSABLE.test(version)) {
        odd++;
        return -1;
      }
      if (packages.length >= MAX_LOCKFILE_PACKAGES) {
        over++;
        return -1;
      }
      const known = { ...(local && { local }), ...(hashes.length > 0 && { hashes }) };
      return packages.push({ ...one, ...known, asked: [], needs: [] }) - 1;
    },
    addNeed(from: LockedPackageIndex, to: LockedPackageIndex, range?: string) {
      const [user, used] = [packages[from ?? -1], packages[to ?? -1]];
      if (user && used && to !== undefined) user.needs.push(to);
      if (used && range !== undefined && used.asked.length < 100 && !used.asked.includes(range))
        used.asked.push(range);
    },
    /** Records a direct dependency. It is a development dependency only if all calls set `development`. */
    addDirect(to: LockedPackageIndex, range?: string, development?: boolean) {
      this.addNeed(-1, to, range);
      const used = packages[to ?? -1];
      if (!used) return;
      if (development !== undefined)
        used.development = development && (used.direct !== true || used.development !== false);
      used.direct = true;
    },
    addNote: (text: string) => void notes.push(text),
    addInclude: (path: string) => void includes.push(path),
    finish() {
      if (odd > 0) notes.push(`${odd} entries whose name or version no registry could have`);
      if (over > 0) notes.push(`${over} packages over the first ${MAX_LOCKFILE_PACKAGES}`);
      deriveReach(packages);
      return { packages, notes, includes };
    },
  };
}

function deriveReach(packages: readonly LockedPackage[]): void {
  const direct = packages.flatMap(({ direct }, index) => (direct ? [index] : []));
  const serving = direct.filter((index) => packages[index]?.development !== true);
  const reached = reach(packages, serving);
  const known = direct.some((index) => packages[index]?.development !== undefined);
  const seen = reach(packages, direct, (index, from) => {
    const one = packages[index];
    if (one && from >= 0) one.from = from;
  });
  if (!known) return;
  seen.forEach((here, index) => {
    const one = packages[index];
    if (one && here && one.development === undefined) one.development = !reached[index];
  });
}

function reach(
  packages: readonly LockedPackage[],
  roots: readonly number[],
  visit: (index: number, from: number) => void = () => {},
): boolean[] {
  const seen: boolean[] = new Array<boolean>(packages.length).fill(false);
  const queue = [...roots];
  for (const index of roots) seen[index] = true;
  for (let at = 0; at < queue.length; at++) {
    const from = queue[at] ?? 0;
    for (const index of packages[from]?.needs ?? []) {
      if (seen[index]) continue;
      seen[index] = true;
      visit(index, from);
      queue.push(index);
    }
  }
  return seen;
}
