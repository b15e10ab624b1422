import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { McpSessionStore, ServerNodeMessage, StoredMcpSession } from '../../../access/types.ts';
import type { Caller } from '../../../caller.ts';
import { badRequestError } from '../../../errors.ts';
import { MAX_SUBSCRIPTIONS, type ResourceSubscriptions } from '../resources/subscriptions.ts';
import type { McpSessions } from './sessions.ts';
import { createSharedStreams } from './shared-streams.ts';

const MAX_SESSIONS = 1000;
const MAX_INITIALIZE_CHARS = 65_536;
const MAX_MAIL = 100;
const CHECK_MS = 2000;
/** Number of checks between two sweeps. A sweep marks busy sessions as used and deletes idle ones. */
const CHECKS_PER_SWEEP = 30;
const EVENTS_MS = 600_000;
const ID = /^[0-9a-f-]{36}$/;

export type SharedMcpSessions = ReturnType<typeof createSharedSessions>;

export interface SharedSessionsOptions {
  readonly store: McpSessionStore;
  readonly sessions: McpSessions;
  readonly idleMs: number;
  readonly onerror: (error: Error) => void;
}

export function createSharedSessions(options: SharedSessionsOptions) {
  const { store, sessions, idleMs, onerror } = options;
  const node = randomUUID().slice(0, 8);
  const streams = createSharedStreams({ node, store, sessions, mostMail: MAX_MAIL, onerror });
  const mailbox = createMailbox({ node, store, receive, onerror });
  let [checks, checking] = [0, false];
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

  function receive({ session, message: text }: ServerNodeMessage): void {
    const transport = sessions.findSession(session)?.transport;
    const message: unknown = JSON.parse(text);
    const question = parseAnsweredQuestion(message);
    if (question) transport?.onmessage?.(restoreQuestionId(question, message));
    else if (isCancellation(message)) transport?.onmessage?.(message);
    else streams.receiveMessage(session, message);
  }

  async function check(): Promise<void> {
    await store.checkIn(node);
    await mailbox.receivePending();
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
    async storeSession(id: string, caller: Caller, body: unknown): Promise<void> {
      const initialize = JSON.stringify(body);
      if (initialize.length > MAX_INITIALIZE_CHARS) {
        throw badRequestError(
          `initialize has ${initialize.length} characters: at most ${MAX_INITIALIZE_CHARS} are kept; send fewer capabilities`,
        );
      }
      const { id: owner, credential, expiresAt } = caller;
      await store.insertSession({ id, owner, credential, expiresAt, initialize }, Date.now(), MAX_SESSIONS);
    },
    find: async (id: string, owner: string): Promise<StoredMcpSession | undefined> =>
      ID.test(id) ? store.useSession(id, owner, Date.now()) : undefined,
    end: (id: string, owner: string): Promise<void> => store.deleteSession(id, owner),
    subscriptionsOf: (id: string): ResourceSubscriptions => ({
      shared: true,
      add: (uri) => store.subscribe(id, uri, MAX_SUBSCRIPTIONS),
      remove: (uri) => store.unsubscribe(id, uri),
      async filterSubscribed(uris) {
        const named = new Set(uris);
        return (await store.listSubscriptions(id)).filter((uri) => named.has(uri));
      },
      list: () => store.listSubscriptions(id),
    }),
    /** Adds this node's name to ids of requests to clients, so that other nodes can forward the responses. */
    connect: (transport: WebStandardStreamableHTTPServerTransport): void =>
      addNodeToRequestIds(transport, node),
    /** Forwards responses and cancellations to other nodes. Returns the messages for this node. */
    async forwardAnswers(id: string, body: unknown): Promise<unknown> {
      const messages = Array.isArray(body) ? body : [body];
      const own: unknown[] = [];
      for (const message of messages) {
        const question = parseAnsweredQuestion(message);
        const mail = () => ({ session: id, message: JSON.stringify(message) });
        if (isCancellation(message)) await store.sendToOthers(mail(), node, MAX_MAIL);
        if (question === undefined) own.push(message);
        else if (question.node === node) own.push(restoreQuestionId(question, message));
        else await store.sendMail(mail(), question.node, MAX_MAIL);
      }
      if (own.length === 0) return undefined;
      return Array.isArray(body) ? own : own[0];
    },
    async close(): Promise<void> {
      clearInterval(timer);
      mailbox.close();
      await streams.close();
      await store.checkOut(node).catch(onerror);
    },
  };
}

/** Reports that all resources changed, because a client that moves between nodes may miss changes. */
export async function announceAllChanges(
  transport: WebStandardStreamableHTTPServerTransport,
  subscriptions: ResourceSubscriptions,
): Promise<void> {
  const notify = (method: string, params?: { readonly uri: string }) =>
    transport.send({ jsonrpc: '2.0', method, ...(params && { params }) } as JSONRPCMessage);
  await notify('notifications/resources/list_changed');
  for (const uri of await subscriptions.list()) await notify('notifications/resources/updated', { uri });
}

interface MailboxOptions {
  readonly node: string;
  readonly store: Pick<McpSessionStore, 'takeMail' | 'onMail'>;
  readonly receive: (mail: ServerNodeMessage) => void;
  readonly onerror: (error: Error) => void;
}

function createMailbox({ node, store, receive, onerror }: MailboxOptions) {
  let looking: Promise<void> | undefined;
  let again = false;

  async function take(): Promise<void> {
    do {
      again = false;
      for (const mail of await store.takeMail(node)) {
        try {
          receive(mail);
        } catch (error) {
          onerror(error as Error);
        }
      }
    } while (again);
  }

  function look(): Promise<void> {
    again = true;
    looking ??= take().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const heard = store.onMail(node, () => void look().catch(onerror));
  heard.catch(onerror);
  return { receivePending: look, close: () => void heard.then((stop) => stop()).catch(onerror) };
}

/** Id of a request to a client. It contains the node's name, because the response may arrive at any node. */
interface ServerQuestion {
  readonly node: string;
  readonly number: number;
}

const ASKED = /^([0-9a-f]{8}):(\d{1,15})$/;

function addNodeToRequestIds(transport: WebStandardStreamableHTTPServerTransport, node: string): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const number = askedNumber(message);
    if (number !== undefined) return send(withId(message, `${node}:${number}`), options);
    const cancelled = isCancellation(message) ? message.params?.requestId : undefined;
    if (typeof cancelled !== 'number') return send(message, options);
    const params = { ...(message as SessionMessage).params, requestId: `${node}:${cancelled}` };
    return send({ ...message, params } as JSONRPCMessage, options);
  };
}

interface SessionMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

function parseAnsweredQuestion(message: unknown): ServerQuestion | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { id, method } = message as SessionMessage;
  const match = method === undefined && typeof id === 'string' ? ASKED.exec(id) : null;
  return match?.[1] === undefined ? undefined : { node: match[1], number: Number(match[2]) };
}

function restoreQuestionId({ number }: ServerQuestion, message: unknown): JSONRPCMessage {
  return withId(message, number);
}

function isCancellation(message: unknown): message is JSONRPCMessage & SessionMessage {
  return (message as SessionMessage | null)?.method === 'notifications/cancelled';
}

function askedNumber(message: unknown): number | undefined {
  const { id, method } = message as SessionMessage;
  return method !== undefined && typeof id === 'number' ? id : undefined;
}

function withId(message: unknown, id: string | number): JSONRPCMessage {
  return { ...(message as object), id } as JSONRPCMessage;
}
