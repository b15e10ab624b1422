import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpServer,
  type Server,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller, Standing } from '../../caller.ts';
import type { Logger } from '../../log.ts';
import { createCredentialWatch, endable } from '../credential-watch.ts';
import { createEventStore } from './event-store.ts';
import type { ScopeGate } from './mcp-scopes.ts';
import type { Notices } from './notices.ts';

/** MCP over streamable HTTP: stateless for the 2026 revision, sessions with resumable streams for 2025 clients. */
export interface McpEndpoint {
  fetch(request: Request, caller: Caller, exchange: Exchange): Promise<Response>;
  /** Ends every session and stream. */
  close(): Promise<void>;
}

/** One request and its answer, as the edge sees them. */
export interface Exchange {
  /** Takes what is to be called once it is over, its stream included. */
  onClose(done: () => void): void;
  /** Counts the messages of a batch after the first toward the caller's limits. AppError `rate_limited`. */
  more(requests: number): void;
}

/** Makes the server that answers a session of a caller (2025), or one request. */
export type ServerMaker = (caller: Caller, lasts: 'session' | 'request') => Server | McpServer;

/** Streams of changes that one caller may have open at once (2026-07-28). */
const STREAMS = 100;
/** Addresses that one of them may name. */
const ADDRESSES = 1000;
/** Messages of a batch that are counted; one that has more is refused by the SDK. */
const BATCH = 100;

export interface McpEndpointOptions {
  readonly log: Logger;
  readonly notices: Notices;
  /** What a caller's scopes do not allow is thrown, for the edge to answer. */
  readonly gate: ScopeGate;
  /** Whether who let somebody in is good by now: what is open ends with it. */
  readonly standing: (caller: Caller) => Standing;
  /** Most bytes of a request body. */
  readonly bodyBytes: number;
  /** Sessions kept at once; of who has the most, the one idle longest is closed for a new one. */
  readonly sessions?: number;
  /** Milliseconds after which an idle session is closed. */
  readonly idle?: number;
}

interface Session {
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Has its credential watched no more. */
  readonly unwatch: () => void;
  usedAt: number;
  /** Requests and streams under way; a session with any is not idle. */
  open: number;
}

export function createMcpEndpoint(make: ServerMaker, options: McpEndpointOptions): McpEndpoint {
  const { log, notices, gate, standing, bodyBytes, sessions: most = 1000, idle = 30 * 60_000 } = options;
  const onerror = (error: Error) => log.debug({ err: error }, 'mcp transport');
  const sessions = new Map<string, Session>();
  const watch = createCredentialWatch({ standing, log });
  notices.beforeTelling(watch.look);
  const asking = new AsyncLocalStorage<Caller>();
  const modern = createMcpHandler(
    () => {
      const caller = asking.getStore();
      if (!caller) throw new Error('a request without a caller');
      return make(caller, 'request');
    },
    { legacy: 'reject', onerror, maxRequestBodySize: bodyBytes, bus: ownChanges(notices, asking) },
  );
  const sweeper = setInterval(() => {
    for (const [id, session] of sessions) if (isIdle(session, idle)) end(id);
  }, 60_000).unref();

  function forget(id: string): Session | undefined {
    const session = sessions.get(id);
    sessions.delete(id);
    session?.unwatch();
    return session;
  }

  function end(id: string): void {
    void forget(id)?.transport.close().catch(onerror);
  }

  /** A stream that lasts, for no longer than the credential that it was opened with is good. */
  function lasting(answer: Response, caller: Caller): Response {
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
    const { response, end: endStream, over } = endable(answer);
    void over.then(watch.add(caller, 'over', endStream));
    return response;
  }

  /** Of whoever has the most sessions, one goes: nobody ends another's by opening many. */
  function makeRoom(): void {
    if (sessions.size < most) return;
    const counts = new Map<string, number>();
    for (const { owner } of sessions.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    const candidates = [...sessions].filter(([, { owner }]) => counts.get(owner) === largest);
    candidates.sort(([, a], [, b]) => a.open - b.open || a.usedAt - b.usedAt);
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
        // One that its key's successor goes on with outlasts the key's end, but not its revocation.
        const unwatch = watch.add(caller, 'revoked', () => end(id));
        sessions.set(id, { owner: caller.id, transport, unwatch, usedAt: Date.now(), open: 0 });
      },
      onsessionclosed: (id) => void forget(id),
    });
    transport.onerror = onerror;
    transport.onclose = () => {
      if (transport.sessionId) forget(transport.sessionId);
    };
    await make(present(caller, asking), 'session').connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async function legacy(
    request: Request,
    body: unknown,
    caller: Caller,
    { onClose }: Exchange,
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
    const answer = await asking.run(caller, () =>
      session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body }),
    );
    return request.method === 'GET' ? lasting(answer, caller) : answer;
  }

  async function current(request: Request, body: unknown, caller: Caller): Promise<Response> {
    const refused = tooMuch(body, notices.followers(caller.id));
    if (refused) return refused;
    const answer = await asking.run(caller, () =>
      modern.fetch(request, body === undefined ? {} : { parsedBody: body }),
    );
    return isListen(body) ? lasting(answer, caller) : answer;
  }

  return {
    async fetch(request, caller, exchange) {
      const body = await readBody(request);
      if (body instanceof Response) return body;
      if (Array.isArray(body)) exchange.more(Math.min(body.length, BATCH) - 1);
      const refused = gate(body, caller);
      if (refused) throw refused;
      if (await isLegacyRequest(request, body)) return legacy(request, body, caller, exchange);
      return current(request, body, caller);
    },
    async close() {
      clearInterval(sweeper);
      watch.close();
      await Promise.all([
        modern.close(),
        ...[...sessions.values()].map(({ transport }) => transport.close()),
      ]);
      sessions.clear();
    },
  };
}

/**
 * The caller of a session as the request under way shows them: a session outlives its first credential, and
 * the next one of the same user may do more, or less.
 */
function present(first: Caller, asking: AsyncLocalStorage<Caller>): Caller {
  return new Proxy(first, { get: (target, key) => Reflect.get(asking.getStore() ?? target, key) });
}

/** The changes that a stream hears of: those of the caller who opened it. */
function ownChanges(notices: Notices, asking: AsyncLocalStorage<Caller>): ServerEventBus {
  return {
    publish() {},
    subscribe(listener) {
      const caller = asking.getStore();
      if (!caller) throw new Error('a stream without a caller');
      notices.watch();
      return notices.follow(caller.id, (uris) => {
        listener({ kind: 'resources_list_changed' });
        for (const uri of uris) listener({ kind: 'resource_updated', uri });
      });
    },
  };
}

/** The refusal of one stream of changes too many, or of one that names too many addresses. */
function tooMuch(body: unknown, open: number): Response | undefined {
  if (!isListen(body)) return undefined;
  const { id, params } = body as {
    id?: string | number;
    params?: { notifications?: { resourceSubscriptions?: unknown } };
  };
  if (open >= STREAMS) {
    return rpcError(200, -32603, `${STREAMS} streams of changes are open: close one first`, id);
  }
  const named = params?.notifications?.resourceSubscriptions;
  if (Array.isArray(named) && named.length > ADDRESSES) {
    return rpcError(200, -32602, `resourceSubscriptions takes at most ${ADDRESSES} addresses`, id);
  }
  return undefined;
}

function isListen(body: unknown): boolean {
  return (body as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen';
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

function rpcError(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status });
}
