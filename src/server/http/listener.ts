import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  maxHeaderSize,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { AppError, badRequestError } from '../../errors.ts';
import { runInSpan, type SpanStart } from '../../lib/tracing.ts';
import { formatErrorBody, type HttpEnv } from './edge.ts';

/** Milliseconds before the connection of a refused request is closed, so that the client can read why. */
const REFUSAL_MS = 2000;
const REQUEST_LINE_BYTES = 4096;

export function createHttpServer(app: Hono<HttpEnv>, hostname: string): HttpServer {
  const answers = new WeakMap<object, ServerResponse>();
  let latest: IncomingMessage | undefined;
  const answer = getRequestListener(app.fetch, {
    hostname,
    // Runs synchronously for an invalid address, so `latest` is the request that caused the error.
    errorHandler: (error) => {
      const path = pathOf(`GET ${latest?.url ?? ''} `);
      const failure =
        error instanceof RequestError
          ? badRequestError(`this is not a valid request: ${error.message}`)
          : new AppError('internal', 'something went wrong inside Magpie', { cause: error });
      const { type, text } = formatErrorBody(path, failure);
      return new Response(text, {
        status: failure.status,
        headers: { ...REFUSAL_HEADERS, 'Content-Type': type },
      });
    },
  });
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    latest = incoming;
    answers.set(incoming.socket, outgoing);
    void runInSpan(
      () => requestSpan(incoming),
      (span) =>
        new Promise<void>((ended) => {
          outgoing.once('close', () => {
            span.set({ 'http.response.status_code': outgoing.statusCode });
            if (outgoing.statusCode >= 500) span.fail(String(outgoing.statusCode));
            ended();
          });
          void answer(incoming, outgoing);
        }),
    );
  };
  // The app answers requests without Host or with an unknown `Expect`, which Node itself would refuse.
  const server = createServer({ requireHostHeader: false }, onRequest).on('checkExpectation', onRequest);
  const refused = new WeakSet<object>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const under = answers.get(socket);
    // Sends no error during another response, because the client would read it as part of that response.
    const before = under && !under.writableFinished && (under.headersSent || under.req.complete);
    if (!socket.writable || before || error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, failureOf(error), error.rawPacket);
  });
  return server;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Describes a request for tracing, without its path: a path may contain file names. */
function requestSpan({ method = '', headers }: IncomingMessage): SpanStart {
  const known = METHODS.includes(method) ? method : '_OTHER';
  const facts = { 'http.request.method': known, 'url.scheme': 'http' };
  return { name: known === '_OTHER' ? 'HTTP' : known, kind: 'server', facts, parent: headers.traceparent };
}

interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

export function refuseSlowBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (outgoing.headersSent || !incoming.socket.writable) incoming.destroy();
  else refuse(incoming.socket, TOO_SLOW, Buffer.from(`GET ${incoming.url} `));
}

interface HttpFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const TOO_SLOW: HttpFailure = {
  status: 408,
  code: 'request_timeout',
  message: 'the request did not arrive in time: send it again',
};

const FAILURES: Readonly<Record<string, HttpFailure>> = {
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'request_header_fields_too_large',
    message:
      `the address and headers are over ${maxHeaderSize} bytes: send long parameters in the body of a POST ` +
      '(POST /upsertjson keeps a text, and POST /mcp takes every operation)',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'too_large',
    message: 'the extensions of the chunks are too long; send the body without them',
  },
};

function failureOf({ code = '' }: ClientError): HttpFailure {
  return (
    FAILURES[code] ?? {
      status: 400,
      code: 'bad_request',
      message: `this is not a valid HTTP request (${code})`,
    }
  );
}

const REFUSAL_HEADERS = {
  'Cache-Control': 'no-store',
  Connection: 'close',
  'X-Content-Type-Options': 'nosniff',
};

function refuse(socket: Socket, failure: HttpFailure, request: Buffer = Buffer.alloc(0)): void {
  const path = pathOf(request.toString('latin1', 0, REQUEST_LINE_BYTES));
  const { type, text } = formatErrorBody(path, failure);
  const headers = {
    ...REFUSAL_HEADERS,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    Date: new Date().toUTCString(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { status } = failure;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
  // Reads the rest of the input, because closing before its end could make the client lose the response.
  socket.resume();
  setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
}

const pathOf = (request: string): string => /^[A-Z]+ (\/[^ ?#]*)/.exec(request)?.[1] ?? '/';
