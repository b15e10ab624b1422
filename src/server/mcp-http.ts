import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../caller.ts';
import type { Logger } from '../log.ts';
import { createEventStore } from './event-store.ts';

/** MCP over streamable HTTP: stateless for the 2026 revision, sessions with resumable streams for 2025 clients. */
export interface McpEndpoint {
  /** `onClose` takes what is to be called once the exchange is over, its stream included. */
  fetch(request: Request, caller: Caller, onClose: (done: () => void) => void): Promise<Response>;
  /** Ends every session and stream. */
  close(): Promise<void>;
}

/** Makes the server that answers one session or one request of a caller. */
export type ServerMaker = (caller: Caller) => Server | McpServer;

export interface McpEndpointOptions {
  readonly log: Logger;
  /** Most bytes of a request body. */
  readonly bodyBytes: number;
  /** Sessions kept at once; the one idle longest is closed for a new one. */
  readonly sessions?: number;
  /** Milliseconds after which an idle session is closed. */
  readonly idle?: number;
}

interface Session {
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  /** Requests and streams under way; a session with any is not idle. */
  open: number;
}

export function createMcpEndpoint(make: ServerMaker, options: McpEndpointOptions): McpEndpoint {
  const { log, bodyBytes, sessions: most = 1000, idle = 30 * 60_000 } = options;
  const onerror = (error: Error) => log.debug({ err: error }, 'mcp transport');
  const sessions = new Map<string, Session>();
  const callers = new WeakMap<Request, Caller>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (!caller) throw new Error('a request without a caller');
      return make(caller);
    },
    { legacy: 'reject', onerror, maxRequestBodySize: bodyBytes },
  );
  const sweeper = setInterval(() => {
    for (const [id, session] of sessions) if (isIdle(session, idle)) end(id);
  }, 60_000).unref();

  function end(id: string): void {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.transport.close().catch(onerror);
  }

  function makeRoom(): void {
    if (sessions.size < most) return;
    const candidates = [...sessions].sort(([, a], [, b]) => a.open - b.open || a.usedAt - b.usedAt);
    if (candidates[0]) end(candidates[0][0]);
  }

  async function begin(request: Request, body: unknown, caller: Caller): Promise<Response> {
    makeRoom();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: 1000,
      maxRequestBodySize: bodyBytes,
      onsessioninitialized: (id) => {
        sessions.set(id, { owner: caller.id, transport, usedAt: Date.now(), open: 0 });
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    transport.onerror = onerror;
    transport.onclose = () => {
      if (transport.sessionId) sessions.delete(transport.sessionId);
    };
    await make(caller).connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async function legacy(
    request: Request,
    body: unknown,
    caller: Caller,
    onClose: (done: () => void) => void,
  ): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (request.method === 'POST' && isInitializeRequest(body)) return begin(request, body, caller);
      return rpcError(
        400,
        -32000,
        'Mcp-Session-Id is missing: send initialize first, then the id that it answers with',
      );
    }
    const session = sessions.get(id);
    // Another caller's session answers as one that is not there, so that ids tell nothing.
    if (!session || session.owner !== caller.id) {
      return rpcError(404, -32001, 'there is no such session (any more): send initialize to begin a new one');
    }
    session.open++;
    onClose(() => {
      session.open--;
      session.usedAt = Date.now();
    });
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  return {
    async fetch(request, caller, onClose) {
      const body = await readBody(request);
      if (body instanceof Response) return body;
      if (await isLegacyRequest(request, body)) return legacy(request, body, caller, onClose);
      callers.set(request, caller);
      return modern.fetch(request, body === undefined ? {} : { parsedBody: body });
    },
    async close() {
      clearInterval(sweeper);
      await Promise.all([
        modern.close(),
        ...[...sessions.values()].map(({ transport }) => transport.close()),
      ]);
      sessions.clear();
    },
  };
}

function isIdle({ open, usedAt }: Session, idle: number): boolean {
  return open === 0 && Date.now() - usedAt > idle;
}

/** The body of a POST as JSON, read once for both eras; the refusal when it is not JSON. */
async function readBody(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  try {
    return JSON.parse(await request.text());
  } catch {
    return rpcError(400, -32700, 'the body is not JSON: send one JSON-RPC message');
  }
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
