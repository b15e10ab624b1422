import type { Ecosystem } from './ecosystem.ts';

/** A digest of a published archive: algorithm as CycloneDX spells it, content in hex. */
export interface Hash {
  readonly alg: 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly content: string;
}

/** One package as a lockfile or manifest fixes it. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Line in the file, from 1. */
  readonly line: number;
  /** The project itself asks for it; undefined where the file does not say. */
  direct?: boolean;
  /** Needed for development alone. */
  development?: boolean;
  /** Ranges by which it is asked for, as they are written; empty where none is known. */
  readonly asked: string[];
  /** Indexes of the packages that it needs. */
  readonly needs: number[];
  /** Index of the previous package on the shortest path from one that the project asks for. */
  from?: number;
  /** Where the file's own ecosystem is not this one's. */
  readonly ecosystem?: Ecosystem;
  readonly license?: string;
  readonly hashes?: readonly Hash[];
  /** A part of the repository itself, or from git, a folder or an address: no registry's, and never looked up in advisories. */
  readonly local?: true;
}

/** What a lockfile holds. */
export interface Locked {
  readonly packages: readonly LockedPackage[];
  /** What could not be read or compared, as text for users. */
  readonly notes: readonly string[];
  /** Other files that it includes, as it names them. */
  readonly includes: readonly string[];
}

/** What a manifest beside a lockfile asks for by itself. */
export interface DirectNeed {
  readonly name: string;
  readonly range: string;
  readonly development: boolean;
}

/** Reads one kind of file. `parse` is pure; what it throws is a `Broken`, with what is wrong with the file. */
export interface LockfileReader {
  /** As users read it in progress and errors: `package-lock.json`. */
  readonly kind: string;
  readonly ecosystem: Ecosystem;
  /** By the path, whose separator is `/`. */
  wants(path: string): boolean;
  /** Names of files in the same folder that it also reads. */
  readonly beside?: readonly string[];
  /** What a user can do about its notes; to pin every package where this is left out. */
  readonly advice?: string;
  parse(text: string, context: ParseContext): Locked;
}

export interface ParseContext {
  readonly path: string;
  /** Text of a file of `beside`; undefined where it is not there. */
  beside(name: string): string | undefined;
}

/** The file is not of its kind; the message is public and begins with the problem. */
export class Broken extends Error {}

/** Packages that are kept of one file. */
export const MAX_PACKAGES = 100_000;
/** No registry has longer names or versions. */
const MAX_NAME_LENGTH = 300;
const MAX_VERSION_LENGTH = 200;
const UNUSABLE = /[\s\p{Cc}\u2028\u2029]/u;

/** Collects packages, and derives the rest from how they need each other. */
export interface Collector {
  readonly packages: LockedPackage[];
  /** Its index; -1 for a name or version that no registry could have. */
  addPackage(one: Omit<LockedPackage, 'asked' | 'needs'>): number;
  /** `from` needs `to`, by the range where one is written; -1 stands for no package. */
  addNeed(from: number, to: number, range?: string): void;
  /** The project itself asks for it; `development` holds only if all that ask for it say so. */
  addDirect(to: number, range?: string, development?: boolean): void;
  addNote(text: string): void;
  finish(includes?: readonly string[]): Locked;
}

/** A collector of at most `most` packages; linear in packages and links. */
export function createCollector(most = MAX_PACKAGES): Collector {
  const packages: LockedPackage[] = [];
  const notes: string[] = [];
  let odd = 0;
  let over = 0;
  return {
    packages,
    addPackage(one) {
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
      if (packages.length >= most) {
        over++;
        return -1;
      }
      return packages.push({ ...one, asked: [], needs: [] }) - 1;
    },
    addNeed(from, to, range) {
      const [user, used] = [packages[from], packages[to]];
      if (user && used) user.needs.push(to);
      if (used && range !== undefined && used.asked.length < 100 && !used.asked.includes(range))
        used.asked.push(range);
    },
    addDirect(to, range, development) {
      this.addNeed(-1, to, range);
      const used = packages[to];
      if (!used) return;
      if (development !== undefined)
        used.development = development && (used.direct !== true || used.development !== false);
      used.direct = true;
    },
    addNote: (text) => void notes.push(text),
    finish(includes = []) {
      if (odd > 0) notes.push(`${odd} entries whose name or version no registry could have`);
      if (over > 0) notes.push(`${over} packages over the first ${most}`);
      deriveReach(packages);
      return { packages, notes, includes };
    },
  };
}

/** Marks what is needed for development alone (nothing else reaches it), and the shortest path to each package. */
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
