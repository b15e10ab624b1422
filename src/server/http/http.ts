import { randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { matchedRoutes } from 'hono/route';
import type { Access, RequestClient } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import { AppError, asAppError } from '../../errors.ts';
import { once } from '../../lib/concurrency/once.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import { currentSpan, isTraced } from '../../lib/tracing.ts';
import { withProcessorMeter } from '../../lib/workers/processor-meter.ts';
import { createUploadApp } from '../app/app.ts';
import type { UploadAppOptions } from '../app/parts.ts';
import { createConsole } from '../console/console.ts';
import type { ConsoleOptions } from '../console/frame/visitor.ts';
import type { Pipe } from '../invoke.ts';
import type { McpEndpoint } from '../mcp/mcp-http.ts';
import { lacksScope } from '../scope.ts';
import { createStatusPages } from '../status-page/routes.ts';
import { clientAddress } from './client-address.ts';
import { type Edge, errorBody, errorResponse, methodNotAllowed } from './edge.ts';
import { type GuardOptions, guardHostAndOrigin } from './guard.ts';
import { createHeartbeats } from './heartbeat.ts';
import { createHttpServer, refuseSlowBody } from './listener.ts';
import {
  createChallenge,
  createResourceMetadata,
  type OAuthOptions,
  tokenPaths,
} from './protected-resource.ts';
import { createRest } from './rest.ts';

/** Most bytes of a request body. */
export const MAX_BODY_BYTES = 4_194_304;
/** Milliseconds in which such a body has to arrive, and an uploaded file. */
const BODY_TIMEOUT_MS = 60_000;
const UPLOAD_TIMEOUT_MS = 900_000;

const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  // Without includeSubDomains: other hosts of the operator's may be reached without TLS.
  ['Strict-Transport-Security', 'max-age=15552000'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** Paths about the server itself. */
/** Where the key that signs compliance reports is published. */
const COMPLIANCE_KEY = '/.well-known/magpie-compliance.pem';
const OWN_PATHS = [
  COMPLIANCE_KEY,
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/style.css',
];

export interface EdgeOptions extends GuardOptions {
  /** The authorization server whose tokens are accepted, if there is one. */
  readonly oauth?: OAuthOptions | undefined;
  /** MCP with other lists of tools, which only read, each at its path: `/mcp/chatgpt`. */
  readonly connectors?: ReadonlyMap<string, McpEndpoint>;
}

export interface HttpOptions extends EdgeOptions {
  /** Whether uploaded files can only be read. */
  readonly readOnly?: boolean;
  /** Reverse proxies in front, as CIDRs. */
  readonly proxies?: readonly string[];
  /** Who a request comes from; throws AppError where the caller may not be let in. */
  readonly identify: (request: Request, client: RequestClient) => Caller | Promise<Caller>;
  /** Counts what a request holds beyond itself, as a batch of messages does; throws AppError. */
  readonly countWork?: Access['countWork'];
  /** Counts the processor time that a request costs. */
  readonly createMeter?: Access['createMeter'];
  /** The caller whose limits apply to a request of the upload page, once its user is known; throws AppError. */
  readonly identifyPageUser?: Access['identifyPageUser'];
  /** The user of the server while it is open; undefined when left out. */
  readonly openUser?: UploadAppOptions['openUser'];
  /** Logins of people at an OpenID provider; none when left out. */
  readonly login?: ConsoleOptions['login'];
  /** The operator's own user, whose keys with all scopes may read settings and log. */
  readonly user?: string;
  /** The settings in force, and the last lines of the log; none when left out. */
  readonly settings?: ConsoleOptions['settings'];
  readonly recentLog?: ConsoleOptions['recentLog'];
  readonly localStart?: ConsoleOptions['localStart'];
}

/** What comes before every route: errors as bodies, security headers, the check of Host and Origin. */
export function createEdge(pipe: Pipe, options: EdgeOptions): Hono<Edge> {
  const app = new Hono<Edge>();
  const challenge = createChallenge(tokenPaths(pipe.catalog, options.connectors?.keys()), options.oauth);
  app.onError(async (error, c) => {
    const failure = errorResponse(error, c);
    const challenged = await challenge(asAppError(error), c.req.header('authorization'), c.req.path);
    if (challenged !== undefined) failure.headers.set('WWW-Authenticate', challenged);
    if (failure.status >= 500 && !(error instanceof AppError)) {
      pipe.log.error({ err: error, requestId: c.get('requestId') }, 'a request failed');
    }
    return failure;
  });
  app.notFound((c) =>
    errorBody(
      c,
      404,
      'not_found',
      `there is nothing at ${c.req.path.slice(0, 200)}; /docs lists what there is`,
    ),
  );

  // On Node's own response: headers that pass through a Headers object cost as much as all the rest.
  app.use((c, next) => {
    const id = requestId(c.env.incoming.headers['x-request-id']);
    c.set('requestId', id);
    c.env.outgoing.setHeader('X-Request-Id', id);
    for (const [name, value] of SECURITY_HEADERS) c.env.outgoing.setHeader(name, value);
    return next();
  });
  app.use(guardHostAndOrigin(options));
  app.use((c, next) => (isTraced() ? nameRoute(c, next) : next()));
  return app;
}

/** The pattern of the route, such as `/app/files/:name`, once it is known. */
async function nameRoute(c: Context<Edge>, next: () => Promise<void>): Promise<void> {
  await next();
  const route = matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path;
  if (route === undefined) return;
  const span = currentSpan();
  span.set({ 'http.route': route });
  span.rename(`${c.req.method} ${route}`);
}

/** The number that a request goes by in the log: the client's own, unless a credential got into it. */
function requestId(given: unknown): string {
  const usable =
    typeof given === 'string' && /^[\w.=-]{1,100}$/.test(given) && redactSecrets(given) === given;
  return usable ? given : randomUUID();
}

/** The whole HTTP surface: REST at `/`, MCP at `/mcp`, uploads at `/app`, documents about itself, health and metrics. */
export function createApp(pipe: Pipe, mcp: McpEndpoint, options: HttpOptions): Hono<Edge> {
  const app = createEdge(pipe, options);
  // Who is sent a report has no account here.
  app.get(COMPLIANCE_KEY, async (c) => {
    const pem = (await pipe.services.compliance()).publicKey();
    return c.body(pem, 200, {
      'Content-Type': 'application/x-pem-file',
      'Cache-Control': 'public, max-age=300',
    });
  });
  const endpoints = tokenPaths(pipe.catalog, options.connectors?.keys());
  app.route('/', createResourceMetadata(endpoints, options.oauth));
  if (options.corsOrigins.length > 0) {
    app.use(
      cors({
        origin: [...options.corsOrigins],
        exposeHeaders: [
          'Mcp-Session-Id',
          'X-Request-Id',
          'Retry-After',
          'Location',
          'Preference-Applied',
          'RateLimit',
          'RateLimit-Policy',
          'Warning',
          'WWW-Authenticate',
        ],
      }),
    );
  }
  app.use((c, next) => {
    const { incoming, outgoing } = c.env;
    const remote = incoming.socket.remoteAddress;
    c.set('client', {
      address: clientAddress(remote, c.req.header('x-forwarded-for'), options.proxies ?? []),
      // What is counted after the answer has begun is for the next one to show.
      setHeader: (name, value) => outgoing.headersSent || outgoing.setHeader(name, value),
    });
    return next();
  });
  addPages(app, pipe, options);
  const limited = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new AppError('too_large', `the body is over ${MAX_BODY_BYTES} bytes; send less`);
    },
  });
  app.use((c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    endSlowBody(c.env);
    return limited(c, next);
  });

  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    try {
      await pipe.services.ready();
      return c.json({ status: 'ready' });
    } catch (error) {
      pipe.log.warn({ err: error }, 'not ready');
      const why = /is damaged/.test(String(error)) ? 'is damaged' : 'cannot be used';
      return c.json({ status: 'not ready', error: `the database ${why}; the log says more` }, 503);
    }
  });

  const compressed = compress();
  addDocs(app, pipe, options);
  app.use('/openapi.json', compressed);
  const openApi = once(async () => (await import('./openapi/document.ts')).createOpenApi(pipe.catalog));
  // Read without a key: who sets a client up has none yet.
  app.get('/openapi.json', async (c) => {
    await options.identifyPageUser?.(undefined, c.get('client'));
    const url = options.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? `http://${c.req.header('host')}`;
    const open = (await options.isOpen?.()) ?? true;
    const text = (await openApi())({ url, open, toolset: c.req.query('toolset') });
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  });

  app.use(async (c, next) => {
    const client = c.get('client');
    const caller = await options.identify(c.req.raw, client);
    c.set('caller', caller);
    c.set('countWork', (work) => options.countWork?.(caller, work, client));
    const meter = options.createMeter?.(caller, client);
    return meter ? withProcessorMeter(meter, next) : next();
  });
  addMcp(app, [['/mcp', mcp], ...(options.connectors ?? [])]);
  app.use((c, next) => (c.env.incoming.headers['accept-encoding'] ? compressed(c, next) : next()));
  app.get('/metrics', async (c) => {
    if (!c.get('caller').scopes.has('monitor')) {
      throw lacksScope('/metrics, which counts the calls of all users,', 'monitor', c.get('caller'));
    }
    const { type, text } = await pipe.metrics.render();
    return c.body(text, 200, { 'Content-Type': type });
  });
  for (const path of OWN_PATHS) app.all(path, (c) => methodNotAllowed(c, 'GET, HEAD'));
  app.route('/', createRest(pipe));
  return app;
}

