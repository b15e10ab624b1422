import type { Severity } from '../../../../lib/severity.ts';
import type { PackageVersion } from '../../../findings/finding.ts';
import { type Ecosystem, type EcosystemFamily, ecosystemOf, familyOf, releaseOf } from '../ecosystem.ts';

/** A known vulnerability in packages, in the form that OSV defines. */
export interface Advisory {
  /** Advisory id in the database that published it, with prefixes such as GHSA, PYSEC, RUSTSEC, GO and MAL. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Vulnerability details in a few sentences; set only if the advisory has no summary. */
  readonly details: string;
  /** CVSS vectors of any CVSS version, unchanged from the advisory's record. */
  readonly vectors: readonly string[];
  /** Severity that the advisory database states; used if there is no CVSS vector. */
  readonly level?: Severity;
  readonly cwe: readonly string[];
  readonly malicious: boolean;
  readonly affected: readonly Affected[];
}

export interface Affected {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly ranges: readonly (readonly RangeEvent[])[];
  readonly versions: readonly string[];
}

/** Boundary of a range. `introduced` and `last` include their version, the others exclude it. `0` is before all versions. */
export type RangeEvent = readonly [kind: 'introduced' | 'fixed' | 'last' | 'limit', version: string];

export interface AdvisorySource {
  readonly name: string;
  covers(ecosystem: Ecosystem): boolean;
  /** Ecosystems with outdated data, with the time of their last update in milliseconds. */
  readonly stale?: ReadonlyMap<EcosystemFamily, number>;
  /** Calls `found` for a package's advisories. AppError `upstream`, `timeout`, `rate_limited`, or the signal's reason. */
  findAdvisories(packages: readonly PackageVersion[], watch: SourceWatch): Promise<void>;
}

export interface SourceWatch {
  readonly signal: AbortSignal;
  /** Called for each found advisory; `index` is the position of its package in `packages`. */
  found(index: number, advisory: Advisory): void;
}

const FOLDED: ReadonlySet<string> = new Set(['NuGet', 'Packagist', 'SwiftURL', 'GitHub Actions', 'VSCode']);

const REBUILT: ReadonlySet<string> = new Set(['Echo', 'Root', 'TuxCare']);

/** Returns a package's name in the form in which its ecosystem compares names. */
export function normalisePackageName(ecosystem: string, name: string): string {
  const family = familyOf(ecosystem as Ecosystem);
  if (family === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-');
  // Ecosystems that rebuild Python packages, such as `Echo:PyPI`, use the name form of the rebuilt ecosystem.
  if (REBUILT.has(family))
    return normalisePackageName(ecosystemOf(releaseOf(ecosystem as Ecosystem)) ?? '', name);
  return FOLDED.has(family) ? name.toLowerCase() : name;
}
