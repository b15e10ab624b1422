import { compareEach, compareValues } from './compare-each.ts';

/** An RPM version: epoch, version and release. Source: rpm-version(7). */
interface RpmVersion {
  readonly epoch: number;
  readonly version: string;
  readonly release: string;
}

const VERSION = /^(?:(\d{1,9}):)?([^\s:]+)$/;

export function parseRpm(text: string): RpmVersion | undefined {
  const [, epoch = '0', rest] = VERSION.exec(text.trim()) ?? [];
  if (rest === undefined || !/^[\w.+~^-]+$/.test(rest) || !/\d/.test(rest)) return undefined;
  const dash = rest.lastIndexOf('-');
  return {
    epoch: Number(epoch),
    version: dash < 0 ? rest : rest.slice(0, dash),
    release: dash < 0 ? '' : rest.slice(dash + 1),
  };
}

export function compareRpm(a: RpmVersion, b: RpmVersion): number {
  return (
    a.epoch - b.epoch || compareRpmSegments(a.version, b.version) || compareRpmSegments(a.release, b.release)
  );
}

/** Matches a segment of an RPM version: digits, letters, `~` or `^`. Other characters are separators. */
const SEGMENT = /\d+|[A-Za-z]+|[~^]/g;

export function compareRpmSegments(a: string, b: string): number {
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
