import ecosystems from './ecosystems.json' with { type: 'json' };

export type EcosystemFamily = keyof typeof ecosystems;

/** `order` names a version order of `versions/order.ts`. `release` is an example such as `Debian:12`. */
interface EcosystemFacts {
  readonly order?: string;
  readonly release?: string;
}

export const ECOSYSTEM_FACTS: ReadonlyMap<EcosystemFamily, EcosystemFacts> = new Map(
  Object.entries(ecosystems) as [EcosystemFamily, EcosystemFacts][],
);
/** Ecosystems in OSV's spelling, registries first (https://ossf.github.io/osv-schema/#defined-ecosystems). */
export const ECOSYSTEMS: readonly EcosystemFamily[] = [...ECOSYSTEM_FACTS.keys()];
/** An ecosystem, perhaps with release or registry: `npm`, `Debian:12`, `Maven:https://maven.google.com`. */
export type Ecosystem = EcosystemFamily | `${EcosystemFamily}:${string}`;

export const DEFAULT_ECOSYSTEMS: readonly EcosystemFamily[] = ECOSYSTEMS.slice(
  0,
  ECOSYSTEMS.indexOf('Debian'),
).filter((family) => !['Bioconductor', 'ConanCenter', 'Kubernetes'].includes(family));

/** Returns a release such as `Debian:12` if each release of the ecosystem has its own fixed versions. */
export const exampleRelease = (ecosystem: Ecosystem): string | undefined =>
  ECOSYSTEM_FACTS.get(ecosystem as EcosystemFamily)?.release;

/** True for ecosystems of Linux distributions, whose versions may contain the characters `~` and `^`. */
export const isDistribution = (ecosystem: Ecosystem): boolean =>
  ECOSYSTEMS.indexOf(familyOf(ecosystem)) >= ECOSYSTEMS.indexOf('Debian');

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

/** Normalises an ecosystem name from a user or an advisory. Returns undefined if OSV does not have it. */
export function ecosystemOf(stated: string): Ecosystem | undefined {
  const colon = stated.indexOf(':');
  const family = BY_NAME.get((colon < 0 ? stated : stated.slice(0, colon)).trim().toLowerCase());
  const release = colon < 0 ? '' : stated.slice(colon + 1).trim();
  if (family === undefined || release.length > MAX_RELEASE_LENGTH) return undefined;
  if (release === '') return family;
  if (family === 'Alpine' && /^\d/.test(release)) return `Alpine:v${release}`;
  return `${family}:${release}`;
}

/** True if an advisory for `stated` applies to `asked`. Ubuntu Pro's advisories also apply to Ubuntu. */
export function isEcosystemWithin(asked: string, stated: string): boolean {
  if (stated === asked || stated.startsWith(`${asked}:`)) return true;
  if (!stated.includes(':')) return asked.startsWith(`${stated}:`);
  if (!asked.startsWith('Ubuntu:')) return false;
  const [wanted, held] = [withoutTerm(asked), withoutTerm(stated)];
  return wanted === held || held === wanted.replace('Ubuntu:', 'Ubuntu:Pro:');
}

const withoutTerm = (ubuntu: string): string =>
  ubuntu.endsWith(':LTS') ? ubuntu.slice(0, -':LTS'.length) : ubuntu;
