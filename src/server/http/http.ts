import { randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { matchedRoutes } from 'hono/route';
import type { AccessControl, RequestClient } from '../../access/types.ts';
import type { Caller } from '../../caller.ts';
import { AppError, asAppError, unavailableError } from '../../errors.ts';
import { makeOnce } from '../../lib/concurrency/once.ts';
import { describeListenFailure } from '../../lib/network/listen-failure.ts';
import { readStandalonePageStyle } from '../../lib/page-styles.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import { currentSpan, isTracingEnabled } from '../../lib/tracing.ts';
import { withProcessorMeter } from '../../lib/workers/processor-meter.ts';
import type { OperationCatalog } from '../../operation.ts';
import { createConsentPages } from '../console/consent.ts';
import { createConsole } from '../console/console.ts';
import type { ConsoleOptions } from '../console/frame/visitor.ts';
import { missingScopeError, type OperationPipeline } from '../invoke.ts';
import type { McpEndpoint } from '../mcp/mcp-http.ts';
import { createStatusPages } from '../status-page/routes.ts';
import { withToolSelections } from '../tool-selection.ts';
import { addAppEndpoints } from './app-endpoints.ts';
import { clientAddress } from './client-address.ts';
import {
  disconnectSignal,
  errorResponse,
  type HttpEnv,
  methodNotAllowedResponse,
  sendError,
} from './edge.ts';
import { guardHostAndOrigin, type HostGuardOptions } from './guard.ts';
import { createHeartbeatRoutes } from './heartbeat.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from './json-request.ts';
import { createHttpServer, refuseSlowBody } from './listener.ts';
import {
  createChallengeWriter,
  createOAuthMetadata,
  listProtectedEndpoints,
  type OAuthOptions,
} from './protected-resource.ts';
import { createRest } from './rest.ts';

/** Milliseconds to receive the body of a request. An upload gets more time (`UPLOAD_TIMEOUT_MS`). */
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
  // Leaves out `includeSubDomains`, because the operator may have other hosts without TLS.
  ['Strict-Transport-Security', 'max-age=15552000'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

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

export interface BaseAppOptions extends HostGuardOptions {
  readonly oauth?: OAuthOptions | undefined;
  readonly connectors?: ReadonlyMap<string, McpEndpoint>;
}

export interface HttpOptions extends BaseAppOptions {
  readonly readOnly?: boolean;
  readonly proxies?: readonly string[];
  readonly identify: (request: Request, client: RequestClient) => Caller | Promise<Caller>;
  readonly countWork?: AccessControl['countWork'];
  readonly createMeter?: AccessControl['createMeter'];
  readonly identifyPageUser?: AccessControl['identifyPageUser'];
  readonly login?: ConsoleOptions['login'];
  readonly apps?: ConsoleOptions['apps'];
  readonly user?: string;
  readonly settings?: ConsoleOptions['settings'];
  readonly recentLog?: ConsoleOptions['recentLog'];
  readonly localStart?: ConsoleOptions['localStart'];
}

export function createBaseApp(pipe: OperationPipeline, options: BaseAppOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const challenge = createChallengeWriter(
    listProtectedEndpoints(pipe.catalog, options.connectors?.keys()),
    options.oauth,
  );
  app.onError(async (error, c) => {
    const failure = errorResponse(error, c);
    const credential = c.req.header('authorization') ?? c.req.header('x-api-key');
    const challenged = await challenge(asAppError(error), credential, c.req.path);
    if (challenged !== undefined) failure.headers.set('WWW-Authenticate', challenged);
    // Does not log an error if the client disconnects while the server reads the request's body.
    if (failure.status >= 500 && !(error instanceof AppError) && c.env.incoming.errored !== error) {
      pipe.log.error({ err: error, requestId: c.get('requestId') }, 'a request failed');
    }
    return failure;
  });
  app.notFound((c) =>
    sendError(
      c,
      404,
      'not_found',
      `there is nothing at ${c.req.path.slice(0, 200)}; /docs lists what there is`,
    ),
  );

  app.use((c, next) => {
    const id = requestId(c.env.incoming.headers['x-request-id']);
    c.set('requestId', id);
    c.env.outgoing.setHeader('X-Request-Id', id);
    for (const [name, value] of SECURITY_HEADERS) c.env.outgoing.setHeader(name, value);
    return next();
  });
  app.use(guardHostAndOrigin(options));
  app.use((c, next) => (isTracingEnabled() ? nameRoute(c, next) : next()));
  return app;
}

async function nameRoute(c: Context<HttpEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  const route = matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path;
  if (route === undefined) return;
  const span = currentSpan();
  span.set({ 'http.route': route });
  span.rename(`${c.req.method} ${route}`);
}

function requestId(given: unknown): string {
  const usable =
    typeof given === 'string' && /^[\w.=-]{1,100}$/.test(given) && redactSecrets(given) === given;
  return usable ? given : randomUUID();
}

export function createApp(pipe: OperationPipeline, mcp: McpEndpoint, options: HttpOptions): Hono<HttpEnv> {
  const app = createBaseApp(pipe, options);
  // Requires no access key, because recipients of a report need this public key to check the signature.
  app.get(COMPLIANCE_KEY, async (c) => {
    const pem = (await pipe.services.compliance()).publicKey();
    return c.body(pem, 200, {
      'Content-Type': 'application/x-pem-file',
      'Cache-Control': 'public, max-age=300',
    });
  });
  const endpoints = listProtectedEndpoints(pipe.catalog, options.connectors?.keys());
  app.route('/', createOAuthMetadata(endpoints, options.oauth));
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
      setHeader: (name, value) => outgoing.headersSent || outgoing.setHeader(name, value),
      disconnected: () => disconnectSignal(c),
    });
    return next();
  });
  addPages(app, pipe, options);
  app.use((c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    // A body without `Content-Length` is checked while it arrives.
    if (Number(c.req.header('content-length')) > MAX_BODY_BYTES) throw bodyTooLarge();
    endSlowBody(c.env);
    return next();
  });

  addAppEndpoints(app, options);
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    try {
      await pipe.services.lifecycle.ready();
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
  const api = makeOnce(async () => (await import('./openapi/document.ts')).createOpenApiWriter(pipe.catalog));
  app.get('/openapi.json', async (c) => {
    await options.identifyPageUser?.(undefined, c.get('client'));
    const url = options.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? `http://${c.req.header('host')}`;
    const open = (await options.isOpen?.()) ?? true;
    const text = (await api())({ url, open, toolset: c.req.query('toolset') });
    return c.body(text, 200, { 'Content-Type': 'application/json' });
  });

  app.use(async (c, next) => {
    const client = c.get('client');
    const caller = await options.identify(c.req.raw, client);
    c.set('caller', caller);
    c.set('countWork', (work) => options.countWork?.(caller, work, client));
    const { accounting } = pipe;
    c.set('incoming', c.env.incoming);
    c.set('takeTurn', async () => (await accounting?.enterTurn(caller, disconnectSignal(c))) ?? (() => {}));
    c.set('paceRefusal', async (bytes) => accounting?.paceRefusal(caller, bytes));
    const meter = options.createMeter?.(caller, client);
    return meter ? withProcessorMeter(meter, next) : next();
  });
  addMcp(app, [['/mcp', narrowByRequest(mcp, pipe.catalog)], ...(options.connectors ?? [])]);
  app.use((c, next) => (c.env.incoming.headers['accept-encoding'] ? compressed(c, next) : next()));
  app.get('/metrics', async (c) => {
    if (!c.get('caller').scopes.has('monitor')) {
      throw missingScopeError('/metrics, which counts the calls of all users,', 'monitor', c.get('caller'));
    }
    const { type, text } = await pipe.metrics.render();
    return c.body(text, 200, { 'Content-Type': type });
  });
  for (const path of OWN_PATHS) app.all(path, (c) => methodNotAllowedResponse(c, 'GET, HEAD'));
  app.route('/', createRest(pipe));
  return app;
}

