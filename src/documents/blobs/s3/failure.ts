import { AppError, unavailableError } from '../../../errors.ts';
import { failureSentence, networkFailure } from '../../../lib/network/network-failure.ts';
import reasons from '../failure-reasons.json' with { type: 'json' };
import type { S3Bucket } from './bucket.ts';

export interface S3Refusal {
  readonly status: number;
  readonly code: string;
  readonly region?: string | undefined;
}

/** Seconds after which a client may try again after a temporary failure. */
const LATER_S = 5;
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
const PASSING_CODES = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'OperationAborted']);
const MISSING = new Set(['NoSuchBucket', 'NotFound']);
const ELSEWHERE = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

const ADVICE: Readonly<Record<string, string>> = reasons.s3;

export function refusalError(place: S3Bucket, refusal: S3Refusal): AppError {
  const { status, code, region } = refusal;
  const said = code === '' ? String(status) : `${status} ${code}`;
  if (PASSING_STATUSES.has(refusal.status) || PASSING_CODES.has(refusal.code)) {
    return unavailableError(`files in ${place.name}: ${place.url.host} answers ${said}; try again shortly`, {
      retryAfter: LATER_S,
    });
  }
  if (MISSING.has(code)) {
    return unusable(
      place,
      `${place.url.host} has no bucket ${place.bucket}: make it, or name another in MAGPIE_BLOBS`,
    );
  }
  if (ELSEWHERE.has(code) || status === 301) {
    const named = region === undefined ? 'the region of the bucket' : region;
    return unusable(place, `the bucket is in another region: set AWS_REGION to ${named}`);
  }
  const advice = ADVICE[code] ?? (status === 403 ? reasons.s3.AccessDenied : undefined);
  return unusable(place, `${place.url.host} answers ${said}${advice === undefined ? '' : `; ${advice}`}`);
}

const unusable = ({ name }: S3Bucket, why: string) =>
  unavailableError(`files cannot be kept in ${name}: ${why}`);

export function connectionError(place: S3Bucket, cause: unknown): unknown {
  if (cause instanceof AppError) return cause;
  const late = cause instanceof DOMException && cause.name === 'TimeoutError';
  const failure = late
    ? { what: 'did not answer in time', advice: 'try again later' }
    : networkFailure(cause);
  if (!failure) return cause;
  return unavailableError(`files in ${place.name}: ${failureSentence(place.url.host, failure)}`, {
    retryAfter: LATER_S,
    cause,
  });
}
