import type { Severity } from '../../../../lib/severity.ts';
import type { PackageVersion } from '../../../findings/finding.ts';
import { type Ecosystem, ecosystemOf, type Family, familyOf, releaseOf } from '../ecosystem.ts';

/** One known vulnerability of packages, in the form of OSV. */
export interface Advisory {
  /** In the database that it comes from: GHSA, PYSEC, RUSTSEC, GO, MAL ... */
  readonly id: string;
  /** Ids of the same vulnerability in other databases. */
  readonly aliases: readonly string[];
  /** One line. */
  readonly summary: string;
  /** A few sentences at most; only where there is no summary. */
  readonly details: string;
  /** CVSS vectors as the record has them, of any version. */
  readonly vectors: readonly string[];
  /** Severity in the database's own word; used where it gives no vector. */
  readonly level?: Severity;
  readonly cwe: readonly string[];
  /** The package was made to do harm. */
  readonly malicious: boolean;
  readonly affected: readonly Affected[];
}

/** Versions of one package that have the vulnerability. */
export interface Affected {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly ranges: readonly (readonly RangeEvent[])[];
  /** Versions one by one. */
  readonly versions: readonly string[];
}

/** From a version on (`introduced`, `0` is before all), up to one (`fixed`, `limit`), or up to and with one (`last`). */
export type RangeEvent = readonly [kind: 'introduced' | 'fixed' | 'last' | 'limit', version: string];

/** A place that knows advisories. */
export interface AdvisorySource {
  /** As it is named when it fails. */
  readonly name: string;
  covers(ecosystem: Ecosystem): boolean;
  /** Ecosystems whose data is too old, with the time of their last update in milliseconds. */
  readonly stale?: ReadonlyMap<Family, number>;
  /**
   * Calls `found` for each advisory that names a package; the caller decides whether it holds for the version.
   * What it found before it throws remains valid. AppError `upstream`, `timeout`, `rate_limited`; the signal's reason.
   */
  findAdvisories(packages: readonly PackageVersion[], watch: SourceWatch): Promise<void>;
}

export interface SourceWatch {
  readonly signal: AbortSignal;
  /** `index` is the package's. */
  found(index: number, advisory: Advisory): void;
}

/** Registries that take letters in either case for the same. */
const FOLDED: ReadonlySet<string> = new Set(['NuGet', 'Packagist', 'SwiftURL', 'GitHub Actions', 'VSCode']);

const REBUILT: ReadonlySet<string> = new Set(['Echo', 'Root', 'TuxCare']);

/** A package's name as its ecosystem compares it. */
export function comparedName(ecosystem: string, name: string): string {
  const family = familyOf(ecosystem as Ecosystem);
  if (family === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-');
  // Python packages that another ecosystem builds: `Echo:PyPI`.
  if (REBUILT.has(family)) return comparedName(ecosystemOf(releaseOf(ecosystem as Ecosystem)) ?? '', name);
  return FOLDED.has(family) ? name.toLowerCase() : name;
}
