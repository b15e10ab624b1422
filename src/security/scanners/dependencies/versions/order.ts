import { compare as comparePython, valid as validPython } from '@renovatebot/pep440';
import semver from 'semver';
import {
  ECOSYSTEM_FACTS,
  type Ecosystem,
  type EcosystemFamily,
  ecosystemOf,
  familyOf,
  releaseOf,
} from '../ecosystem.ts';
import { compareAlpine, parseAlpine } from './alpine.ts';
import { compareConan, parseConan } from './conan.ts';
import { compareDebian, compareDebianParts, parseDebian, parseOpam } from './debian.ts';
import { compareFreebsd, parseFreebsd } from './freebsd.ts';
import { compareMaven, parseMaven } from './maven.ts';
import { compareNuget, parseNuget } from './nuget.ts';
import { compareKernel, compareNumbers, parseHackage, parseKernel, parseR } from './numbers.ts';
import { comparePackagist, parsePackagist } from './packagist.ts';
import { compareRpm, parseRpm } from './rpm.ts';
import { compareGems, parseGem } from './rubygems.ts';

/** Returns a negative number if `a` is older than `b`, positive if newer, 0 if equal, NaN if one is invalid. */
export type VersionOrder = (a: string, b: string) => number;

/** Creates an order from a parser and a comparison. Caches parsed versions, because each is compared often. */
function by<T>(parse: (version: string) => T | undefined, compare: (a: T, b: T) => number): VersionOrder {
  let known = new Map<string, T | undefined>();
  const parsed = (version: string) => {
    if (known.has(version)) return known.get(version);
    const value = version.length > 256 ? undefined : parse(version);
    if (known.size >= 500) known = new Map();
    known.set(version, value);
    return value;
  };
  return (a, b) => {
    const [left, right] = [parsed(a), parsed(b)];
    return left === undefined || right === undefined ? Number.NaN : compare(left, right);
  };
}

const parseSemver = (version: string) => semver.parse(whole(version), { loose: true }) ?? undefined;
const bySemver = by(parseSemver, (a, b) => a.compare(b));

/** Completes a version to three numbers, because some advisories shorten 1.2.0 to `1.2`. */
function whole(version: string): string {
  const [, core = '', rest = ''] = /^v?(\d+(?:\.\d+)?)(?![\d.])(.*)/s.exec(version) ?? [];
  return core === '' ? version : `${core}${core.includes('.') ? '.0' : '.0.0'}${rest}`;
}

/** Order by SemVer and then by build number (`3.0.8+1`). C libraries in Julia's registry have build numbers. */
const byBuild = by(parseSemver, (a, b) => a.compare(b) || a.compareBuild(b));
const byDebian = by(parseDebian, compareDebian);
/** Order for ecosystems whose versions cannot be sorted, such as tags in OSS-Fuzz. Detects only equality. */
const byEquality: VersionOrder = (a, b) => (a === b ? 0 : Number.NaN);

/** Order of Android versions: the release (`14`), then the date of the security patches (`14:2024-05-01`). */
const byPatchDay = by(
  (version) => {
    const [whole, number, letter = '', day = ''] =
      /^(\d{0,3})([A-Z]?)(?::([\d-]{1,10}))?$/.exec(version) ?? [];
    return whole ? { number: Number(number || 0), rest: [letter, day].join(':') } : undefined;
  },
  (a, b) => a.number - b.number || Number(a.rest > b.rest) - Number(a.rest < b.rest),
);

/** Vendors of rebuilt packages, whose versions end with a build number: `1.0.0+echo.2`. */
type RebuildVendor = 'Echo' | 'Root' | 'TuxCare' | 'Red Hat Lightwell';

const ORDERS: Readonly<Record<string, VersionOrder>> = {
  semver: bySemver,
  build: byBuild,
  python: by((version) => validPython(version) ?? undefined, comparePython),
  maven: by(parseMaven, compareMaven),
  gem: by(parseGem, compareGems),
  packagist: by(parsePackagist, comparePackagist),
  nuget: by(parseNuget, compareNuget),
  r: by(parseR, compareNumbers),
  hackage: by(parseHackage, compareNumbers),
  opam: by(parseOpam, compareDebianParts),
  conan: by(parseConan, compareConan),
  debian: byDebian,
  alpine: by(parseAlpine, compareAlpine),
  rpm: by(parseRpm, compareRpm),
  freebsd: by(parseFreebsd, compareFreebsd),
  patchDay: byPatchDay,
  kernel: by(parseKernel, compareKernel),
  equality: byEquality,
};

export const VERSION_ORDERS = Object.fromEntries(
  [...ECOSYSTEM_FACTS].flatMap(([family, { order }]) => (order ? [[family, ORDERS[order]]] : [])),
) as Readonly<Record<Exclude<EcosystemFamily, RebuildVendor>, VersionOrder>>;

/** Matches the build number of a rebuilt version: `1.0.0+echo.2`, `1.0.0+root.io.2`, `1.0.0.root.io.2`. */
const BUILD = /[.+](?:echo|root\.io)\.(\d{1,9})$/;

export function versionOrderOf(ecosystem: Ecosystem): VersionOrder {
  const family = familyOf(ecosystem);
  if (Object.hasOwn(VERSION_ORDERS, family)) return VERSION_ORDERS[family as keyof typeof VERSION_ORDERS];
  const inner = ecosystemOf(releaseOf(ecosystem));
  if (inner === undefined || isRebuilt(inner)) return family === 'Echo' ? byDebian : byEquality;
  const order = versionOrderOf(inner);
  return (a, b) => {
    const result = order(a.replace(BUILD, ''), b.replace(BUILD, ''));
    // `result` is NaN if the versions cannot be compared. NaN must be returned unchanged.
    return result === 0 ? buildOf(a) - buildOf(b) : result;
  };
}

const isRebuilt = (ecosystem: Ecosystem): boolean => !Object.hasOwn(VERSION_ORDERS, familyOf(ecosystem));

const buildOf = (version: string): number => Number(BUILD.exec(version)?.[1] ?? 0);
