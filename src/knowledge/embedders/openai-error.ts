import { APIConnectionTimeoutError, APIError } from 'openai';
import { AppError } from '../../errors.ts';

/** Seconds to suggest where the service names none. */
const RETRY_AFTER = 10;

/** The package's error as an AppError, with the key taken out of what goes to the log. */
export function asEmbeddingError(thrown: unknown, { model, key }: { model: string; key: string }): AppError {
  if (thrown instanceof AppError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const cause = new Error(text.replaceAll(key, '[key]'));
  if (thrown instanceof APIConnectionTimeoutError) {
    return new AppError('timeout', 'the embedding model took too long; try again', { cause });
  }
  if (!(thrown instanceof APIError)) {
    return new AppError(
      'upstream',
      'the answer of the embedding model cannot be read; check OPENAI_BASE_URL',
      {
        cause,
      },
    );
  }
  const { status, headers } = thrown;
  if (status === undefined) {
    return new AppError('unavailable', 'the embedding model cannot be reached; check OPENAI_BASE_URL', {
      cause,
    });
  }
  if (status === 401 || status === 403) {
    return new AppError(
      'unavailable',
      `the embedding model refused the key (${status}); check OPENAI_API_KEY`,
      {
        cause,
      },
    );
  }
  if (status === 429 || status === 503) {
    return new AppError(
      'unavailable',
      `the embedding model has too much to do (${status}); try again later`,
      {
        retryAfter: Number.parseInt(headers?.get('retry-after') ?? '', 10) || RETRY_AFTER,
        cause,
      },
    );
  }
  return new AppError(
    'upstream',
    `the embedding service answered ${status}; check that it has the model ${JSON.stringify(model)}`,
    { cause },
  );
}
