import type { Severity } from '../../../../lib/severity.ts';
import type { PackageVersion } from '../../../findings/finding.ts';
import { type Ecosystem, type EcosystemFamily, ecosystemOf, familyOf, releaseOf } from '../ecosystem.ts';

export interface Advisory {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Description in a few sentences. `details` is empty if the advisory has a summary. */
  readonly details: string;
  readonly vectors: readonly string[];
  /** Severity stated by the advisory database. It counts only if there is no CVSS vector. */
  readonly level?: Severity;
  readonly cwe: readonly string[];
  readonly malicious: boolean;
  readonly affected: readonly AffectedEntry[];
}

export interface AffectedEntry {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly ranges: readonly (readonly RangeEvent[])[];
  readonly versions: readonly string[];
}

/** Limit of a version range. Versions `introduced` and `last` are affected, `fixed` and `limit` are not. */
export type RangeEvent = readonly [kind: 'introduced' | 'fixed' | 'last' | 'limit', version: string];

export interface AdvisorySource {
  readonly name: string;
  covers(ecosystem: Ecosystem): boolean;
  /** Ecosystems with outdated advisories, and the time of their last update in milliseconds since 1970. */
  readonly stale?: ReadonlyMap<EcosystemFamily, number>;
  /** Calls `found` for the packages' advisories. Throws AppError `upstream`, `timeout` or `rate_limited`. */
  findAdvisories(packages: readonly PackageVersion[], watch: AdvisoryWatch): Promise<void>;
}

export interface AdvisoryWatch {
  readonly signal: AbortSignal;
  found(index: number, advisory: Advisory): void;
}

const FOLDED: ReadonlySet<string> = new Set(['NuGet', 'Packagist', 'SwiftURL', 'GitHub Actions', 'VSCode']);
const REBUILT: ReadonlySet<string> = new Set(['Echo', 'Root', 'TuxCare']);

export function normalisePackageName(ecosystem: string, name: string): string {
  const family = familyOf(ecosystem as Ecosystem);
  if (family === 'PyPI') return name.toLowerCase().replace(/[-_.]+/g, '-');
  // An ecosystem of rebuilt packages, such as `Echo:PyPI`, spells names like the original (`PyPI`).
  if (REBUILT.has(family))
    return normalisePackageName(ecosystemOf(releaseOf(ecosystem as Ecosystem)) ?? '', name);
  return FOLDED.has(family) ? name.toLowerCase() : name;
}
