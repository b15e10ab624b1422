import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { RequestClient, Work } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import { asAppError } from '../../errors.ts';

/**
 * What the edge knows of a request: `listed` whether it comes from a page of an origin that may call, `caller` once
 * it is let in, `pageUser` once the upload page knows its user.
 */
export type Edge = {
  Bindings: HttpBindings;
  Variables: {
    listed: boolean;
    caller: Caller;
    pageUser: Caller | undefined;
    requestId: string;
    client: RequestClient;
    /** Counts what the request holds beyond itself towards its caller's limits; throws AppError. */
    countWork: (work: Work) => void;
  };
};

/** Aborted when the client goes away before the answer is out. */
export function untilGone(c: Context<Edge>): AbortSignal {
  const stop = new AbortController();
  const { outgoing } = c.env;
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) stop.abort();
  });
  return stop.signal;
}

/** Of the codes that JSON-RPC leaves to servers. */
const RPC_ERROR = -32000;

/** The contract's error body; under /v1 with the members of RFC 9457 beside it. */
export function errorResponse(thrown: unknown, c: Context): Response {
  const error = asAppError(thrown);
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter));
  c.header('Cache-Control', 'no-store');
  const { type, text } = failureText(c.req.path, error);
  return c.body(text, error.status as ContentfulStatusCode, { 'Content-Type': type });
}

/** What an error's body is made of. */
interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly retryAfter?: number | undefined;
}

/** An error's body as the path has it, and its media type. */
export function failureText(
  path: string,
  failure: Failure,
): { readonly type: string; readonly text: string } {
  const { status, code, message, retryAfter } = failure;
  if (path === '/mcp' || path.startsWith('/mcp/')) {
    // As MCP's clients know errors, and when to come again; the request's own id is not read at the edge.
    const error = { code: RPC_ERROR, message, data: { code, retryAfter } };
    return { type: JSON_TYPE, text: JSON.stringify({ jsonrpc: '2.0', error, id: null }) };
  }
  if (!hasProblems(path)) return { type: JSON_TYPE, text: JSON.stringify({ error: message }) };
  const title = code.replaceAll('_', ' ');
  const problem = { error: message, type: 'about:blank', title, status, detail: message };
  return { type: PROBLEM_TYPE, text: JSON.stringify(problem) };
}

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** Whether errors at a path are problem details (RFC 9457): in Area B. */
export function hasProblems(path: string): boolean {
  return path.startsWith('/v1/');
}

/** The refusal of a method; `allowed` are those that the path takes. */
export function methodNotAllowed(c: Context, allowed: string): Response {
  c.header('Allow', allowed);
  return errorBody(c, 405, 'method_not_allowed', `${c.req.path.slice(0, 200)} takes ${allowed}`);
}

export function errorBody(c: Context, status: ContentfulStatusCode, code: string, message: string): Response {
  const { type, text } = failureText(c.req.path, { status, code, message });
  return c.body(text, status, { 'Content-Type': type });
}
