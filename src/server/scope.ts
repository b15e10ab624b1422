import type { Caller, Scope } from '../caller.ts';
import { AppError } from '../errors.ts';

/** The refusal of a call whose credential lacks its scope: what it has, and who can issue another. */
export function lacksScope(what: string, scope: Scope, caller: Caller): AppError {
  const had = [...caller.scopes].join(', ') || 'none';
  return new AppError(
    'forbidden',
    `${what} needs the scope ${scope}, and this credential has ${had}: ask the operator of this server for one that has ${scope} too`,
    { scope },
  );
}
