import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { asAppError } from '../../errors.ts';
import { createJsonCounter } from '../../lib/text/json-body.ts';
import { type RpcErrorMessage, rpcErrorMessage } from './batch-collector.ts';
import { repairMessages } from './lenient-message.ts';

const MAX_MESSAGE_BYTES = 10_000_000;
const NEWLINE = 10;

export type ParsedLine =
  | { readonly message: JSONRPCMessage }
  | { readonly batch: readonly unknown[] }
  | { readonly refusal: RpcErrorMessage };

export function parseMessageLine(bytes: Buffer): ParsedLine | undefined {
  try {
    createJsonCounter('the message').addBytes(bytes);
  } catch (error) {
    return { refusal: rpcErrorMessage(ProtocolErrorCode.InvalidRequest, asAppError(error).message) };
  }
  const line = bytes.toString('utf8').trim();
  if (line === '') return undefined;
  const value = orUndefined(() => JSON.parse(line) as unknown);
  repairMessages(value);
  if (Array.isArray(value)) return { batch: value };
  if (value === undefined) {
    const words = 'this line is not JSON: each line takes one message';
    return { refusal: rpcErrorMessage(ProtocolErrorCode.ParseError, words) };
  }
  const message = parseRpcMessage(value);
  return message ? { message } : { refusal: invalidMessageError(value) };
}

export function parseRpcMessage(value: unknown): JSONRPCMessage | undefined {
  return orUndefined(() => parseJSONRPCMessage(value));
}

export function invalidMessageError(value: unknown): RpcErrorMessage {
  const { id } = (value ?? {}) as { id?: unknown };
  const named = typeof id === 'string' || typeof id === 'number' ? id : null;
  return rpcErrorMessage(ProtocolErrorCode.InvalidRequest, 'this is not a message of JSON-RPC 2.0', named);
}

export function lineTooLongError(): RpcErrorMessage {
  return rpcErrorMessage(ProtocolErrorCode.ParseError, `the message is over ${MAX_MESSAGE_BYTES} bytes`);
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Drops a line that is too long and calls `onlong`. */
export function createLineSplitter(online: (line: Buffer) => void, onlong: () => void) {
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
