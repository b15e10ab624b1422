import { AppError } from '../../errors.ts';

export type StatusRange = readonly [from: number, to: number];

export const SUCCESS_STATUSES: readonly StatusRange[] = [[200, 299]];

const TAKES = 'codes from 100 to 599 and ranges of them, separated by commas: 200-299, 401';
const MAX_RANGES = 50;

/** Parses status codes and ranges such as `200-299, 401`. AppError `bad_request` names the invalid part. */
export function parseStatusRanges(text: string, name = 'expect.status'): StatusRange[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MAX_RANGES)
    throw new AppError('bad_request', `${name} takes at most ${MAX_RANGES} parts`);
  return parts.map((part) => {
    const range = rangeOf(part);
    if (range) return range;
    throw new AppError('bad_request', `${name} has ${JSON.stringify(part.slice(0, 50))}: it takes ${TAKES}`);
  });
}

function rangeOf(part: string): StatusRange | undefined {
  const ends = part.split('-').map((one) => one.trim());
  const [from = Number.NaN, to = from] = ends.map((one) => (/^\d{3}$/.test(one) ? Number(one) : Number.NaN));
  const isRange = ends.length <= 2 && from >= 100 && to <= 599 && from <= to;
  return isRange ? [from, to] : undefined;
}

export function isStatusInRanges(status: number, ranges: readonly StatusRange[]): boolean {
  return ranges.some(([from, to]) => status >= from && status <= to);
}
