import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Caller } from '../../caller.ts';
import { asAppError } from '../../errors.ts';
import type { OperationPipeline } from '../invoke.ts';

export async function withProtocolErrors<T>(handle: () => T | Promise<T>, uri?: string): Promise<T> {
  try {
    return await handle();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    const error = asAppError(thrown);
    if (error.code === 'not_found' && uri !== undefined) throw new ResourceNotFoundError(uri, error.message);
    const code = error.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, error.message);
  }
}

export async function runAccounted<T>(
  { metrics, accounting }: OperationPipeline,
  { caller, name, signal }: { readonly caller: Caller; readonly name: string; readonly signal: AbortSignal },
  handle: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  let outcome = 'ok';
  let leave: (() => void) | undefined;
  try {
    leave = await accounting?.enterCall(caller, { name, effect: 'read', openWorld: false }, signal);
    return await handle();
  } catch (error) {
    outcome = asAppError(error).code;
    throw error;
  } finally {
    leave?.();
    const ms = performance.now() - began;
    metrics.observe(name, caller.via, outcome, ms / 1000);
    accounting?.recordCall(caller, name, outcome, ms);
  }
}
