import { AppError, forbiddenError, unavailableError, upstreamError } from '../../errors.ts';
import { PRIVATE_ADDRESS_CODE } from './address.ts';
import {
  collectErrorCodes,
  failureSentence,
  networkFailure,
  RESPONSE_TIMEOUT,
  UNUSABLE_ANSWER,
} from './network-failure.ts';

export interface FetchFailure {
  readonly url: URL;
  readonly caller: AbortSignal;
  readonly deadline: AbortSignal;
  readonly timeoutMs: number;
}

export function fetchError(error: unknown, { url, caller, deadline, timeoutMs }: FetchFailure): AppError {
  if (error instanceof AppError) return error;
  const cause = error;
  if (caller.aborted) {
    const late = caller.reason instanceof DOMException && caller.reason.name === 'TimeoutError';
    if (!late) return new AppError('cancelled', 'the call was cancelled', { cause });
    return new AppError('timeout', failureSentence(url.host, RESPONSE_TIMEOUT), { cause });
  }
  if (deadline.aborted) {
    const late = { ...RESPONSE_TIMEOUT, what: `did not answer within ${timeoutMs / 1000} s` };
    return new AppError('timeout', failureSentence(url.host, late), { cause });
  }
  const codes = collectErrorCodes(error);
  if (codes.includes(PRIVATE_ADDRESS_CODE)) return forbidden(url);
  if (codes.some((code) => code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED'))
    return fetchClosedError();
  const failure = networkFailure(error) ?? UNUSABLE_ANSWER;
  return upstreamError(failureSentence(url.host, failure), { cause });
}

export function forbidden(url: URL): AppError {
  return forbiddenError(
    `${url.host} is not a public address and is not read; the operator can allow it with MAGPIE_ALLOW_HOSTS`,
  );
}

export function fetchClosedError(): AppError {
  return unavailableError('Magpie is shutting down and no longer fetches; try again later');
}
