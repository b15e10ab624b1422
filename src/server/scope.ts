import type { Caller, Scope } from '../caller.ts';
import { AppError } from '../errors.ts';

export function missingScopeError(what: string, scope: Scope, caller: Caller): AppError {
  const had = [...caller.scopes].join(', ') || 'none';
  return new AppError(
    'forbidden',
    `${what} needs the scope ${scope}, and this credential has ${had}: ask the operator of this server for one that has ${scope} too`,
    { scope },
  );
}
