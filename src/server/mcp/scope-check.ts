import type { Caller } from '../../caller.ts';
import type { AppError } from '../../errors.ts';
import { findScopeError, type Pipe } from '../invoke.ts';
import { missingScopeError } from '../scope.ts';
import { VIEWS_URI } from './tools/apps.ts';

const READING = new Set([
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'subscriptions/listen',
  'completion/complete',
]);

export type ScopeCheck = (body: unknown, caller: Caller) => AppError | undefined;

/** Checks scopes before the response: only after an HTTP status can the client request more scopes. */
export function createScopeCheck(pipe: Pipe, tools: ReadonlySet<string>): ScopeCheck {
  function judge(message: unknown, caller: Caller): AppError | undefined {
    const { method, params } = (message ?? {}) as {
      method?: unknown;
      params?: { name?: unknown; uri?: unknown };
    };
    if (method === 'tools/call') {
      const name = params?.name;
      return typeof name === 'string' && tools.has(name) ? findScopeError(pipe, name, caller) : undefined;
    }
    if (typeof method !== 'string' || !READING.has(method) || caller.scopes.has('read')) return undefined;
    if (method === 'resources/read' && String(params?.uri).startsWith(VIEWS_URI)) return undefined;
    return missingScopeError(method, 'read', caller);
  }
  return (body, caller) => {
    // Clients of MCP 2025-03-26 may send several messages in one request.
    for (const message of Array.isArray(body) ? body : [body]) {
      const error = judge(message, caller);
      if (error) return error;
    }
    return undefined;
  };
}
