import releases from './releases.json' with { type: 'json' };

/** Package ecosystems as OSV spells them (https://ossf.github.io/osv-schema/#defined-ecosystems); registries come first. */
export const ECOSYSTEMS = [
  'npm',
  'PyPI',
  'crates.io',
  'Go',
  'RubyGems',
  'Packagist',
  'Maven',
  'NuGet',
  'Pub',
  'Hex',
  'SwiftURL',
  'GitHub Actions',
  'CRAN',
  'Bioconductor',
  'Hackage',
  'GHC',
  'Julia',
  'opam',
  'ConanCenter',
  'VSCode',
  'Bitnami',
  'Kubernetes',
  'Debian',
  'Ubuntu',
  'Alpine',
  'Wolfi',
  'Chainguard',
  'MinimOS',
  'CleanStart',
  'Alpaquita',
  'BellSoft Hardened Containers',
  'Docker Hardened Images',
  'Echo',
  'Root',
  'TuxCare',
  'Red Hat Lightwell',
  'Red Hat',
  'Rocky Linux',
  'AlmaLinux',
  'Azure Linux',
  'Photon OS',
  'SUSE',
  'openSUSE',
  'openEuler',
  'Mageia',
  'FreeBSD',
  'Android',
  'Linux',
  'OSS-Fuzz',
] as const;
export type EcosystemFamily = (typeof ECOSYSTEMS)[number];
/** An ecosystem, optionally with a release or registry: `npm`, `Debian:12`, `Maven:https://maven.google.com`. */
export type Ecosystem = EcosystemFamily | `${EcosystemFamily}:${string}`;

export const DEFAULT_ECOSYSTEMS: readonly EcosystemFamily[] = ECOSYSTEMS.slice(
  0,
  ECOSYSTEMS.indexOf('Debian'),
).filter((family) => !['Bioconductor', 'ConanCenter', 'Kubernetes'].includes(family));

/** Ecosystems whose releases each have their own fixed versions, with an example of a release. */
const RELEASED = new Map(Object.entries(releases)) as ReadonlyMap<EcosystemFamily, string>;

export function exampleRelease(ecosystem: Ecosystem): string | undefined {
  return ecosystem.includes(':') ? undefined : RELEASED.get(ecosystem as EcosystemFamily);
}

/** True for ecosystems of Linux distributions, whose versions may contain the characters `~` and `^`. */
export function isDistribution(ecosystem: Ecosystem): boolean {
  return ECOSYSTEMS.indexOf(familyOf(ecosystem)) >= ECOSYSTEMS.indexOf('Debian');
}

export function familyOf(ecosystem: Ecosystem): EcosystemFamily {
  const colon = ecosystem.indexOf(':');
  return (colon < 0 ? ecosystem : ecosystem.slice(0, colon)) as EcosystemFamily;
}

export function releaseOf(ecosystem: Ecosystem): string {
  const colon = ecosystem.indexOf(':');
  return colon < 0 ? '' : ecosystem.slice(colon + 1);
}

const BY_NAME: ReadonlyMap<string, EcosystemFamily> = new Map(
  ECOSYSTEMS.map((one) => [one.toLowerCase(), one]),
);
const MAX_RELEASE_LENGTH = 200;

/** Normalises an ecosystem name from a user or an advisory record. Returns undefined if OSV does not have the ecosystem. */
export function ecosystemOf(stated: string): Ecosystem | undefined {
  const colon = stated.indexOf(':');
  const family = BY_NAME.get((colon < 0 ? stated : stated.slice(0, colon)).trim().toLowerCase());
  const release = colon < 0 ? '' : stated.slice(colon + 1).trim();
  if (family === undefined || release.length > MAX_RELEASE_LENGTH) return undefined;
  if (release === '') return family;
  if (family === 'Alpine' && /^\d/.test(release)) return `Alpine:v${release}`;
  return `${family}:${release}`;
}

/** True if an advisory for ecosystem `stated` applies to `asked`. Ubuntu Pro's advisories also apply to plain Ubuntu. */
export function isEcosystemWithin(asked: string, stated: string): boolean {
  if (stated === asked || stated.startsWith(`${asked}:`)) return true;
  if (!stated.includes(':')) return asked.startsWith(`${stated}:`);
  if (!asked.startsWith('Ubuntu:')) return false;
  const [wanted, held] = [withoutTerm(asked), withoutTerm(stated)];
  return wanted === held || held === wanted.replace('Ubuntu:', 'Ubuntu:Pro:');
}

function withoutTerm(ubuntu: string): string {
  return ubuntu.endsWith(':LTS') ? ubuntu.slice(0, -':LTS'.length) : ubuntu;
}
