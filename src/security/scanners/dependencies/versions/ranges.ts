import { satisfies as satisfiesPython } from '@renovatebot/pep440';
import semver from 'semver';
import { attempt } from '../../../../lib/attempt.ts';
import { type Ecosystem, type EcosystemFamily, familyOf } from '../ecosystem.ts';
import { VERSION_ORDERS, type VersionOrder } from './order.ts';

const MAX_RANGE_LENGTH = 500;
const MAX_RANGE_PARTS = 50;

type RangeJudge = (version: string, range: string) => boolean | undefined;

const bySemver: RangeJudge = (version, range) =>
  semver.validRange(range) === null ? undefined : semver.satisfies(version, range);

export const VERSION_RANGE_TESTS: Readonly<Partial<Record<EcosystemFamily, RangeJudge>>> = {
  npm: bySemver,
  'crates.io': (version, range) => {
    const plain = range.split(',').map((part) => part.trim().replace(/^(?=\d)/, '^'));
    const whole = plain.join(' ');
    return semver.validRange(whole) === null ? undefined : semver.satisfies(version, whole);
  },
  PyPI: (version, range) => {
    if (/[\^|]|~(?!=)|^\d/.test(range)) return alternatives(version, range, VERSION_ORDERS.PyPI, true);
    return range.trim() === '*' || satisfiesPython(version, range);
  },
  RubyGems: (version, range) => alternatives(version, range, VERSION_ORDERS.RubyGems),
  Packagist: (version, range) => alternatives(version, range.replace(/@\w+/g, ''), VERSION_ORDERS.Packagist),
  NuGet: (version, range) => withinBrackets(version, range, VERSION_ORDERS.NuGet),
  Pub: bySemver,
  Hex: (version, range) =>
    alternatives(version, range.replaceAll(' or ', '||').replaceAll(' and ', ' '), VERSION_ORDERS.Hex),
  SwiftURL: bySemver,
  'GitHub Actions': bySemver,
  Maven: (version, range) =>
    /^[[(]/.test(range.trim()) ? withinBrackets(version, range, VERSION_ORDERS.Maven) : undefined,
  // In Go, a requirement is a minimum. Go may select any newer version with the same major version.
  Go: (version, range) => {
    const [a, b] = [semver.major(version), semver.major(range)];
    return a === b || (a < 2 && b < 2);
  },
};

export function isVersionInRange(ecosystem: Ecosystem, version: string, range: string): boolean | undefined {
  if (range.length > MAX_RANGE_LENGTH) return undefined;
  return attempt(() => VERSION_RANGE_TESTS[familyOf(ecosystem)]?.(version, range));
}

function alternatives(version: string, range: string, order: VersionOrder, poetry = false) {
  const judged = range.split(/\|\|?/, MAX_RANGE_PARTS).map((part) => allOf(version, part, order, poetry));
  if (judged.includes(true)) return true;
  return judged.includes(undefined) ? undefined : false;
}

function allOf(version: string, text: string, order: VersionOrder, poetry: boolean): boolean | undefined {
  const [low = '', high] = text.trim().split(/(?<!\s)\s+-\s+/);
  if (high !== undefined) return order(version, low) >= 0 && order(version, high) <= 0;
  const judged = text
    .replace(/(?<=[<>=!~^])\s+/g, '')
    .split(/[\s,]+/, MAX_RANGE_PARTS)
    .map((part) => one(version, part, order, poetry));
  if (judged.includes(false)) return false;
  return judged.includes(undefined) ? undefined : true;
}

function one(version: string, part: string, order: VersionOrder, poetry: boolean): boolean | undefined {
  const sign = part.replace(/[^<>=!~^].*/s, '');
  const base = part.slice(sign.length).replace(/^v/, '');
  if (base === '*' || base === '') return true;
  if (base.endsWith('.*')) {
    const from = base.slice(0, -2);
    return between(version, from, raised(from, from.split('.').length - 1), order);
  }
  const result = order(version, base);
  if (Number.isNaN(result)) return undefined;
  const numbers = numbersOf(base);
  switch (sign) {
    case '>=':
      return result >= 0;
    case '>':
      return result > 0;
    case '<=':
      return result <= 0;
    case '<':
      return result < 0;
    case '!=':
      return result !== 0;
    case '^': {
      // Upper limits: `^1.2.3` allows versions below 2, `^0.2.3` below 0.3, `^0.0` (index -1) below 0.1.
      const significant = numbers.findIndex((number) => number > 0);
      return between(version, base, raised(base, significant), order);
    }
    case '~':
    case '~>':
    case '~=': {
      // `~1.2` means below 2 in Ruby and Composer, but below 1.3 in Poetry.
      const last = sign === '~' && poetry ? Math.min(1, numbers.length - 1) : Math.max(0, numbers.length - 2);
      return between(version, base, raised(base, last), order);
    }
    default:
      return result === 0;
  }
}

const between = (version: string, low: string, high: string, order: VersionOrder): boolean =>
  order(version, low) >= 0 && order(version, high) < 0;

const numbersOf = (version: string): number[] =>
  version
    .replace(/\.?[^\d.].*/s, '')
    .split('.')
    .map(Number);

/** Increments the number at index `at` and removes the numbers after it: `1.2.3` at index 1 becomes `1.3`. */
function raised(base: string, at: number): string {
  const numbers = numbersOf(base);
  return [...numbers.slice(0, at), (numbers.at(at) ?? 0) + 1].join('.');
}

/** Tests a version against ranges such as `[1.0,2.0)`, `(,1.0]` and `[1.0]`. A plain version is a minimum. */
function withinBrackets(version: string, range: string, order: VersionOrder): boolean | undefined {
  const text = range.trim();
  if (!/^[[(][^[\]()]*[\])]$/.test(text)) {
    const result = order(version, text);
    return Number.isNaN(result) ? undefined : result >= 0;
  }
  const [low = '', high] = text
    .slice(1, -1)
    .split(',')
    .map((part) => part.trim());
  if (high === undefined) return order(version, low) === 0;
  const [under, over] = [low === '' ? 1 : order(version, low), high === '' ? -1 : order(version, high)];
  return (text.startsWith('[') ? under >= 0 : under > 0) && (text.endsWith(']') ? over <= 0 : over < 0);
}
