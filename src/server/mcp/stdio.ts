import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { batchRefusal, createBatches, type RpcRefusal, rpcRefusal } from './batches.ts';
import { createLines, messageOf, notMessage, readLine, tooLong } from './lines.ts';
import { createOutbox } from './sessions/outbox.ts';

/** Requests of a client that are worked on at once: all their answers, of up to some megabytes each, may be there at once. */
const MAX_UNDER_WAY = 32;

type Id = string | number;

/** A client's pipes as the SDK's transport, with what the SDK's own leaves out; see `createStdioWire`. */
export interface StdioWire {
  readonly transport: Transport;
  /** Stops reading, as at the end of the input. */
  end(): void;
  /** Resolves when the input has ended and every request in it is answered, `patienceMs` have passed, or it is closed. */
  readonly ended: Promise<void>;
}

/**
 * Messages as lines of JSON. Requests under way when the input ends are still answered (`echo ... | magpie stdio`
 * gets its answers), and a line that is not a message is answered with a JSON-RPC error, whose id is null. A client that
 * does not read is not read from, so that what waits for it stays bounded.
 * @param patienceMs milliseconds for answers after the end of the input
 */
export function createStdioWire(input: Readable, output: Writable, patienceMs: number): StdioWire {
  const { promise: whenEnded, resolve: finish } = Promise.withResolvers<void>();
  /** Lines that were read and wait until the client has taken what it was sent. */
  const queue: Buffer[] = [];
  const lines = createLines(
    (line) => void queue.push(line),
    () => write([tooLong()]),
  );
  const outbox = createOutbox(output, pump);
  const exchange = createExchange((answers) => write([answers]));
  let [ended, closed] = [false, false];

  function write(values: readonly object[]): void {
    for (const value of values) void outbox.send(`${JSON.stringify(value)}\n`).catch(() => {});
  }

  function canTake(): boolean {
    return !outbox.isFull() && !exchange.isBusy();
  }

  /** Takes lines as long as the client takes answers, and reads on once there is nothing left to take. */
  function pump(): void {
    while (queue.length > 0 && canTake()) {
      const { messages, refusals } = exchange.receive(queue.shift() ?? Buffer.alloc(0));
      write(refusals);
      for (const message of messages) transport.onmessage?.(message);
    }
    if (ended) finishWhenDone();
    else if (queue.length > 0 || !canTake()) input.pause();
    else if (input.isPaused()) input.resume();
  }

  function finishWhenDone(): void {
    if (ended && exchange.isDone() && queue.length === 0) finish();
  }

  function read(chunk: Buffer): void {
    lines.add(chunk);
    pump();
  }

  function end(): void {
    if (ended) return;
    ended = true;
    input.off('data', read).off('end', end).off('close', end).off('error', end).pause();
    lines.end();
    for (const id of exchange.asked()) {
      transport.onmessage?.(rpcRefusal(ProtocolErrorCode.InternalError, 'the client is gone', id));
    }
    const timer = setTimeout(finish, patienceMs);
    void whenEnded.then(() => clearTimeout(timer));
    pump();
  }

  const transport: Transport = {
    async start() {
      input.on('data', read).once('end', end).once('close', end).once('error', end);
    },
    async send(message) {
      if (closed) throw new Error('the connection is closed');
      const isNotification = 'method' in message && !('id' in message);
      const written = exchange.keep(message)
        ? Promise.resolve()
        : outbox.send(serializeMessage(message), isNotification ? message.method : undefined);
      // Not at once: the answers of other requests may follow in the same turn.
      if (ended || input.isPaused()) setImmediate(pump);
      return written;
    },
    async close() {
      if (closed) return;
      closed = true;
      end();
      finish();
      transport.onclose?.();
    },
  };
  return { transport, end, ended: whenEnded };
}

/** What was asked on a connection, from both sides, and not answered yet. */
function createExchange(sendBatch: (answers: readonly object[]) => void) {
  const unanswered = new Set<unknown>();
  const asked = new Set<Id>();
  const batches = createBatches(sendBatch);
  let initialize: Id | undefined;
  let revision: string | undefined;

  function note(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      asked.delete(message.id ?? '');
      return;
    }
    const { method } = message;
    if (method === 'notifications/cancelled') {
      unanswered.delete(message.params?.requestId);
      batches.drop(message.params?.requestId);
    }
    if (!('id' in message)) return;
    // A subscription is answered when it ends, which is when the connection does.
    if (method !== 'subscriptions/listen') unanswered.add(message.id);
    if (method === 'initialize') initialize = message.id;
  }

  function receiveBatch(values: readonly unknown[]) {
    const refusal = batchRefusal(values, revision);
    if (refusal !== undefined) {
      return { messages: [], refusals: [rpcRefusal(ProtocolErrorCode.InvalidRequest, refusal)] };
    }
    const messages = values.map(messageOf).filter((one) => one !== undefined);
    const requests = messages.flatMap((one) => ('method' in one && 'id' in one ? [one.id] : []));
    batches.begin(requests, values.filter((value) => !messageOf(value)).map(notMessage));
    for (const message of messages) note(message);
    return { messages, refusals: [] };
  }

  return {
    /** The messages of a line, and what is wrong with it. */
    receive(bytes: Buffer): { messages: readonly JSONRPCMessage[]; refusals: readonly RpcRefusal[] } {
      const line = readLine(bytes);
      if (line === undefined) return { messages: [], refusals: [] };
      if ('batch' in line) return receiveBatch(line.batch);
      if ('refusal' in line) return { messages: [], refusals: [line.refusal] };
      note(line.message);
      return { messages: [line.message], refusals: [] };
    },
    /** Notes what goes to the client; whether it is kept here until the rest of its batch is there. */
    keep(message: JSONRPCMessage): boolean {
      if ('method' in message) {
        if ('id' in message) asked.add(message.id);
        return false;
      }
      unanswered.delete(message.id);
      if (message.id !== undefined && message.id === initialize) revision = revisionOf(message) ?? revision;
      return batches.take(message);
    },
    /** While the client is asked something, its answer may come after any number of requests. */
    isBusy: () => unanswered.size >= MAX_UNDER_WAY && asked.size === 0,
    isDone: () => unanswered.size === 0,
    /** Ids of requests to the client that it has not answered. */
    asked: () => [...asked],
  };
}

/** The protocol revision that an answer to initialize agrees on. */
function revisionOf(message: JSONRPCMessage): string | undefined {
  const { result } = message as { result?: { protocolVersion?: unknown } };
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined;
}
