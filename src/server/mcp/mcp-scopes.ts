import type { Caller } from '../../caller.ts';
import type { AppError } from '../../errors.ts';
import { type Pipe, refusal } from '../invoke.ts';
import { lacksScope } from '../scope.ts';
import { VIEWS_URI } from './tools/apps.ts';

/** Methods that show what a user keeps, without a tool. */
const READING = new Set([
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'subscriptions/listen',
  'completion/complete',
]);

/** Judges one body of a POST to the MCP endpoint, before anything is answered. */
export type ScopeGate = (body: unknown, caller: Caller) => AppError | undefined;

/**
 * What the caller's scopes do not allow is refused as a status of HTTP, which a client can mend by asking
 * its authorization server for more; as the result of a tool it would come too late for that. `tools` are
 * those that MCP clients see: to all others they are unknown, whatever their scopes.
 */
export function createScopeGate(pipe: Pipe, tools: ReadonlySet<string>): ScopeGate {
  function judge(message: unknown, caller: Caller): AppError | undefined {
    const { method, params } = (message ?? {}) as {
      method?: unknown;
      params?: { name?: unknown; uri?: unknown };
    };
    if (method === 'tools/call') {
      const name = params?.name;
      return typeof name === 'string' && tools.has(name) ? refusal(pipe, name, caller) : undefined;
    }
    if (typeof method !== 'string' || !READING.has(method) || caller.scopes.has('read')) return undefined;
    // A view has nothing of any user in it.
    if (method === 'resources/read' && String(params?.uri).startsWith(VIEWS_URI)) return undefined;
    return lacksScope(method, 'read', caller);
  }
  return (body, caller) => {
    // Clients of 2025-03-26 send several at once.
    for (const message of Array.isArray(body) ? body : [body]) {
      const error = judge(message, caller);
      if (error) return error;
    }
    return undefined;
  };
}
