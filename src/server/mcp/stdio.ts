import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { asAppError } from '../../errors.ts';
import { createJsonCounter } from '../../lib/json-body.ts';

/** Most bytes of one message. */
const MAX_MESSAGE_BYTES = 10_000_000;
const NEWLINE = 10;

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
 * gets its answers), and a line that is not a message is answered with a JSON-RPC error, whose id is null.
 * @param patienceMs milliseconds for answers after the end of the input
 */
export function createStdioWire(input: Readable, output: Writable, patienceMs: number): StdioWire {
  const { promise: whenEnded, resolve: finish } = Promise.withResolvers<void>();
  /** Requests of the client without an answer, and ours to the client. */
  const unanswered = new Set<Id>();
  const asked = new Set<Id>();
  const lines = createLines(receiveLine, () =>
    refuse(ProtocolErrorCode.ParseError, `the message is over ${MAX_MESSAGE_BYTES} bytes`),
  );
  let [ended, closed] = [false, false];

  function receiveLine(bytes: Buffer): void {
    const counter = createJsonCounter('the message');
    try {
      counter.addBytes(bytes);
    } catch (error) {
      refuse(ProtocolErrorCode.InvalidRequest, asAppError(error).message);
      return;
    }
    const line = bytes.toString('utf8');
    const value = orUndefined(() => JSON.parse(line) as unknown);
    const message = value === undefined ? undefined : orUndefined(() => parseJSONRPCMessage(value));
    if (message) receive(message);
    else if (value !== undefined) {
      refuse(ProtocolErrorCode.InvalidRequest, 'this line is not a message of JSON-RPC 2.0', idOf(value));
    } else if (line.trim() !== '') {
      refuse(ProtocolErrorCode.ParseError, 'this line is not JSON: each line takes one message');
    }
  }

  function receive(message: JSONRPCMessage): void {
    if (!('method' in message)) asked.delete(message.id ?? '');
    // A subscription is answered when it ends, which is when the connection does.
    else if ('id' in message && message.method !== 'subscriptions/listen') unanswered.add(message.id);
    else if (message.method === 'notifications/cancelled') answered(message.params?.requestId);
    transport.onmessage?.(message);
  }

  function answered(id: unknown): void {
    unanswered.delete(id as Id);
    if (ended && unanswered.size === 0) finish();
  }

  function refuse(code: number, message: string, id: Id | null = null): void {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  function end(): void {
    if (ended) return;
    ended = true;
    input.off('data', lines.add).off('end', end).off('close', end).off('error', end).pause();
    lines.end();
    for (const id of asked) {
      const error = { code: ProtocolErrorCode.InternalError, message: 'the client is gone' };
      transport.onmessage?.({ jsonrpc: '2.0', id, error });
    }
    const timer = setTimeout(finish, patienceMs);
    void whenEnded.then(() => clearTimeout(timer));
    if (unanswered.size === 0) finish();
  }

  const transport: Transport = {
    async start() {
      input.on('data', lines.add).once('end', end).once('close', end).once('error', end);
    },
    async send(message) {
      if (closed) throw new Error('the connection is closed');
      if ('method' in message && 'id' in message) asked.add(message.id);
      const { promise: written, resolve, reject } = Promise.withResolvers<void>();
      output.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      if (!('method' in message)) answered(message.id);
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

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): Id | null {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Cuts chunks into lines; a line that is too long is dropped and reported. */
function createLines(online: (line: Buffer) => void, onlong: () => void) {
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
    /** The last line may lack its end. */
    end() {
      if (bytes > 0) emit();
    },
  };
}
