import type { X509Certificate } from 'node:crypto';

const DAY_MS = 86_400_000;

/** Maximum validity of certificates issued from each date on (CA/Browser Forum ballots 193, SC-081v3). */
const LIMITS: readonly (readonly [from: string, days: number])[] = [
  ['2029-03-15', 47],
  ['2027-03-15', 100],
  ['2026-03-15', 200],
  ['2020-09-01', 398],
  ['2018-03-01', 825],
  ['1970-01-01', 1187],
];
/** Apple's systems accept no longer validity from a private certificate authority (support.apple.com/103769). */
export const APPLE_MAX_VALIDITY_DAYS = 825;

/** Returns the days of validity. `limit` is the maximum that browsers accept from a public authority. */
export function getValidityDays({ validFromDate, validToDate }: X509Certificate): {
  days: number;
  limit: number;
} {
  const from = validFromDate.getTime();
  const limit = LIMITS.find(([day]) => from >= Date.parse(day))?.[1] ?? 1187;
  return { days: (validToDate.getTime() - from) / DAY_MS, limit };
}

/** The most urgent first. A warning applies below its days and below its share of the validity period. */
const WARNINGS = [
  { key: 'expires-in-7-days', days: 7, share: 1 / 12 },
  { key: 'expires-in-14-days', days: 14, share: 1 / 6 },
  { key: 'expires-in-30-days', days: 30, share: 1 / 3 },
] as const;

export function findExpiryWarning(
  certificate: X509Certificate,
  now: number,
): (typeof WARNINGS)[number]['key'] | undefined {
  const left = (certificate.validToDate.getTime() - now) / DAY_MS;
  const { days: life } = getValidityDays(certificate);
  return WARNINGS.find(({ days, share }) => left < Math.min(days, life * share))?.key;
}
