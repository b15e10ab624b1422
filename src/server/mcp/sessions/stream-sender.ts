import { AsyncLocalStorage } from 'node:async_hooks';
import type { McpSessionEvent, McpSessionStore, SessionStreamId } from '../../../access/types.ts';
import { AppError } from '../../../errors.ts';
import type { RpcRequestId } from './event-id.ts';
import {
  createStreamEventLog,
  type SessionStream,
  type StreamEvent,
  type StreamEventLog,
} from './event-store.ts';
import type { StreamRequest } from './stream-mail.ts';

/** The SDK's name for the standalone stream, which belongs to no request. */
const STANDALONE = '_GET_stream';
const BOUNDS = { count: 500, bytes: 8_000_000 } as const;
/** Maximum number of queued events. `MAX_STEP_EVENTS` and `MAX_STEP_CHARS` limit a single write. */
const MAX_WAITING = 2000;
const MAX_STEP_EVENTS = 200;
const MAX_STEP_CHARS = 4_000_000;
/** Milliseconds for which a standalone stream is written to the database after a node has asked for it. */
export const STREAM_LEASE_MS = 150_000;
const LAST_WRITE_MS = 5000;

export interface AnsweredRequests {
  readonly requests: readonly RpcRequestId[];
  stream?: string;
}

export interface StreamSenderOptions {
  readonly node: string;
  readonly store: Pick<McpSessionStore, 'writeEvents'>;
  readonly onerror: (error: Error) => void;
}

interface Log {
  readonly owner: string;
  readonly events: StreamEventLog;
  readonly written: Map<SessionStream, number>;
}

/** Keeps events in memory. Stores a stream's events if its client disconnects or another node needs them. */
export function createStreamSender({ node, store, onerror }: StreamSenderOptions) {
  const logs = new Map<string, Log>();
  const answers = new AsyncLocalStorage<AnsweredRequests>();
  const waiting: (McpSessionEvent & SessionStreamId)[] = [];
  let streams = 0;
  let writing: Promise<void> | undefined;

  function begin(streamId: string): { readonly name: string; readonly requests: readonly RpcRequestId[] } {
    const number = ++streams;
    if (streamId === STANDALONE) return { name: `${node}g${number}`, requests: [] };
    const answered = answers.getStore();
    const name = `${node}p${number}`;
    if (answered) answered.stream = name;
    return { name, requests: answered?.requests ?? [] };
  }

  function enqueue(session: string, owner: string, events: readonly StreamEvent[]): void {
    for (const { stream, number, message, ends } of events) {
      waiting.push({ session, owner, stream: stream.name, number, message, ends });
    }
    if (waiting.length > MAX_WAITING) waiting.splice(0, waiting.length - MAX_WAITING);
    if (events.length > 0) void write().catch(onerror);
  }

  function share(session: string, log: Log, stream: SessionStream, after: number, until: number): void {
    if (stream.answers && stream.open.size === 0) log.written.delete(stream);
    else log.written.set(stream, until);
    enqueue(session, log.owner, log.events.listAfter(stream, after));
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const step = takeStep(waiting);
      try {
        await store.writeEvents(step, BOUNDS);
      } catch (error) {
        if (error instanceof AppError) waiting.unshift(...step);
        throw error;
      }
    }
  }

  function write(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  return {
    openLog(session: string, owner: string) {
      const written = new Map<SessionStream, number>();
      const events: StreamEventLog = createStreamEventLog({
        begin(streamId) {
          logs.set(session, log);
          return begin(streamId);
        },
        kept(event) {
          const until = written.get(event.stream);
          if (until === undefined) return;
          if (event.ends || Date.now() > until) written.delete(event.stream);
          if (Date.now() <= until) enqueue(session, owner, [event]);
        },
      });
      const log: Log = { owner, events, written };
      return {
        events,
        close() {
          if (logs.get(session) === log) logs.delete(session);
        },
      };
    },
    findLog: (session: string) => logs.get(session)?.events,
    runAnswering: <T>(answered: AnsweredRequests, work: () => T) => answers.run(answered, work),
    connectionClosed(session: string, { stream: name }: AnsweredRequests, finished: boolean) {
      const log = logs.get(session);
      const stream = name === undefined ? undefined : log?.events.findStream(name);
      if (!log || !stream?.answers || (finished && stream.open.size === 0)) return;
      if (!log.written.has(stream)) share(session, log, stream, 0, Infinity);
    },
    /** Stops writing the client's standalone stream to the database, because the client reads here again. */
    clientReturned(session: string) {
      const written = logs.get(session)?.written;
      for (const stream of written?.keys() ?? []) if (!stream.answers) written?.delete(stream);
    },
    handOver(session: string, { follow: name, after, renews }: StreamRequest) {
      const log = logs.get(session);
      const stream = log?.events.findStream(name);
      if (!log || !stream || after > stream.last) return { streamed: name, known: false };
      const next = log.events.listAfter(stream, after)[0];
      const lost = next ? next.number > after + 1 : stream.last > after;
      if (lost && !renews) return { streamed: name, known: false };
      const until = stream.answers ? Infinity : Date.now() + STREAM_LEASE_MS;
      if (!renews) share(session, log, stream, after, until);
      else if (log.written.has(stream)) log.written.set(stream, until);
      const ended = stream.answers && stream.open.size === 0;
      return { streamed: name, known: true, ...(ended && { last: stream.last }) };
    },
    write,
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, LAST_WRITE_MS);
      await Promise.race([write().catch(onerror), late]);
      clearTimeout(timer);
      logs.clear();
    },
  };
}

function takeStep<T extends McpSessionEvent>(waiting: T[]): T[] {
  let chars = 0;
  const end = waiting.findIndex(({ message }, at) => {
    chars += message.length;
    return at === MAX_STEP_EVENTS || (at > 0 && chars > MAX_STEP_CHARS);
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
