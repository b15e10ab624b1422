import { compare as comparePython, valid as validPython } from '@renovatebot/pep440';
import semver from 'semver';
import type { Ecosystem } from '../locked.ts';
import { compareMaven, parseMaven } from './maven.ts';
import { compareNuget, parseNuget } from './nuget.ts';
import { comparePackagist, parsePackagist } from './packagist.ts';
import { compareGems, parseGem } from './rubygems.ts';

/** Below 0, 0 or above 0 as the first version is older, the same or newer; NaN where one is not a version. */
export type Order = (a: string, b: string) => number;

/** An order by what versions are parsed to; the last ones are remembered, since one is compared with many. */
function by<T>(parse: (version: string) => T | undefined, compare: (a: T, b: T) => number): Order {
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

const bySemver = by(
  (version) => semver.parse(whole(version), { loose: true }) ?? undefined,
  (a, b) => a.compare(b),
);

/** Advisories write `1.2` for 1.2.0 here and there. */
function whole(version: string): string {
  const [, core = '', rest = ''] = /^v?(\d+(?:\.\d+)?)(?![\d.])(.*)/s.exec(version) ?? [];
  return core === '' ? version : `${core}${core.includes('.') ? '.0' : '.0.0'}${rest}`;
}

/** How each ecosystem orders its versions. */
export const ORDERS: Readonly<Record<Ecosystem, Order>> = {
  npm: bySemver,
  'crates.io': bySemver,
  Go: bySemver,
  PyPI: by((version) => validPython(version) ?? undefined, comparePython),
  Maven: by(parseMaven, compareMaven),
  RubyGems: by(parseGem, compareGems),
  Packagist: by(parsePackagist, comparePackagist),
  NuGet: by(parseNuget, compareNuget),
  Pub: bySemver,
  Hex: bySemver,
  SwiftURL: bySemver,
  'GitHub Actions': bySemver,
};
