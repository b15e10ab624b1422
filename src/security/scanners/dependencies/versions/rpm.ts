import { compareEach, compareValues, orderRevised, splitRevision } from './compare-each.ts';

/** Matches epoch, version and release. Source: rpm-version(7). */
const VERSION = /^(?:(\d{1,9}):)?([^\s:]+)$/;

export function parseRpm(text: string) {
  const [, epoch = '0', rest] = VERSION.exec(text.trim()) ?? [];
  if (rest === undefined || !/^[\w.+~^-]+$/.test(rest) || !/\d/.test(rest)) return undefined;
  return splitRevision(epoch, rest);
}

export const compareRpm = orderRevised(compareRpmSegments);

/** Matches a segment of an RPM version: digits, letters, `~` or `^`. Other characters are separators. */
const SEGMENT = /\d+|[A-Za-z]+|[~^]/g;

function compareRpmSegments(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [a.match(SEGMENT) ?? [], b.match(SEGMENT) ?? []];
  return compareEach<string>(left, right, compareSegment);
}

/** Compares two segments. Ascending: `~`, end of the version, `^`, letters, digits. */
function compareSegment(a: string | undefined, b: string | undefined): number {
  if (a === '~' || b === '~') return Number(b === '~') - Number(a === '~');
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  if (a === '^' || b === '^') return Number(b === '^') - Number(a === '^');
  const [first, second] = [/^\d/.test(a), /^\d/.test(b)];
  if (first !== second) return first ? 1 : -1;
  return first ? compareValues(BigInt(a), BigInt(b)) : compareValues(a, b);
}
