import type { ProbedPage } from '../../probing/page-probe.ts';

/** Minimum `max-age` of HSTS: six months of 30 days. */
const MIN_HSTS_SECONDS = 15_552_000;

export type HstsVerdict = 'good' | 'short' | 'missing' | 'invalid' | 'untrusted' | 'no-https';

export function judgeHsts(page: ProbedPage): HstsVerdict {
  if (!page.url.startsWith('https:')) return 'no-https';
  if (!page.trusted) return 'untrusted';
  const [value, ...more] = page.header('strict-transport-security');
  if (value === undefined) return 'missing';
  const [, age] = /(?:^|;)\s*max-age="?(\d{1,15})/i.exec(value) ?? [];
  if (more.length > 0 || value.includes(',') || age === undefined) return 'invalid';
  return Number(age) < MIN_HSTS_SECONDS ? 'short' : 'good';
}

export type ReferrerVerdict = 'private' | 'missing' | 'unsafe' | 'invalid';

const PRIVATE = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'];
const UNSAFE = ['origin', 'origin-when-cross-origin', 'unsafe-url', 'no-referrer-when-downgrade'];

export function judgeReferrerPolicy(values: readonly string[]): ReferrerVerdict {
  if (values.length === 0) return 'missing';
  const named = values.flatMap((value) => value.split(',')).map((one) => one.trim().toLowerCase());
  const last = named.findLast((one) => PRIVATE.includes(one) || UNSAFE.includes(one));
  if (last === undefined) return 'invalid';
  return PRIVATE.includes(last) ? 'private' : 'unsafe';
}

export function judgeContentTypeOptions(page: ProbedPage): 'good' | 'missing' | 'invalid' {
  const [value] = page.header('x-content-type-options');
  if (!value) return 'missing';
  return value.trim().toLowerCase() === 'nosniff' ? 'good' : 'invalid';
}

/** Judges X-Frame-Options. `byPolicy` is true if the Content-Security-Policy already limits framing. */
export function judgeFraming(page: ProbedPage, byPolicy: boolean): 'policy' | 'good' | 'missing' | 'invalid' {
  if (byPolicy) return 'policy';
  const value = page.header('x-frame-options')[0]?.trim().toLowerCase();
  if (!value) return 'missing';
  return value === 'deny' || value === 'sameorigin' || value.startsWith('allow-from') ? 'good' : 'invalid';
}

export function judgeResourcePolicy(values: readonly string[]): 'own' | 'open' | 'missing' | 'invalid' {
  const value = values[0]?.trim().toLowerCase();
  if (!value) return 'missing';
  if (value === 'same-site' || value === 'same-origin') return 'own';
  return value === 'cross-origin' ? 'open' : 'invalid';
}
