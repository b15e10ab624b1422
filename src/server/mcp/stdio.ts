import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { asAppError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { createJsonCounter } from '../../lib/text/json-body.ts';
import {
  createBatchCollector,
  explainBatchRefusal,
  type RpcErrorMessage,
  rpcErrorMessage,
} from './batch-collector.ts';
import { repairRpcMessages } from './lenient-message.ts';
import { escapeLineSeparators } from './line-separators.ts';
import type { RpcRequestId } from './sessions/event-id.ts';

/** Maximum number of requests that run at once. Each response may need megabytes of memory. */
const MAX_UNDER_WAY = 32;

/** Reads and writes JSON lines. When the input ends, running requests get `patienceMs` to be answered. */
export function createStdioTransport(input: Readable, output: Writable, patienceMs: number) {
  const { promise: whenEnded, resolve: finish } = Promise.withResolvers<void>();
  const queue: Buffer[] = [];
  const lines = createLineSplitter(
    (line) => void queue.push(line),
    () =>
      write([
        rpcErrorMessage(ProtocolErrorCode.ParseError, `the message is over ${MAX_MESSAGE_BYTES} bytes`),
      ]),
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
  return {
    transport,
    end,
    /** Resolves when the transport is closed, or when all requests are answered after the end of the input. */
    ended: whenEnded,
  };
}

function createExchange(sendBatch: (answers: readonly object[]) => void) {
  const unanswered = new Set<unknown>();
  const asked = new Set<RpcRequestId>();
  const batches = createBatchCollector(sendBatch);
  let initialize: RpcRequestId | undefined;
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

const MAX_MESSAGE_BYTES = 10_000_000;
const NEWLINE = 10;

type ParsedLine =
  | { readonly message: JSONRPCMessage }
  | { readonly batch: readonly unknown[] }
  | { readonly refusal: RpcErrorMessage };

function parseMessageLine(bytes: Buffer): ParsedLine | undefined {
  try {
    createJsonCounter('the message').addBytes(bytes);
  } catch (error) {
    return { refusal: rpcErrorMessage(ProtocolErrorCode.InvalidRequest, asAppError(error).message) };
  }
  const line = bytes.toString('utf8').trim();
  if (line === '') return undefined;
  const value = attempt(() => JSON.parse(line) as unknown);
  repairRpcMessages(value);
  if (Array.isArray(value)) return { batch: value };
  if (value === undefined) {
    const words = 'this line is not JSON: each line takes one message';
    return { refusal: rpcErrorMessage(ProtocolErrorCode.ParseError, words) };
  }
  const message = parseRpcMessage(value);
  return message ? { message } : { refusal: invalidMessageError(value) };
}

function parseRpcMessage(value: unknown): JSONRPCMessage | undefined {
  return attempt(() => parseJSONRPCMessage(value));
}

function invalidMessageError(value: unknown): RpcErrorMessage {
  const { id } = (value ?? {}) as { id?: unknown };
  const named = typeof id === 'string' || typeof id === 'number' ? id : null;
  return rpcErrorMessage(ProtocolErrorCode.InvalidRequest, 'this is not a message of JSON-RPC 2.0', named);
}

function createLineSplitter(online: (line: Buffer) => void, onlong: () => void) {
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_MESSAGE_BYTES) parts = [];
    else parts.push(part);
  };
  const emit = () => {
    const [first] = parts;
    const line = first && parts.length === 1 ? first : Buffer.concat(parts);
    const long = bytes > MAX_MESSAGE_BYTES;
    parts = [];
    bytes = 0;
    if (long) onlong();
    else online(line);
  };
  return {
    add(chunk: Buffer) {
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, to));
        emit();
        from = to + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end() {
      if (bytes > 0) emit();
    },
  };
}

/** Maximum number of unsent bytes. Above it, no input is read from the client. */
const MAX_WAITING_BYTES = 1_000_000;
const MAX_WAITING_NOTIFICATIONS = 1000;
/** Notifications that may be dropped if the client does not read. */
const PASSING = ['notifications/progress', 'notifications/message'];

function createOutbox(output: Writable, ondrain: () => void) {
  const waiting = new Set<string>();
  const isFull = () => output.writableLength >= MAX_WAITING_BYTES;
  output.on('drain', () => {
    for (const text of waiting) output.write(text);
    waiting.clear();
    ondrain();
  });
  return {
    isFull,
    async send(text: string, notification?: string): Promise<void> {
      if (notification !== undefined && isFull()) {
        if (!PASSING.includes(notification) && waiting.size < MAX_WAITING_NOTIFICATIONS) waiting.add(text);
        return;
      }
      const { promise: written, resolve, reject } = Promise.withResolvers<void>();
      output.write(text, (error) => (error ? reject(error) : resolve()));
      return written;
    },
  };
}
