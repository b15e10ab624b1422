import type { Attestation, Judgement } from './attestation.ts';

const DAY_MS = 86_400_000;

export const JUDGEMENT_WORDS: Readonly<Record<Judgement, string>> = {
  pass: 'passes',
  fail: 'fails',
  not_applicable: 'not applicable',
  exception: 'exception',
};

/** Formats a time as `2026-11-23` if it is midnight UTC, otherwise as `2026-11-23 14:30 UTC`. */
export function formatDay(at: number): string {
  const text = new Date(at).toISOString();
  return at % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats the end of validity. Midnight is shown as the day before, which is the last valid day. */
export const formatValidityEnd = (until: number): string =>
  until % DAY_MS === 0 ? formatDay(until - DAY_MS) : formatDay(until);

/** Says who judged, for example `by Ann Lee on 2026-11-23, until 2027-06-30`. */
export const formatAttester = ({ by, at, until }: Attestation): string =>
  `by ${by} on ${formatDay(at).slice(0, 10)}${until === undefined ? '' : `, until ${formatValidityEnd(until)}`}`;

export function formatGrounds({ why, link, evidence, source }: Attestation): string {
  const files = evidence.map(({ name, sha256, bytes }) => `${name} (${bytes} bytes, SHA-256 ${sha256})`);
  return [
    `"${why.replace(/\s+/g, ' ')}"`,
    ...(link === undefined ? [] : [link]),
    ...(files.length === 0 ? [] : [`Evidence: ${files.join(', ')}`]),
    `From ${source}`,
  ].join('. ');
}
