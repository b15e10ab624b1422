import { compareEach, compareValues } from './compare-each.ts';

/** A number or word of a gem version. A word makes the version a prerelease. Source: Ruby's class Gem::Version. */
type GemPart = bigint | string;

const VERSION = /^\s*\d+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\s*$/;

export function parseGem(version: string): GemPart[] | undefined {
  if (!VERSION.test(version)) return undefined;
  const parts = [...version.replaceAll('-', '.pre.').matchAll(/\d+|[a-z]+/gi)].map(
    ([part]): GemPart => (/^\d/.test(part) ? BigInt(part) : part),
  );
  const first = parts.findIndex((part) => typeof part === 'string');
  const numbers = first < 0 ? parts : parts.slice(0, first);
  return [...withoutZeros(numbers), ...withoutZeros(first < 0 ? [] : parts.slice(first))];
}

function withoutZeros(parts: readonly GemPart[]): readonly GemPart[] {
  let end = parts.length;
  while (parts[end - 1] === 0n) end--;
  return parts.slice(0, end);
}

export const compareGems = (a: readonly GemPart[], b: readonly GemPart[]): number =>
  compareEach<GemPart>(a, b, (left = 0n, right = 0n) => {
    if (typeof left !== typeof right) return typeof left === 'string' ? -1 : 1;
    return compareValues(left, right);
  });
