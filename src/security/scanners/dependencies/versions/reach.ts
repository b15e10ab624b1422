import { satisfies as satisfiesPython } from '@renovatebot/pep440';
import semver from 'semver';
import type { Ecosystem } from '../locked.ts';
import { ORDERS, type Order } from './order.ts';

/** Longer ranges are not judged. */
const MAX_RANGE_LENGTH = 500;
const MAX_RANGE_PARTS = 50;

type Judge = (version: string, range: string) => boolean | undefined;

const JUDGES: Readonly<Record<Ecosystem, Judge>> = {
  npm: (version, range) => (semver.validRange(range) === null ? undefined : semver.satisfies(version, range)),
  'crates.io': (version, range) => {
    const plain = range.split(',').map((part) => part.trim().replace(/^(?=\d)/, '^'));
    const whole = plain.join(' ');
    return semver.validRange(whole) === null ? undefined : semver.satisfies(version, whole);
  },
  PyPI: (version, range) => {
    if (/[\^|]|~(?!=)|^\d/.test(range)) return alternatives(version, range, ORDERS.PyPI, 'poetry');
    return range.trim() === '' || range.trim() === '*' || satisfiesPython(version, range);
  },
  RubyGems: (version, range) => alternatives(version, range, ORDERS.RubyGems, 'ruby'),
  Packagist: (version, range) =>
    alternatives(version, range.replace(/@\w+/g, ''), ORDERS.Packagist, 'composer'),
  NuGet: (version, range) => withinBrackets(version, range, ORDERS.NuGet),
  Maven: (version, range) =>
    /^[[(]/.test(range.trim()) ? withinBrackets(version, range, ORDERS.Maven) : undefined,
  // Modules take the highest of the lowest versions that are asked for; any of the same major version is one.
  Go: (version, range) => {
    const [a, b] = [semver.parse(version, { loose: true }), semver.parse(range, { loose: true })];
    return a && b ? a.major === b.major || (a.major < 2 && b.major < 2) : undefined;
  },
};

/** Whether a range as its ecosystem writes it takes in a version; undefined for a range that cannot be judged. */
export function reaches(ecosystem: Ecosystem, version: string, range: string): boolean | undefined {
  if (range.length > MAX_RANGE_LENGTH) return undefined;
  try {
    return JUDGES[ecosystem](version, range);
  } catch {
    return undefined;
  }
}

type Style = 'poetry' | 'ruby' | 'composer';

function alternatives(version: string, range: string, order: Order, style: Style): boolean | undefined {
  const judged = range.split(/\|\|?/, MAX_RANGE_PARTS).map((part) => allOf(version, part, order, style));
  if (judged.includes(true)) return true;
  return judged.includes(undefined) ? undefined : false;
}

function allOf(version: string, text: string, order: Order, style: Style): boolean | undefined {
  const [, low, high] = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(text) ?? [];
  if (low !== undefined && high !== undefined) return order(version, low) >= 0 && order(version, high) <= 0;
  const parts = text
    .replace(/(?<=[<>=!~^])\s+/g, '')
    .split(/[\s,]+/, MAX_RANGE_PARTS)
    .filter((part) => part !== '');
  const judged = parts.map((part) => one(version, part, order, style));
  if (judged.includes(false)) return false;
  return judged.includes(undefined) ? undefined : true;
}

function one(version: string, part: string, order: Order, style: Style): boolean | undefined {
  const [, sign = '', base = ''] = /^([<>=!~^]*)v?(.*)$/s.exec(part) ?? [];
  if (base === '*' || base === '') return true;
  if (base.endsWith('*')) {
    const from = base.replace(/\.?\*$/, '');
    return between(version, from, raised(from, from.split('.').length - 1), order);
  }
  const result = order(version, base);
  if (Number.isNaN(result)) return undefined;
  const numbers = base.split(/[^\d.]/, 1)[0]?.split('.') ?? [];
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
      const significant = numbers.findIndex((number) => Number(number) > 0);
      return between(version, base, raised(base, significant < 0 ? numbers.length - 1 : significant), order);
    }
    case '~':
    case '~>':
    case '~=': {
      // `~1.2` is below 2 for Ruby and Composer, and below 1.3 for Poetry.
      const last =
        sign === '~' && style === 'poetry'
          ? Math.min(1, numbers.length - 1)
          : Math.max(0, numbers.length - 2);
      return between(version, base, raised(base, last), order);
    }
    default:
      return result === 0;
  }
}

function between(version: string, low: string, high: string, order: Order): boolean {
  return order(version, low) >= 0 && order(version, high) < 0;
}

/** The version with the number at that place one higher, and nothing behind it: `1.2.3` at 1 is `1.3`. */
function raised(base: string, at: number): string {
  const numbers = (base.split(/[^\d.]/, 1)[0] ?? '').split('.').map(Number);
  return [...numbers.slice(0, at), (numbers[at] ?? 0) + 1].join('.');
}

/** `[1.0,2.0)`, `(,1.0]`, `[1.0]`; a bare version is the lowest that will do. */
function withinBrackets(version: string, range: string, order: Order): boolean | undefined {
  const text = range.trim();
  const [, open, inner, close] = /^([[(])([^[\]()]*)([\])])$/.exec(text) ?? [];
  if (open === undefined || inner === undefined) {
    const result = order(version, text);
    return Number.isNaN(result) ? undefined : result >= 0;
  }
  const [low = '', high] = inner.split(',').map((part) => part.trim());
  if (high === undefined) return order(version, low) === 0;
  const [under, over] = [low === '' ? 1 : order(version, low), high === '' ? -1 : order(version, high)];
  return (open === '[' ? under >= 0 : under > 0) && (close === ']' ? over <= 0 : over < 0);
}
