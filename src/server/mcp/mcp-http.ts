import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { createMcpHandler, isLegacyRequest, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Caller, CredentialState } from '../../caller.ts';
import { type AppError, asAppError, unavailableError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Services } from '../../wiring/services.ts';
import { createCredentialWatch, makeEndable } from '../credential-watch.ts';
import { findScopeError, missingScopeError, type OperationPipeline } from '../invoke.ts';
import { narrowOffer } from '../tool-selection.ts';
import { answerAsAccepted, answerByStream, readRpcBody, repairHeaders } from './accepted-answer.ts';
import { escapeResponse } from './line-separators.ts';
import type { HttpExchange, McpServerFactory } from './mcp-parts.ts';
import type { ChangeNotifications } from './resources/change-notifications.ts';
import type { ResourceScope } from './resources/resource-family.ts';
import { rpcErrorResponse } from './rpc-error.ts';
import { createSessionEndpoint } from './sessions/mcp-2025.ts';
import { createMcpSessions } from './sessions/sessions.ts';
import { declaresTasks, missingTasksError } from './tasks/task-protocol.ts';
import { VIEWS_URI } from './tools/apps.ts';

export type { HttpExchange, McpServerFactory };

/** MCP over HTTP. It is stateless since MCP 2026-07-28. Before, it has sessions and resumable streams. */
export type McpEndpoint = ReturnType<typeof createMcpEndpoint>;

const MAX_STREAMS = 100;
const MAX_ADDRESSES = 1000;
const RETRY_AFTER_S = 2;
const ENDED = [404, 499];

export interface McpEndpointOptions {
  readonly log: Logger;
  readonly notifications: ChangeNotifications;
  readonly services: Services;
  readonly gate: ScopeCheck;
  /** Checks a caller's credential. Open streams end when it is no longer valid. */
  readonly standingOf: (caller: Caller) => CredentialState | Promise<CredentialState>;
  readonly bodyBytes: number;
  readonly maxSessions?: number;
  readonly idleMs?: number;
}

export function createMcpEndpoint(make: McpServerFactory, options: McpEndpointOptions) {
  const { log, notifications, services, gate, standingOf, bodyBytes } = options;
  const { maxSessions = 1000, idleMs = 30 * 60_000 } = options;
  const onerror = (error: Error) => log.debug({ err: error }, 'mcp transport');
  const watch = createCredentialWatch({ standingOf, log });
  notifications.beforeNotifying(watch.checkNow);
  const asking = new AsyncLocalStorage<Caller>();
  let isClosing = false;
  const sessions = createMcpSessions({ watch, onerror, bodyBytes, maxSessions, idleMs });
  const legacy = createSessionEndpoint({
    ...{ make, sessions, asking, standingOf, idleMs, onerror },
    store: services.identity.sessions,
  });
  const modern = createMcpHandler(
    () => {
      const caller = asking.getStore();
      if (!caller) throw new Error('a request without a caller');
      return make(caller, 'request');
    },
    { legacy: 'reject', onerror, maxRequestBodySize: bodyBytes, bus: ownChanges(notifications, asking) },
  );

  function lasting(answer: Response, caller: Caller): Response {
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
    const { response, end, ended } = makeEndable(answer);
    void ended.then(watch.watchCaller(caller, 'ended', end));
    return response;
  }

  async function answerLegacy(request: Request, body: unknown, caller: Caller, exchange: HttpExchange) {
    const answer = await legacy.fetch(request, body, caller, exchange);
    return request.method === 'GET' ? lasting(answer, caller) : answer;
  }

  async function answerModern(request: Request, body: unknown, caller: Caller, exchange: HttpExchange) {
    const refused =
      tooMuch(body, notifications.countFollowers(caller.id)) ??
      (await unknownAddress(body, { caller, services }, exchange));
    if (refused) return refused;
    const answer = await asking.run(caller, () =>
      modern.fetch(request, body === undefined ? {} : { parsedBody: body }),
    );
    return isListen(body) ? lasting(answer, caller) : answer;
  }

  /** If a request fails during shutdown, answers "retry later". A 404 would end the client's session. */
  async function unlessClosing(work: Promise<Response>): Promise<Response> {
    const answer = await work.catch((error: unknown) => {
      if (isClosing) return undefined;
      throw error;
    });
    if (answer && !(isClosing && ENDED.includes(answer.status))) return answer;
    throw unavailableError('Magpie was stopped while the call ran: send it again', {
      retryAfter: RETRY_AFTER_S,
    });
  }

  return {
    async fetch(received: Request, caller: Caller, exchange: HttpExchange) {
      const body = await readRpcBody(received, exchange);
      if (body instanceof Response) return body;
      const refused = gate(body, caller);
      if (refused) throw refused;
      const request = repairHeaders(received, body);
      const serve = (await isLegacyRequest(request, body)) ? answerLegacy : answerModern;
      const answer = (accepted: Request) => serve(accepted, body, caller, exchange);
      return escapeResponse(
        await unlessClosing(
          isListen(body) ? answerByStream(request, answer) : answerAsAccepted(request, body, answer),
        ),
      );
    },
    async close() {
      isClosing = true;
      watch.close();
      await Promise.all([modern.close(), legacy.close(), sessions.close()]);
    },
  };
}

