import { compareEach, compareValues } from './compare-each.ts';

/** A version that consists only of numbers, as in Hackage, R and the Linux kernel. */
export type VersionNumbers = readonly bigint[];

/** Parses a Haskell version, which consists of numbers and dots (Haskell Package Versioning Policy). */
export const parseHackage = (version: string): VersionNumbers | undefined =>
  /^\d+(?:\.\d+)*$/.test(version) ? version.split('.').map(BigInt) : undefined;

/** Parses an R version, in which a hyphen equals a dot. Source: `numeric_version` in R's base package. */
export const parseR = (version: string): VersionNumbers | undefined =>
  /^\d+(?:[.-]\d+)*$/.test(version) ? version.split(/[.-]/).map(BigInt) : undefined;

/** Compares number by number. If no number differs, the longer version is newer: 1.0.0 is newer than 1.0. */
export const compareNumbers = (a: VersionNumbers, b: VersionNumbers): number =>
  compareEach(a, b, (left, right) =>
    left === undefined || right === undefined ? a.length - b.length : compareValues(left, right),
  );

export type KernelVersion = NonNullable<ReturnType<typeof parseKernel>>;

export function parseKernel(version: string) {
  const [, text, candidate] = /^v?(\d{1,9}(?:\.\d{1,9})*)(?:-rc(\d{1,9}))?$/.exec(version) ?? [];
  if (text === undefined) return undefined;
  const numbers = text.split('.').map(BigInt);
  while (numbers.length > 1 && numbers.at(-1) === 0n) numbers.pop();
  return candidate === undefined ? { numbers } : { numbers, candidate: Number(candidate) };
}

export function compareKernel(a: KernelVersion, b: KernelVersion): number {
  const result = compareNumbers(a.numbers, b.numbers);
  if (result !== 0) return result;
  if (a.candidate === b.candidate) return 0;
  return (a.candidate ?? Number.POSITIVE_INFINITY) < (b.candidate ?? Number.POSITIVE_INFINITY) ? -1 : 1;
}
