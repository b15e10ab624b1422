/**
 * Where packages of one kind come from, in OSV's spelling (https://ossf.github.io/osv-schema/#defined-ecosystems): the
 * registries of languages first, then distributions and systems.
 */
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
/** An ecosystem without a release or registry behind it. */
export type Family = (typeof ECOSYSTEMS)[number];
/** As advisories state it: `npm`, `Debian:12`, `Maven:https://maven.google.com`. */
export type Ecosystem = Family | `${Family}:${string}`;

/** Those that `magpie advisories update` fetches when none is named: registries whose exports OSV has. */
export const FETCHED: readonly Family[] = [
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
  'Hackage',
  'GHC',
  'Julia',
  'opam',
  'VSCode',
  'Bitnami',
];

/** One and the same version is safe in one release and not in the next; each has its example. */
const RELEASED: ReadonlyMap<Family, string> = new Map([
  ['Debian', 'Debian:12'],
  ['Ubuntu', 'Ubuntu:22.04'],
  ['Alpine', 'Alpine:v3.18'],
  ['Alpaquita', 'Alpaquita:23'],
  ['BellSoft Hardened Containers', 'BellSoft Hardened Containers:23'],
  ['Root', 'Root:Debian:12'],
  ['TuxCare', 'TuxCare:npm'],
  ['Red Hat', 'Red Hat:enterprise_linux:9'],
  ['Rocky Linux', 'Rocky Linux:9'],
  ['AlmaLinux', 'AlmaLinux:9'],
  ['Azure Linux', 'Azure Linux:3'],
  ['Photon OS', 'Photon OS:5.0'],
  ['SUSE', 'SUSE:Linux Enterprise Server 15 SP5'],
  ['openSUSE', 'openSUSE:Leap 15.6'],
  ['openEuler', 'openEuler:22.03-LTS'],
  ['Mageia', 'Mageia:9'],
  ['FreeBSD', 'FreeBSD:ports'],
]);

/** An example of a release, where a package of that ecosystem cannot be judged without one. */
export function exampleRelease(ecosystem: Ecosystem): string | undefined {
  return ecosystem.includes(':') ? undefined : RELEASED.get(ecosystem as Family);
}

/** Whether versions are those of a distribution or a system, which have signs that ranges have elsewhere. */
export function isDistribution(ecosystem: Ecosystem): boolean {
  return ECOSYSTEMS.indexOf(familyOf(ecosystem)) >= ECOSYSTEMS.indexOf('Debian');
}

/** What stands before the colon. */
export function familyOf(ecosystem: Ecosystem): Family {
  const colon = ecosystem.indexOf(':');
  return (colon < 0 ? ecosystem : ecosystem.slice(0, colon)) as Family;
}

/** What stands behind the first colon; empty without one. */
export function releaseOf(ecosystem: Ecosystem): string {
  const colon = ecosystem.indexOf(':');
  return colon < 0 ? '' : ecosystem.slice(colon + 1);
}

const BY_NAME: ReadonlyMap<string, Family> = new Map(ECOSYSTEMS.map((one) => [one.toLowerCase(), one]));
/** No release or address of a registry is longer. */
const MAX_RELEASE_LENGTH = 200;

/** An ecosystem as a user or a record writes it, in its one form; undefined for one that OSV does not have. */
export function ecosystemOf(stated: string): Ecosystem | undefined {
  const colon = stated.indexOf(':');
  const family = BY_NAME.get((colon < 0 ? stated : stated.slice(0, colon)).trim().toLowerCase());
  const release = colon < 0 ? '' : stated.slice(colon + 1).trim();
  if (family === undefined || release.length > MAX_RELEASE_LENGTH) return undefined;
  if (release === '') return family;
  if (family === 'Alpine' && /^\d/.test(release)) return `Alpine:v${release}`;
  return `${family}:${release}`;
}

/**
 * Whether what is stated of one ecosystem holds for a package of another: of the same, of all releases of its family, or
 * of a part of it, such as one of the product streams of a Red Hat release. Fixes of Ubuntu Pro hold for who names no
 * subscription, as in OSV: there is no other.
 */
export function isWithin(asked: string, stated: string): boolean {
  if (stated === asked || stated.startsWith(`${asked}:`)) return true;
  if (!stated.includes(':')) return asked.startsWith(`${stated}:`);
  if (!asked.startsWith('Ubuntu:')) return false;
  const [wanted, held] = [withoutTerm(asked), withoutTerm(stated)];
  return wanted === held || held === wanted.replace('Ubuntu:', 'Ubuntu:Pro:');
}

function withoutTerm(ubuntu: string): string {
  return ubuntu.endsWith(':LTS') ? ubuntu.slice(0, -':LTS'.length) : ubuntu;
}
