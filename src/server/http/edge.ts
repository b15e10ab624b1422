import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ExtraRequestCost, RequestClient } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import { asAppError } from '../../errors.ts';

/** Variables of a request. `listed`: its origin is allowed. The users are set once known. */
export type HttpEnv = {
  Bindings: HttpBindings;
  Variables: {
    listed: boolean;
    caller: Caller;
    pageUser: Caller | undefined;
    /** The user of a link to files that opened the page, whose use of it is recorded. */
    linkUser: Caller | undefined;
    requestId: string;
    client: RequestClient;
    /** Charges further work to the caller, such as each message of a batch. Throws AppError above a limit. */
    countWork: (work: ExtraRequestCost) => void;
    incoming: AsyncIterable<Uint8Array>;
    takeTurn: () => Promise<() => void>;
    paceRefusal: (bytes: number) => Promise<void>;
  };
};

export function disconnectSignal(c: Context<HttpEnv>): AbortSignal {
  const stop = new AbortController();
  const { outgoing } = c.env;
  if (outgoing.destroyed) stop.abort();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) stop.abort();
  });
  return stop.signal;
}

const RPC_ERROR = -32000;

export function errorResponse(thrown: unknown, c: Context): Response {
  const error = asAppError(thrown);
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter));
  c.header('Cache-Control', 'no-store');
  const { type, text } = formatErrorBody(c.req.path, error);
  return c.body(text, error.status as ContentfulStatusCode, { 'Content-Type': type });
}

export function formatErrorBody(
  path: string,
  failure: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly retryAfter?: number | undefined;
  },
): { readonly type: string; readonly text: string } {
  const { status, code, message, retryAfter } = failure;
  // OAuth clients also request metadata below /mcp. For them, `error` must be a string, not an object.
  if (path === '/mcp' || (path.startsWith('/mcp/') && !path.startsWith('/mcp/.well-known/'))) {
    const error = { code: RPC_ERROR, message, data: { code, retryAfter } };
    return { type: JSON_TYPE, text: JSON.stringify({ jsonrpc: '2.0', error, id: null }) };
  }
  if (!usesProblemDetails(path)) return { type: JSON_TYPE, text: JSON.stringify({ error: message }) };
  const title = code.replaceAll('_', ' ');
  const problem = { error: message, type: 'about:blank', title, status, detail: message };
  return { type: PROBLEM_TYPE, text: JSON.stringify(problem) };
}

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

export const usesProblemDetails = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');

export function methodNotAllowedResponse(c: Context, allowed: string): Response {
  c.header('Allow', allowed);
  return sendError(c, 405, 'method_not_allowed', `${c.req.path.slice(0, 200)} takes ${allowed}`);
}

export function sendError(c: Context, status: ContentfulStatusCode, code: string, message: string): Response {
  const { type, text } = formatErrorBody(c.req.path, { status, code, message });
  return c.body(text, status, { 'Content-Type': type });
}
