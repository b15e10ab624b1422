import type { Attestation, Judgement } from './attestation.ts';

const DAY_MS = 86_400_000;

/** Judgements as people read them. */
export const JUDGEMENT_WORDS: Readonly<Record<Judgement, string>> = {
  pass: 'passes',
  fail: 'fails',
  not_applicable: 'not applicable',
  exception: 'exception',
};

/** `2026-11-23`, or with the time of the day where it is not midnight. */
export function dayOf(at: number): string {
  const text = new Date(at).toISOString();
  return at % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')} UTC`;
}

/** The last day on which it counts, or the minute. */
export function endOf(until: number): string {
  return until % DAY_MS === 0 ? dayOf(until - DAY_MS) : dayOf(until);
}

/** `by Ann Lee on 2026-11-23, until 2027-06-30`. */
export function byWhom({ by, at, until }: Attestation): string {
  return `by ${by} on ${dayOf(at).slice(0, 10)}${until === undefined ? '' : `, until ${endOf(until)}`}`;
}

/** Its reason, link, files with their digests, and where it stands, as one sentence each. */
export function groundsOf({ why, link, evidence, source }: Attestation): string {
  const files = evidence.map(({ name, sha256, bytes }) => `${name} (${bytes} bytes, SHA-256 ${sha256})`);
  return [
    `"${why.replace(/\s+/g, ' ')}"`,
    ...(link === undefined ? [] : [link]),
    ...(files.length === 0 ? [] : [`Evidence: ${files.join(', ')}`]),
    `From ${source}`,
  ].join('. ');
}
