import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Caller } from '../../../caller.ts';
import type { CredentialWatch } from '../../credential-watch.ts';
import { createEventStore, type EventLog } from './event-store.ts';

/** One session of a client of 2025. */
export interface Session {
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** The protocol revision that was agreed on, once it is. */
  revision(): string | undefined;
  /** Counts a request or stream as under way; returns the function to call at its end. */
  enter(): () => void;
}

/** The sessions of all callers: bounded, closed when they are idle, ended when their credential is revoked. */
export interface Sessions {
  findSession(id: string): Session | undefined;
  /** Ends it here. */
  endSession(id: string): void;
  /** All of them, and whether a request or stream is under way. */
  listIds(): { readonly id: string; readonly open: boolean }[];
  /** The transport of a new session, which is kept from its initialization on. */
  createTransport(caller: Caller, parts: SessionParts): WebStandardStreamableHTTPServerTransport;
  close(): Promise<void>;
}

/** What a session is made of. */
export interface SessionParts extends Pick<Session, 'revision'> {
  readonly id: string;
  /** The events of its streams; in this server's memory alone when left out. */
  readonly events?: EventLog;
  /** Called when it has been closed here. */
  readonly closed?: () => void;
  /** Called when the credential that began it is revoked. */
  readonly revoked?: () => void;
}

export interface SessionsOptions {
  readonly watch: Pick<CredentialWatch, 'watchCaller'>;
  readonly onerror: (error: Error) => void;
  /** Most bytes of a request body. */
  readonly bodyBytes: number;
  /** Sessions kept at once; of the caller with the most, the one idle longest is closed for a new one. */
  readonly maxSessions: number;
  /** Milliseconds after which an idle session is closed. */
  readonly idleMs: number;
}

interface KeptSession extends Session {
  /** Stops watching its credential. */
  readonly unwatch: () => void;
  usedAt: number;
  /** Requests and streams under way; a session with any is not idle. */
  open: number;
}

const SWEEP_INTERVAL_MS = 60_000;

export function createSessions(options: SessionsOptions): Sessions {
  const { watch, onerror, bodyBytes, maxSessions, idleMs } = options;
  const sessions = new Map<string, KeptSession>();
  const sweeper = setInterval(() => {
    for (const [id, session] of sessions) if (isIdle(session, idleMs)) endSession(id);
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

  /** Ends one session of the caller with the most: no one ends another user's by opening many. */
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
    findSession: (id) => sessions.get(id),
    endSession,
    listIds: () => Array.from(sessions, ([id, { open }]) => ({ id, open: open > 0 })),
    createTransport(caller, { id: own, revision, events = createEventStore(), closed, revoked }) {
      makeRoom();
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => own,
        eventStore: events,
        retryInterval: 1000,
        maxRequestBodySize: bodyBytes,
        onsessioninitialized: (id) => {
          // A session that continues with the key's successor outlasts the key's end, but not its revocation.
          const unwatch = watch.watchCaller(caller, 'revoked', () => {
            endSession(id);
            revoked?.();
          });
          sessions.set(id, { ...keptSession(caller.id, transport, unwatch), revision });
        },
        onsessionclosed: (id) => void forget(id),
      });
      transport.onerror = onerror;
      transport.onclose = () => {
        if (transport.sessionId) forget(transport.sessionId);
        closed?.();
      };
      return transport;
    },
    async close() {
      clearInterval(sweeper);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

function keptSession(
  owner: string,
  transport: KeptSession['transport'],
  unwatch: () => void,
): Omit<KeptSession, 'revision'> {
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

function isIdle({ open, usedAt }: KeptSession, idleMs: number): boolean {
  return open === 0 && Date.now() - usedAt > idleMs;
}