function ownChanges(notifications: ChangeNotifications, asking: AsyncLocalStorage<Caller>): ServerEventBus {
  return {
    publish() {},
    subscribe(listener) {
      const caller = asking.getStore();
      if (!caller) throw new Error('a stream without a caller');
      notifications.includeOtherProcesses();
      return notifications.follow(caller.id, (uris) => {
        listener({ kind: 'resources_list_changed' });
        for (const uri of uris) listener({ kind: 'resource_updated', uri });
      });
    },
  };
}

interface ListenRequest {
  readonly id?: string | number;
  readonly params?: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly notifications?: { readonly resourceSubscriptions?: unknown; readonly taskIds?: unknown };
  };
}

function tooMuch(body: unknown, open: number): Response | undefined {
  if (!isListen(body)) return undefined;
  const { id, params } = body as ListenRequest;
  if (params?.notifications?.taskIds !== undefined && !declaresTasks(params._meta)) {
    const { code, message, data } = missingTasksError();
    return rpcErrorResponse(400, code, message, id, data);
  }
  if (open >= MAX_STREAMS) {
    return rpcErrorResponse(200, -32603, `${MAX_STREAMS} streams of changes are open: close one first`, id);
  }
  const named = params?.notifications?.resourceSubscriptions;
  if (Array.isArray(named) && named.length > MAX_ADDRESSES) {
    return rpcErrorResponse(
      200,
      -32602,
      `resourceSubscriptions takes at most ${MAX_ADDRESSES} addresses`,
      id,
    );
  }
  return undefined;
}

/** Returns an error if the request subscribes to an unknown address. Charges each address as a request. */
async function unknownAddress(body: unknown, scope: ResourceScope, { countWork }: HttpExchange) {
  if (!isListen(body)) return undefined;
  const { id, params } = body as ListenRequest;
  const named = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(named)) return undefined;
  const addresses = new Set(named.filter((one) => typeof one === 'string'));
  countWork({ requests: Math.max(0, addresses.size - 1) });
  const { checkResource } = await import('./resources/resources.ts');
  for (const uri of addresses) {
    try {
      await setImmediate();
      await checkResource(scope, uri);
    } catch (thrown) {
      const error = asAppError(thrown);
      return rpcErrorResponse(200, error.status < 500 ? -32602 : -32603, error.message, id);
    }
  }
  return undefined;
}

function isListen(body: unknown): boolean {
  return (body as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen';
}

const READING = new Set(
  'resources/list resources/read resources/subscribe subscriptions/listen completion/complete'.split(' '),
);

type ScopeCheck = (body: unknown, caller: Caller) => AppError | undefined;

/** Creates a scope check before calls. Clients request a missing scope only after an HTTP error. */
export function createScopeCheck(pipe: OperationPipeline, tools: ReadonlySet<string>): ScopeCheck {
  function judge(message: unknown, caller: Caller): AppError | undefined {
    const { method, params } = (message ?? {}) as {
      method?: unknown;
      params?: { name?: unknown; uri?: unknown };
    };
    if (method === 'tools/call') {
      const name = params?.name;
      const offered = narrowOffer(pipe, tools, caller).tools;
      return typeof name === 'string' && offered.has(name) ? findScopeError(pipe, name, caller) : undefined;
    }
    if (typeof method !== 'string' || !READING.has(method) || caller.scopes.has('read')) return undefined;
    if (method === 'resources/read' && String(params?.uri).startsWith(VIEWS_URI)) return undefined;
    return missingScopeError(method, 'read', caller);
  }
  return (body, caller) => {
    // Clients of MCP 2025-03-26 may send a list of messages.
    for (const message of Array.isArray(body) ? body : [body]) {
      const error = judge(message, caller);
      if (error) return error;
    }
    return undefined;
  };
}