/** What people open, and what jobs report to by an address of their own. */
function addPages(app: Hono<Edge>, pipe: Pipe, options: HttpOptions): void {
  app.route('/app', createConsole(pipe, options));
  app.route('/app', createUploadApp(pipe, { ...options, home: '/app/files' }));
  app.route('/status', createStatusPages(pipe, options));
  app.route('/heartbeat', createHeartbeats(pipe, options));
}

/** A listening server. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Accepts no new connections; resolves when the open ones have ended, after `graceMs` milliseconds at the latest. */
  close(graceMs: number): Promise<void>;
}

/** Closes the connection when a small body takes too long; the server's own limit leaves time for files. */
function endSlowBody({ incoming, outgoing }: HttpBindings): void {
  // A body that no one reads does not end: it must not keep the process running.
  const timer = setTimeout(() => refuseSlowBody(incoming, outgoing), BODY_TIMEOUT_MS).unref();
  for (const event of ['end', 'close']) incoming.once(event, () => clearTimeout(timer));
}

/** Listens; AppError `unavailable` with what to do when the port is taken or may not be used. */
export async function listen(app: Hono<Edge>, host: string, port: number): Promise<Listening> {
  // The first match puts all routes together, 20 ms in which others would wait for the first request.
  app.router.match('GET', '/');
  const server = createHttpServer(app, host);
  server.headersTimeout = 15_000;
  // Answers name the first, after which no client uses the connection: one that is closed while it writes is an error to it.
  server.keepAliveTimeout = 30_000;
  server.keepAliveTimeoutBuffer = 10_000;
  server.requestTimeout = UPLOAD_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: (graceMs) => close(server, graceMs),
  };
}

