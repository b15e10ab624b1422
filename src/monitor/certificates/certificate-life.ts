import type { X509Certificate } from 'node:crypto';

const DAY_MS = 86_400_000;

/**
 * Most days of a life by the day that it begins on: what the CA/Browser Forum allows public authorities (ballots 193 and
 * SC-081v3, Baseline Requirements 6.3.2) and browsers hold them to.
 */
const LIMITS: readonly (readonly [from: string, days: number])[] = [
  ['2029-03-15', 47],
  ['2027-03-15', 100],
  ['2026-03-15', 200],
  ['2020-09-01', 398],
  ['2018-03-01', 825],
  ['1970-01-01', 1187],
];
/** Apple's systems hold an operator's own authorities to it too (support.apple.com/103769). */
export const OWN_LIMIT_DAYS = 825;

/** Days that a certificate lives, and the most that browsers take of a public authority. */
export function lifeOf({ validFromDate, validToDate }: X509Certificate): { days: number; limit: number } {
  const from = validFromDate.getTime();
  const limit = LIMITS.find(([day]) => from >= Date.parse(day))?.[1] ?? 1187;
  return { days: (validToDate.getTime() - from) / DAY_MS, limit };
}

/** How near the end is, the nearest first: at most so many days, and at most this share of the life. */
const WARNINGS = [
  { key: 'expires-in-7-days', days: 7, share: 1 / 12 },
  { key: 'expires-in-14-days', days: 14, share: 1 / 6 },
  { key: 'expires-in-30-days', days: 30, share: 1 / 3 },
] as const;

/**
 * The warning for a certificate that is still valid; undefined where its end is not near. By the share too, since one that
 * lives for six days is renewed after three or four, and must not warn all its life.
 */
export function warningOf(
  certificate: X509Certificate,
  now: number,
): (typeof WARNINGS)[number]['key'] | undefined {
  const left = (certificate.validToDate.getTime() - now) / DAY_MS;
  const { days: life } = lifeOf(certificate);
  return WARNINGS.find(({ days, share }) => left < Math.min(days, life * share))?.key;
}
