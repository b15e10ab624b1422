import { memberOf } from '../../../../lib/json-members.ts';
import type { Ecosystem } from '../ecosystem.ts';
import { versionOrderOf } from '../versions/order.ts';
import { type RegistryDescription, registryOf } from './registries.ts';

export interface RegistryAnswerJob {
  readonly ecosystem: Ecosystem;
  readonly content: Uint8Array;
  readonly versions: readonly string[];
}

/** What a registry says about one version of a package. Times are in milliseconds since 1970. */
export interface PackageFacts {
  readonly isThere: boolean;
  readonly hasVersion?: boolean | undefined;
  readonly createdAt?: number | undefined;
  readonly publishedAt?: number | undefined;
  /** Reason why the version or package is deprecated, or '' if the registry gives no reason. */
  readonly deprecated?: string | undefined;
  /** Reason why the version was withdrawn, or '' if the registry gives no reason. */
  readonly yanked?: string | undefined;
  /** Account that published the newest version, if it published none of the earlier versions. */
  readonly newPublisher?: string | undefined;
  /** `new` if installing the version runs a script and the version before it had no such script. */
  readonly installScript?: 'new' | 'known' | undefined;
}

interface Release {
  readonly version: string;
  readonly at: number | undefined;
  readonly deprecated: string | undefined;
  readonly yanked: string | undefined;
  readonly publisher: string | undefined;
  readonly installs: boolean;
}

const MIN_EARLIER_RELEASES = 5;
const MAX_RELEASES = 50_000;
const MAX_WORDS_LENGTH = 200;
/** Earlier dates count as unknown, because registries use 1900 or 1970 instead of a missing date. */
const FIRST_DATE = Date.UTC(1995, 0);

export function readRegistryAnswer({
  ecosystem,
  content,
  versions,
}: RegistryAnswerJob): PackageFacts[] | undefined {
  const registry = registryOf(ecosystem);
  try {
    const text = new TextDecoder().decode(content).trim();
    const root = JSON.parse(registry?.lines ? `[${text.replaceAll('\n', ',')}]` : text) as unknown;
    const releases = registry ? releasesOf(registry, root) : [];
    if (!registry || releases.length === 0) return undefined;
    const times = releases.flatMap(({ at }) => at ?? []);
    const createdAt =
      timeOf(find(registry.created, root)) ??
      (times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined);
    const releaseOf = lookupOf(ecosystem, releases);
    return versions.map((version) => ({ createdAt, ...factsOf(releases, releaseOf(version)) }));
  } catch {
    return undefined;
  }
}

function releasesOf(registry: RegistryDescription, root: unknown): Release[] {
  const found = find(registry.releases, root);
  const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
  return entries.slice(0, MAX_RELEASES).map(([key, one]) => {
    const stated = registry.version === undefined ? key : textOf(find(registry.version, one));
    const at = (place: string | undefined) => find(place, one, root, stated);
    // npm marks a release that a build service published. Older releases name only the account `GitHub Actions`.
    const isTrusted = at(registry.trusted) !== undefined || at(registry.publisher) === 'GitHub Actions';
    return {
      version: (stated ?? '').replace(/^v(?=\d)/i, ''),
      at: timeOf(at(registry.at)),
      deprecated: stateOf(at(registry.deprecated), at(registry.deprecatedWords)),
      yanked: stateOf(at(registry.yanked), at(registry.yankedWords)),
      publisher: isTrusted ? undefined : textOf(at(registry.publisher)),
      installs: at(registry.installs) === true,
    };
  });
}

/** Returns a function that finds the release of a version. It treats `1.0` and `1.0.0` as the same version. */
function lookupOf(ecosystem: Ecosystem, releases: readonly Release[]) {
  const order = versionOrderOf(ecosystem);
  const byVersion = new Map(releases.map((one) => [one.version, one]));
  let sorted: readonly Release[] | undefined;
  return (version: string): Release | undefined => {
    const exact = byVersion.get(version);
    if (exact || order(version, version) !== 0) return exact;
    sorted ??= releases
      .filter((one) => order(one.version, one.version) === 0)
      .sort((a, b) => order(a.version, b.version));
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (order(sorted[middle]?.version ?? '', version) < 0) from = middle + 1;
      else to = middle;
    }
    const nearest = sorted[from];
    return nearest && order(nearest.version, version) === 0 ? nearest : undefined;
  };
}

function factsOf(releases: readonly Release[], release: Release | undefined): PackageFacts {
  const { at = Number.NaN } = release ?? {};
  const earlier = releases.filter((one) => one.at !== undefined && one.at < at);
  const isNewest = !releases.some((one) => one.at !== undefined && one.at > at);
  const before = earlier.reduce<Release | undefined>(
    (a, b) => ((a?.at ?? 0) > (b.at ?? 0) ? a : b),
    undefined,
  );
  const isNewPublisher =
    isNewest &&
    earlier.filter(({ publisher }) => publisher !== undefined).length >= MIN_EARLIER_RELEASES &&
    earlier.every(({ publisher }) => publisher !== release?.publisher);
  return {
    isThere: true,
    hasVersion: release !== undefined,
    publishedAt: release?.at,
    deprecated: release?.deprecated,
    yanked: release?.yanked,
    newPublisher: isNewPublisher ? release?.publisher : undefined,
    installScript: release?.installs ? (before && !before.installs ? 'new' : 'known') : undefined,
  };
}

function find(place: string | undefined, from: unknown, root: unknown = from, version = ''): unknown {
  if (place === undefined) return undefined;
  let values = [from];
  let isList = false;
  for (const step of place === '' ? [] : place.split('/')) {
    if (step === '^') values = [root];
    else if (step === '*') {
      isList = true;
      values = values.flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : []));
    } else values = values.map((one) => memberOf(one, step === '$' ? version : step));
  }
  return isList ? values.filter((one) => one !== undefined) : values[0];
}

function stateOf(value: unknown, words: unknown): string | undefined {
  if (value === undefined || value === false || value === '') return undefined;
  return textOf(words) ?? textOf(value) ?? '';
}

/** Returns the start of a text in one line, without control and format characters. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value
    .slice(0, MAX_WORDS_LENGTH)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time >= FIRST_DATE ? time : undefined;
}