function addPages(app: Hono<HttpEnv>, pipe: OperationPipeline, options: HttpOptions): void {
  app.route('/', createConsentPages(pipe, options));
  app.route('/app', createConsole(pipe, options));
  app.route('/status', createStatusPages(pipe, options));
  app.route('/heartbeat', createHeartbeatRoutes(pipe, options));
}

export type ListeningServer = Awaited<ReturnType<typeof listen>>;

/** Closes the connection of a slow body. Node's own limit is longer, because uploads need more time. */
function endSlowBody({ incoming, outgoing }: HttpBindings): void {
  // A body that is never read causes no event, so the timer must not keep the process alive.
  const timer = setTimeout(() => refuseSlowBody(incoming, outgoing), BODY_TIMEOUT_MS).unref();
  for (const event of ['end', 'close']) incoming.once(event, () => clearTimeout(timer));
}

export async function listen(app: Hono<HttpEnv>, host: string, port: number) {
  app.router.match('GET', '/');
  const server = createHttpServer(app, host);
  server.headersTimeout = 15_000;
  // Milliseconds for which clients may reuse an idle connection. Responses state this limit.
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
    close: (graceMs: number): Promise<void> => close(server, graceMs),
  };
}

async function close(server: HttpServer, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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
      : `cannot listen on ${host}:${port}, since ${describeListenFailure(error)}: set MAGPIE_HOST and MAGPIE_PORT`;
  return unavailableError(why, { cause: error });
}

/** Narrows the tools of each request to those that its address and headers ask for. */
function narrowByRequest(mcp: McpEndpoint, catalog: OperationCatalog): McpEndpoint {
  return {
    ...mcp,
    fetch: async (request, caller, exchange) =>
      mcp.fetch(request, withToolSelections(caller, request, catalog), exchange),
  };
}

function addMcp(app: Hono<HttpEnv>, endpoints: readonly (readonly [path: string, endpoint: McpEndpoint])[]) {
  for (const [path, endpoint] of endpoints) {
    const both = [path, `${path}/`];
    app.on(['GET', 'POST', 'DELETE'], both, (c) =>
      endpoint.fetch(c.req.raw, c.get('caller'), {
        onClose: (done) => c.env.outgoing.once('close', () => done(c.env.outgoing.writableFinished)),
        countWork: c.get('countWork'),
        incoming: c.get('incoming'),
        takeTurn: c.get('takeTurn'),
        paceRefusal: c.get('paceRefusal'),
      }),
    );
    app.on('ALL', both, (c) => methodNotAllowedResponse(c, 'GET, POST, DELETE'));
  }
}

function addDocs(app: Hono<HttpEnv>, pipe: OperationPipeline, { identifyPageUser }: HttpOptions): void {
  const compressed = compress();
  for (const path of ['/', '/docs', '/docs/*']) {
    app.use(path, async (c, next) => {
      await identifyPageUser?.(undefined, c.get('client'));
      return c.env.incoming.headers['accept-encoding'] ? compressed(c, next) : next();
    });
  }
  app.get('/docs', async (c) => c.html((await import('./docs-page.ts')).docsPage(pipe.catalog)));
  app.get('/docs/style.css', (c) => {
    const style = readStandalonePageStyle(new URL('./docs-page.css', import.meta.url));
    return c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });
  app.get('/', (c) => c.redirect('/docs'));
}
