import type { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { McpSessionStore, StoredMcpSession } from '../../../access/types.ts';
import type { Caller, CredentialState } from '../../../caller.ts';
import { isTimeout } from '../../../lib/concurrency/deadline.ts';
import { makeOnce } from '../../../lib/concurrency/once.ts';
import { explainBatchRefusal } from '../batch-collector.ts';
import type { HttpExchange, McpServerFactory } from '../mcp-parts.ts';
import { rpcErrorResponse } from '../rpc-error.ts';
import { type EventPosition, parseEventId, type RpcRequestId } from './event-id.ts';
import type { McpSession } from './sessions.ts';
import {
  announceAllChanges,
  createSharedSessions,
  type SharedMcpSessions,
  type SharedSessionsOptions,
} from './shared-sessions.ts';
import type { createSharedStreams } from './shared-streams.ts';
import { LOST_ANSWER_NUMBER } from './stream-reader.ts';
import type { AnsweredRequests } from './stream-sender.ts';

export interface SessionEndpointOptions extends Omit<SharedSessionsOptions, 'store'> {
  readonly make: McpServerFactory;
  readonly asking: AsyncLocalStorage<Caller>;
  readonly standingOf: (caller: Caller) => CredentialState | Promise<CredentialState>;
  readonly store: () => Promise<McpSessionStore | undefined>;
}

/** Matches event ids of older Magpie versions. A stream cannot be resumed after an event with such an id. */
const EARLIER_EVENT = /^[0-9a-f]{8}p\d+$/;
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** MCP before 2026-07-28, in which each request of a client belongs to a session. */
export function createSessionEndpoint(options: SessionEndpointOptions) {
  const { sessions, asking, store, idleMs, onerror } = options;
  const shared = makeOnce(async () => {
    const kept = await store();
    return kept && createSharedSessions({ store: kept, sessions, idleMs, onerror });
  });
  const making = new Map<string, Promise<McpSession | undefined>>();

  async function begin(request: Request, body: unknown, caller: Caller): Promise<Response> {
    const id = randomUUID();
    const all = await shared();
    await all?.storeSession(id, caller, body);
    const transport = await connect(options, id, caller, all);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async function find(all: SharedMcpSessions | undefined, id: string, caller: Caller) {
    const here = sessions.findSession(id);
    // A session of another caller counts as missing, so that its existence stays secret.
    if (!all) return here?.owner === caller.id ? here : undefined;
    const stored = await all.find(id, caller.id);
    if (!stored) {
      if (here?.owner === caller.id) sessions.endSession(id);
      return undefined;
    }
    if (here) return here;
    const made = making.get(id) ?? takeOver(options, all, stored, caller).finally(() => making.delete(id));
    making.set(id, made);
    return made;
  }

  return {
    async fetch(
      request: Request,
      body: unknown,
      caller: Caller,
      { onClose }: HttpExchange,
    ): Promise<Response> {
      if (request.method === 'POST' && isInitializeRequest(body)) return begin(request, body, caller);
      const id = request.headers.get('mcp-session-id');
      if (id === null) {
        const message = 'Mcp-Session-Id is missing: send initialize first, then the id that it answers with';
        return rpcErrorResponse(400, -32000, message);
      }
      const all = await shared();
      const session = await find(all, id, caller);
      if (!session) {
        const message = 'there is no such session, or it has ended: send initialize to begin a new one';
        return rpcErrorResponse(404, -32001, message);
      }
      const refusal = Array.isArray(body) ? explainBatchRefusal(body, session.revision()) : undefined;
      if (refusal !== undefined) return rpcErrorResponse(400, -32600, refusal);
      const requests = requestsOf(body);
      const refused = await takeIds(session, requests, request.signal);
      if (refused) return refused;
      const leave = session.enter();
      const answered: AnsweredRequests = { requests };
      onClose((finished) => {
        leave();
        all?.streams.sender.connectionClosed(id, answered, finished);
      });
      const response = await asking
        .run(caller, () =>
          all
            ? all.streams.sender.runAnswering(answered, () => answerShared(all, session, id, request, body))
            : answer(session, request, body),
        )
        .catch((error: unknown) => {
          session.ids.release(requests);
          throw error;
        });
      // Releases ids that get no response: of cancelled requests, or of all requests in a refused message.
      session.ids.release(response.ok ? cancelledOf(body) : requests);
      return response;
    },
    async close(): Promise<void> {
      if (shared.made()) await (await shared())?.close();
    },
  };
}

const OWN_EVENT = /^\d{1,12}\.\d{1,12}$/;

function answer({ transport }: McpSession, request: Request, body: unknown): Promise<Response> {
  const last = request.headers.get('last-event-id');
  if (
    request.method === 'GET' &&
    last &&
    !OWN_EVENT.test(last) &&
    !EARLIER_EVENT.test(last) &&
    !parseEventId(last)
  ) {
    // The event id has an unknown format, so the client gets a new stream.
    const headers = new Headers(request.headers);
    headers.delete('last-event-id');
    return openOwnStream(transport, new Request(request.url, { headers, signal: request.signal }));
  }
  if (request.method === 'GET' && !last) return openOwnStream(transport, request);
  return transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
}

/** Replaces the session's earlier stream, because its connection may have broken without a sign. */
function openOwnStream(transport: McpSession['transport'], request: Request): Promise<Response> {
  if (acceptsStream(request)) transport.closeStandaloneSSEStream();
  return transport.handleRequest(request);
}

async function answerShared(
  all: SharedMcpSessions,
  session: McpSession,
  id: string,
  request: Request,
  body: unknown,
): Promise<Response> {
  if (request.method === 'POST') {
    const rest = await all.forwardAnswers(id, body);
    return rest === undefined ? new Response(null, { status: 202 }) : answer(session, request, rest);
  }
  if (request.method === 'DELETE') {
    const answered = await answer(session, request, body);
    if (answered.ok) await all.end(id, session.owner);
    return answered;
  }
  if (request.method !== 'GET') return answer(session, request, body);
  return openStream(all, session, id, request);
}

async function openStream(
  { streams, ...all }: SharedMcpSessions,
  session: McpSession,
  id: string,
  request: Request,
): Promise<Response> {
  const last = request.headers.get('last-event-id') ?? '';
  const place = parseEventId(last);
  if (EARLIER_EVENT.test(last) || place?.number === LOST_ANSWER_NUMBER) {
    return rpcErrorResponse(400, -32000, 'the answer on this stream was lost: send the request again');
  }
  if (place && (await streams.reopen(id, place, last))) return answer(session, request, undefined);
  if (place && acceptsStream(request)) {
    const elsewhere = await readElsewhere(streams, session, id, place);
    if (elsewhere) return elsewhere;
  }
  const headers = new Headers(request.headers);
  headers.delete('last-event-id');
  streams.sender.clientReturned(id);
  const stream = await openOwnStream(session.transport, new Request(request.url, { headers }));
  if (stream.ok) await announceAllChanges(session.transport, all.subscriptionsOf(id));
  return stream;
}

function acceptsStream(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/event-stream') ?? false;
}

/** Reads a stream from another node. Returns undefined if that node has no standalone stream. */
async function readElsewhere(
  streams: ReturnType<typeof createSharedStreams>,
  session: McpSession,
  id: string,
  place: EventPosition,
) {
  const reader = streams.readStream(id, session.owner, place);
  if (place.standalone && !(await reader.known)) {
    reader.end();
    return undefined;
  }
  return new Response(reader.body, { headers: { ...STREAM_HEADERS, 'mcp-session-id': id } });
}

function requestsOf(body: unknown): RpcRequestId[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown };
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
  });
}

