import type { JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** A request to a client. Its id contains the node's name, because the response may arrive at any node. */
export interface ServerQuestion {
  readonly node: string;
  readonly number: number;
}

const ASKED = /^([0-9a-f]{8}):(\d{1,15})$/;

export function addNodeToRequestIds(transport: WebStandardStreamableHTTPServerTransport, node: string): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const number = askedNumber(message);
    if (number !== undefined) return send(withId(message, `${node}:${number}`), options);
    const cancelled = isCancellation(message) ? message.params?.requestId : undefined;
    if (typeof cancelled !== 'number') return send(message, options);
    const params = { ...(message as Message).params, requestId: `${node}:${cancelled}` };
    return send({ ...message, params } as JSONRPCMessage, options);
  };
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

export function parseAnsweredQuestion(message: unknown): ServerQuestion | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { id, method } = message as Message;
  const match = method === undefined && typeof id === 'string' ? ASKED.exec(id) : null;
  return match?.[1] === undefined ? undefined : { node: match[1], number: Number(match[2]) };
}

export function restoreQuestionId({ number }: ServerQuestion, message: unknown): JSONRPCMessage {
  return withId(message, number);
}

export function isCancellation(message: unknown): message is JSONRPCMessage & Message {
  return (message as Message | null)?.method === 'notifications/cancelled';
}

function askedNumber(message: unknown): number | undefined {
  const { id, method } = message as Message;
  return method !== undefined && typeof id === 'number' ? id : undefined;
}

function withId(message: unknown, id: string | number): JSONRPCMessage {
  return { ...(message as object), id } as JSONRPCMessage;
}
