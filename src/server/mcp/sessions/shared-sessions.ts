import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Mail, SessionStore, StoredSession } from '../../../access/types.ts';
import type { Caller } from '../../../caller.ts';
import { AppError } from '../../../errors.ts';
import { MAX_SUBSCRIPTIONS, type Subscriptions } from '../resources/subscriptions.ts';
import { createMailbox } from './mailbox.ts';
import { answerTo, isCancellation, nameQuestions, readQuestion } from './questions.ts';
import type { Sessions } from './sessions.ts';
import { createSharedStreams, type SharedStreams } from './shared-streams.ts';

/** Sessions of one owner that are kept for all nodes. */
const MAX_SESSIONS = 1000;
/** Characters of an `initialize` that is kept. */
const MAX_INITIALIZE_CHARS = 65_536;
/** Messages of one session that wait for a node. */
const MAX_MAIL = 100;
/** Milliseconds between two checks whether the sessions of this node were ended by another one, and for mail whose notice was lost. */
const CHECK_MS = 2000;
/** Checks between two sweeps: sessions in use are marked as used, and idle ones deleted. */
const CHECKS_PER_SWEEP = 30;
/** Milliseconds for which the events of a stream wait for their client. */
const EVENTS_MS = 600_000;
const ID = /^[0-9a-f-]{36}$/;

/** Sessions that every node of a database serves: each has a copy of those that came to it. */
export interface SharedSessions {
  /** How the events of this node's streams begin. */
  readonly node: string;
  readonly streams: SharedStreams;
  /** Before the client learns of it. AppError `bad_request` for an `initialize` that is too large. */
  keep(id: string, caller: Caller, body: unknown): Promise<void>;
  /** The session as all nodes know it. Counts as a use. */
  find(id: string, owner: string): Promise<StoredSession | undefined>;
  end(id: string, owner: string): Promise<void>;
  subscriptionsOf(id: string): Subscriptions;
  /** Has the answers to the questions of this node's copy come back to it, from whichever node they reach. */
  connect(transport: WebStandardStreamableHTTPServerTransport): void;
  /**
   * The body without answers to the questions of other nodes, which are sent there; undefined where nothing is left. What
   * cancels a request goes to all nodes, since any of them may run it.
   */
  passOn(id: string, body: unknown): Promise<unknown>;
  /** Writes the events that other nodes wait for. */
  close(): Promise<void>;
}

export interface SharedSessionsOptions {
  readonly store: SessionStore;
  /** The copies of this node. */
  readonly sessions: Sessions;
  /** Milliseconds after which an idle session is deleted. */
  readonly idleMs: number;
  readonly onerror: (error: Error) => void;
}

export function createSharedSessions(options: SharedSessionsOptions): SharedSessions {
  const { store, sessions, idleMs, onerror } = options;
  const node = randomUUID().slice(0, 8);
  const streams = createSharedStreams({ node, store, sessions, mostMail: MAX_MAIL, onerror });
  const mailbox = createMailbox({ node, store, receive, onerror });
  let checks = 0;
  let checking = false;
  const tick = () => {
    if (checking) return;
    checking = true;
    void check()
      .catch(onerror)
      .finally(() => {
        checking = false;
      });
  };
  tick();
  const timer = setInterval(tick, CHECK_MS).unref();

  function receive({ session, message: text }: Mail): void {
    const transport = sessions.findSession(session)?.transport;
    const message: unknown = JSON.parse(text);
    const question = readQuestion(message);
    if (question) transport?.onmessage?.(answerTo(question, message));
    else if (isCancellation(message)) transport?.onmessage?.(message);
    else streams.hear(session, message);
  }

  async function check(): Promise<void> {
    await store.checkIn(node);
    await mailbox.look();
    await streams.sender.write();
    const sweeps = ++checks % CHECKS_PER_SWEEP === 0;
    const ids = sessions.listIds();
    const busy = sweeps ? ids.filter(({ open }) => open).map(({ id }) => id) : [];
    if (busy.length > 0) await store.listSessions(busy, Date.now());
    if (ids.length > 0) {
      const there = new Set(await store.listSessions(ids.map(({ id }) => id)));
      for (const { id } of ids) if (!there.has(id)) sessions.endSession(id);
    }
    if (sweeps) {
      await store.deleteIdle(Date.now() - idleMs);
      await store.deleteEvents(EVENTS_MS);
    }
  }

  return {
    node,
    streams,
    async keep(id, caller, body) {
      const initialize = JSON.stringify(body);
      if (initialize.length > MAX_INITIALIZE_CHARS) {
        throw new AppError(
          'bad_request',
          `initialize has ${initialize.length} characters: at most ${MAX_INITIALIZE_CHARS} are kept; send fewer capabilities`,
        );
      }
      const { id: owner, credential, expiresAt } = caller;
      await store.insertSession({ id, owner, credential, expiresAt, initialize }, Date.now(), MAX_SESSIONS);
    },
    find: async (id, owner) => (ID.test(id) ? store.useSession(id, owner, Date.now()) : undefined),
    end: (id, owner) => store.deleteSession(id, owner),
    subscriptionsOf: (id) => ({
      shared: true,
      add: (uri) => store.subscribe(id, uri, MAX_SUBSCRIPTIONS),
      remove: (uri) => store.unsubscribe(id, uri),
      async among(uris) {
        const named = new Set(uris);
        return (await store.listSubscriptions(id)).filter((uri) => named.has(uri));
      },
      list: () => store.listSubscriptions(id),
    }),
    connect: (transport) => nameQuestions(transport, node),
    async passOn(id, body) {
      const messages = Array.isArray(body) ? body : [body];
      const own: unknown[] = [];
      for (const message of messages) {
        const question = readQuestion(message);
        const mail = () => ({ session: id, message: JSON.stringify(message) });
        if (isCancellation(message)) await store.sendToOthers(mail(), node, MAX_MAIL);
        if (question === undefined) own.push(message);
        else if (question.node === node) own.push(answerTo(question, message));
        else await store.sendMail(mail(), question.node, MAX_MAIL);
      }
      if (own.length === 0) return undefined;
      return Array.isArray(body) ? own : own[0];
    },
    async close() {
      clearInterval(timer);
      mailbox.close();
      await streams.close();
      await store.checkOut(node).catch(onerror);
    },
  };
}

/** What a client that opens a stream at another node may have missed: all that it is subscribed to may have changed. */
export async function announceAll(
  transport: WebStandardStreamableHTTPServerTransport,
  subscriptions: Subscriptions,
): Promise<void> {
  const notify = (method: string, params?: { readonly uri: string }) =>
    transport.send({ jsonrpc: '2.0', method, ...(params && { params }) } as JSONRPCMessage);
  await notify('notifications/resources/list_changed');
  for (const uri of await subscriptions.list()) await notify('notifications/resources/updated', { uri });
}