async function takeIds({ ids }: McpSession, requests: readonly RpcRequestId[], signal: AbortSignal) {
  try {
    await ids.take(requests, signal);
    return undefined;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const message = 'a request with the same id still runs in this session: send this one with another id';
    return rpcErrorResponse(400, -32600, message, requests[0]);
  }
}

function cancelledOf(body: unknown): RpcRequestId[] {
  return [body].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: RpcRequestId } };
    return method === 'notifications/cancelled' && params?.requestId !== undefined ? [params.requestId] : [];
  });
}

async function connect(
  { make, sessions, asking, onerror }: SessionEndpointOptions,
  id: string,
  first: Caller,
  all: SharedMcpSessions | undefined,
) {
  const server = make(present(first, asking), 'session', all?.subscriptionsOf(id));
  const log = all?.streams.sender.openLog(id, first.id);
  const transport = sessions.createTransport(first, {
    id,
    revision: () => ('server' in server ? server.server : server).getNegotiatedProtocolVersion(),
    ...(log && { events: log.events, closed: log.close }),
    ...(all && { revoked: () => void all.end(id, first.id).catch(onerror) }),
  });
  all?.connect(transport);
  await server.connect(transport);
  return transport;
}

async function takeOver(
  options: SessionEndpointOptions,
  all: SharedMcpSessions,
  stored: StoredMcpSession,
  caller: Caller,
): Promise<McpSession | undefined> {
  const { credential: _, expiresAt: __, grant: ___, ...same } = caller;
  const first: Caller = {
    ...same,
    ...(stored.credential !== undefined && { credential: stored.credential }),
    ...(stored.expiresAt !== undefined && { expiresAt: stored.expiresAt }),
  };
  if ((await options.standingOf(first)) === 'revoked') {
    await all.end(stored.id, stored.owner);
    return undefined;
  }
  return options.asking.run(caller, async () => {
    const transport = await connect(options, stored.id, first, all);
    const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      transport.handleRequest(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
        }),
        { parsedBody: body },
      );
    await (await post(JSON.parse(stored.initialize))).text();
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': stored.id });
    return options.sessions.findSession(stored.id);
  });
}

/**
 * Returns a caller with the properties of the request that is being served, or of `first` outside a request.
 * Later requests of a session may have another key or other rights.
 */
function present(first: Caller, asking: AsyncLocalStorage<Caller>): Caller {
  return new Proxy(first, { get: (target, key) => Reflect.get(asking.getStore() ?? target, key) });
}