async function close(server: HttpServer, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy a moment ago is kept alive by its client, and would delay the end.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): AppError {
  const why =
    error.code === 'EADDRINUSE'
      ? `port ${port} of ${host} is taken: stop what uses it, or set MAGPIE_PORT (0 takes any free port)`
      : `cannot listen on ${host}:${port} (${error.code ?? error.message}): set MAGPIE_HOST and MAGPIE_PORT`;
  return new AppError('unavailable', why, { cause: error });
}

/** MCP's endpoints at their paths. */
function addMcp(
  app: Hono<Edge>,
  endpoints: readonly (readonly [path: string, endpoint: McpEndpoint])[],
): void {
  for (const [path, endpoint] of endpoints) {
    app.all(path, (c) =>
      endpoint.fetch(c.req.raw, c.get('caller'), {
        onClose: (done) => c.env.outgoing.once('close', () => done(c.env.outgoing.writableFinished)),
        countWork: c.get('countWork'),
      }),
    );
  }
}

/** The reference, which says nothing of any user: it is read without a key, as `/openapi.json` is. */
function addDocs(app: Hono<Edge>, pipe: Pipe, { identifyPageUser }: HttpOptions): void {
  const compressed = compress();
  for (const path of ['/', '/docs', '/docs/*']) {
    app.use(path, async (c, next) => {
      await identifyPageUser?.(undefined, c.get('client'));
      return c.env.incoming.headers['accept-encoding'] ? compressed(c, next) : next();
    });
  }
  app.get('/docs', async (c) => c.html((await import('./docs-page.ts')).docsPage(pipe.catalog)));
  app.get('/docs/style.css', async (c) => {
    const { DOCS_STYLE } = await import('./docs-style.ts');
    return c.body(DOCS_STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });
  app.get('/', (c) => c.redirect('/docs'));
}
