import { APIConnectionTimeoutError, APIError } from 'openai';
import { AppError, type ErrorCode } from '../../errors.ts';
import { networkFailure } from '../../lib/network/network-failure.ts';

const RETRY_AFTER_S = 10;

/** Converts an error of the `openai` package. Drops the message of an API error, because it may contain texts or the key. */
export function asEmbeddingError(thrown: unknown, { model, key }: { model: string; key: string }): AppError {
  if (thrown instanceof AppError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const said = thrown instanceof APIError && thrown.status !== undefined ? codesOf(thrown) : text;
  const cause = new Error(said.replaceAll(key, '[key]'));
  const error = (code: ErrorCode, message: string, retryAfter?: number) =>
    new AppError(code, message, { cause, ...(retryAfter !== undefined && { retryAfter }) });
  if (thrown instanceof APIConnectionTimeoutError)
    return error('timeout', 'the embedding model took too long; try again');
  if (!(thrown instanceof APIError))
    return error('upstream', 'the answer of the embedding model cannot be read; check OPENAI_BASE_URL');
  const { status, headers } = thrown;
  if (status === undefined) {
    const failure = networkFailure(thrown);
    const why = failure === undefined ? '' : `: it ${failure.what}`;
    const advice = failure === undefined ? '' : `, or ${failure.advice}`;
    return error(
      'unavailable',
      `the embedding model cannot be reached${why}; check OPENAI_BASE_URL${advice}`,
    );
  }
  if (status === 401 || status === 403)
    return error('unavailable', `the embedding model refused the key (${status}); check OPENAI_API_KEY`);
  if (status === 429 || status === 503) {
    const retryAfter = Number.parseInt(headers?.get('retry-after') ?? '', 10) || RETRY_AFTER_S;
    return error('unavailable', `the embedding model is overloaded (${status}); try again later`, retryAfter);
  }
  const named = JSON.stringify(model);
  return error('upstream', `the embedding service answered ${status}; check that it has the model ${named}`);
}

function codesOf({ status, type, code }: APIError): string {
  const words = [type, code].filter((word) => typeof word === 'string' && /^[\w.-]{1,60}$/.test(word));
  return [status, ...words].join(' ');
}
