import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import {
  createBatchCollector,
  explainBatchRefusal,
  type RpcErrorMessage,
  rpcErrorMessage,
} from './batch-collector.ts';
import { escapeLineSeparators } from './line-separators.ts';
import {
  createLineSplitter,
  invalidMessageError,
  lineTooLongError,
  parseMessageLine,
  parseRpcMessage,
} from './message-lines.ts';
import { createOutbox } from './sessions/outbox.ts';

/** All responses, of several megabytes each, may be in memory at once. */
const MAX_UNDER_WAY = 32;

type Id = string | number;

export interface StdioTransport {
  readonly transport: Transport;
  end(): void;
  /** Resolves when closed, or when the input has ended and all requests are answered or `patienceMs` have passed. */
  readonly ended: Promise<void>;
}

/** Messages are lines of JSON. After the end of the input, running requests are answered within `patienceMs`. */
export function createStdioTransport(input: Readable, output: Writable, patienceMs: number): StdioTransport {
  const { promise: whenEnded, resolve: finish } = Promise.withResolvers<void>();
  const queue: Buffer[] = [];
  const lines = createLineSplitter(
    (line) => void queue.push(line),
    () => write([lineTooLongError()]),
  );
  const outbox = createOutbox(output, pump);
  const exchange = createExchange((answers) => write([answers]));
  let [ended, closed] = [false, false];

  function write(values: readonly object[]): void {
    for (const value of values)
      void outbox.send(escapeLineSeparators(`${JSON.stringify(value)}\n`)).catch(() => {});
  }

  function canTake(): boolean {
    return !outbox.isFull() && !exchange.isBusy();
  }

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
      transport.onmessage?.(rpcErrorMessage(ProtocolErrorCode.InternalError, 'the client is gone', id));
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
        : outbox.send(
            escapeLineSeparators(serializeMessage(message)),
            isNotification ? message.method : undefined,
          );
      // Other responses may follow in the same turn of the event loop.
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

function createExchange(sendBatch: (answers: readonly object[]) => void) {
  const unanswered = new Set<unknown>();
  const asked = new Set<Id>();
  const batches = createBatchCollector(sendBatch);
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
    // A subscription is answered only when the connection ends.
    if (method !== 'subscriptions/listen') unanswered.add(message.id);
    if (method === 'initialize') initialize = message.id;
  }

  function receiveBatch(values: readonly unknown[]) {
    const refusal = explainBatchRefusal(values, revision);
    if (refusal !== undefined) {
      return { messages: [], refusals: [rpcErrorMessage(ProtocolErrorCode.InvalidRequest, refusal)] };
    }
    const messages = values.map(parseRpcMessage).filter((one) => one !== undefined);
    const requests = messages.flatMap((one) => ('method' in one && 'id' in one ? [one.id] : []));
    batches.begin(requests, values.filter((value) => !parseRpcMessage(value)).map(invalidMessageError));
    for (const message of messages) note(message);
    return { messages, refusals: [] };
  }

  return {
    receive(bytes: Buffer): { messages: readonly JSONRPCMessage[]; refusals: readonly RpcErrorMessage[] } {
      const line = parseMessageLine(bytes);
      if (line === undefined) return { messages: [], refusals: [] };
      if ('batch' in line) return receiveBatch(line.batch);
      if ('refusal' in line) return { messages: [], refusals: [line.refusal] };
      note(line.message);
      return { messages: [line.message], refusals: [] };
    },
    keep(message: JSONRPCMessage): boolean {
      if ('method' in message) {
        if ('id' in message) asked.add(message.id);
        return false;
      }
      unanswered.delete(message.id);
      if (message.id !== undefined && message.id === initialize) revision = revisionOf(message) ?? revision;
      return batches.take(message);
    },
    isBusy: () => unanswered.size >= MAX_UNDER_WAY && asked.size === 0,
    isDone: () => unanswered.size === 0,
    asked: () => [...asked],
  };
}

function revisionOf(message: JSONRPCMessage): string | undefined {
  const { result } = message as { result?: { protocolVersion?: unknown } };
  return typeof result?.protocolVersion === 'string' ? result.protocolVersion : undefined;
}
