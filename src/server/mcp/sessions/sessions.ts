import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Caller } from '../../../caller.ts';
import { withDeadline } from '../../../lib/concurrency/deadline.ts';
import type { CredentialWatch } from '../../credential-watch.ts';
import type { RpcRequestId } from './event-id.ts';
import { createStreamEventLog, type StreamEventLog } from './event-store.ts';

export interface McpSession {
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly ids: ReturnType<typeof createRequestIdQueue>;
  revision(): string | undefined;
  enter(): () => void;
}

export type McpSessions = ReturnType<typeof createMcpSessions>;

export interface SessionParts extends Pick<McpSession, 'revision'> {
  readonly id: string;
  readonly events?: StreamEventLog;
  readonly closed?: () => void;
  readonly revoked?: () => void;
}

interface KeptSession extends McpSession {
  readonly unwatch: () => void;
  usedAt: number;
  open: number;
}

const SWEEP_INTERVAL_MS = 60_000;

export function createMcpSessions(options: {
  readonly watch: Pick<CredentialWatch, 'watchCaller'>;
  readonly onerror: (error: Error) => void;
  readonly bodyBytes: number;
  /** Maximum number of sessions. Above it, the caller with the most sessions loses the longest idle one. */
  readonly maxSessions: number;
  readonly idleMs: number;
}) {
  const { watch, onerror, bodyBytes, maxSessions, idleMs } = options;
  const sessions = new Map<string, KeptSession>();
  const sweeper = setInterval(() => {
    for (const [id, session] of sessions)
      if (session.open === 0 && Date.now() - session.usedAt > idleMs) endSession(id);
  }, SWEEP_INTERVAL_MS).unref();

  function forget(id: string): KeptSession | undefined {
    const session = sessions.get(id);
    sessions.delete(id);
    session?.unwatch();
    return session;
  }

  function endSession(id: string): void {
    void forget(id)?.transport.close().catch(onerror);
  }

  function makeRoom(): void {
    if (sessions.size < maxSessions) return;
    const counts = new Map<string, number>();
    for (const { owner } of sessions.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    const candidates = [...sessions].filter(([, { owner }]) => counts.get(owner) === largest);
    candidates.sort(([, a], [, b]) => a.open - b.open || a.usedAt - b.usedAt);
    if (candidates[0]) endSession(candidates[0][0]);
  }

  return {
    findSession: (id: string): McpSession | undefined => sessions.get(id),
    endSession,
    listIds: (): { readonly id: string; readonly open: boolean }[] =>
      Array.from(sessions, ([id, { open }]) => ({ id, open: open > 0 })),
    createTransport(
      caller: Caller,
      { id: own, revision, events = createStreamEventLog(), closed, revoked }: SessionParts,
    ): WebStandardStreamableHTTPServerTransport {
      makeRoom();
      const ids = createRequestIdQueue();
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => own,
        eventStore: events,
        retryInterval: 1000,
        maxRequestBodySize: bodyBytes,
        onsessioninitialized: (id) => {
          // Only revocation ends the session. After an expiry, a new key may continue the session.
          const unwatch = watch.watchCaller(caller, 'revoked', () => {
            endSession(id);
            revoked?.();
          });
          sessions.set(id, { ...keptSession(caller.id, transport, unwatch), ids, revision });
        },
        onsessionclosed: (id) => void forget(id),
      });
      const send = transport.send.bind(transport);
      transport.send = async (message, related) => {
        await send(message, related);
        if ('id' in message && !('method' in message) && message.id !== undefined) ids.release([message.id]);
      };
      transport.onerror = onerror;
      transport.onclose = () => {
        if (transport.sessionId) forget(transport.sessionId);
        closed?.();
      };
      return transport;
    },
    async close(): Promise<void> {
      clearInterval(sweeper);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

function keptSession(owner: string, transport: KeptSession['transport'], unwatch: () => void) {
  return {
    owner,
    transport,
    unwatch,
    usedAt: Date.now(),
    open: 0,
    enter() {
      this.open++;
      return () => {
        this.open--;
        this.usedAt = Date.now();
      };
    },
  };
}

const MAX_WAIT_MS = 120_000;

/**
 * Runs the requests of a session that have the same id one after the other. The transport finds the stream of an answer
 * by its id, so a second request would get the answer to the first. Some clients send the same id with every request.
 */
function createRequestIdQueue() {
  const running = new Map<RpcRequestId, PromiseWithResolvers<void>>();

  return {
    /** Waits until none of the ids is in use, and takes them. Rejects when the signal aborts or after 120 s. */
    take: (ids: readonly RpcRequestId[], signal: AbortSignal): Promise<void> =>
      withDeadline(signal, MAX_WAIT_MS, async (ended) => {
        for (;;) {
          const other = ids.map((id) => running.get(id)).find(Boolean);
          if (ended.aborted || !other) break;
          await other.promise;
        }
        if (!ended.aborted) for (const id of ids) running.set(id, Promise.withResolvers());
      }),
    release(ids: readonly RpcRequestId[]): void {
      for (const id of ids) {
        running.get(id)?.resolve();
        running.delete(id);
      }
    },
  };
}
