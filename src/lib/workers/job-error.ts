import { AppError, asAppError, type ErrorCode } from '../../errors.ts';

/** Answer of a worker. Errors are returned as values, because a thrown error would end the worker. */
export type ValueOrError<Value> =
  | { readonly value: Value }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly cause: string } };

export async function catchJobError<Value>(work: () => Value | Promise<Value>): Promise<ValueOrError<Value>> {
  try {
    return { value: await work() };
  } catch (thrown) {
    const { code, message } = asAppError(thrown);
    return { error: { code, message, cause: thrown instanceof Error ? String(thrown.stack) : '' } };
  }
}

export function valueOrThrow<Value>(answer: ValueOrError<Value>): Value {
  if ('value' in answer) return answer.value;
  const { code, message, cause } = answer.error;
  throw new AppError(code, message, { cause });
}
