import { setTimeout as wait } from 'node:timers/promises';
import { prompts } from '../../prompts/index.ts';
import { operations } from '../../tools/index.ts';
import { localCaller } from '../caller.ts';
import { type Config, isStartedByNpm } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { counted } from '../lib/counted.ts';
import type { Logger } from '../log.ts';
import { createMetrics, noMetrics } from '../metrics.ts';
import type { Catalog } from '../operation.ts';
import { select } from '../server/catalog.ts';
import { createCredentialDesk } from '../server/credential-desk.ts';
import type { Pipe } from '../server/invoke.ts';
import { VERSION } from '../version.ts';
import { createServices, type Services } from '../wiring/services.ts';

/** The servers: made of their parts, and brought to a clean end. */

/** Milliseconds that calls under way have to end after SIGTERM. */
const GRACE = 10_000;
/** Milliseconds after which comes what the first answers need not wait for. */
const AFTERWARDS = { stdio: 3000, http: 500 };
/** Milliseconds between two looks for the shell of `npm start`. */
const PARENT = 250;
const OPEN = 'open mode: no key is made, so whoever reaches this address is this user';
/** Where an open server may listen. */
const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

const CATALOG: Catalog = { operations, prompts };

/** All that a call needs, on every surface. */
export function createPipe(
  config: Config,
  log: Logger,
  metrics: Pipe['metrics'],
  appUrl?: Services['appUrl'],
): Pipe {
  return {
    catalog: select(CATALOG, { readOnly: config.readOnly, toolsets: [] }),
    services: createServices(config, log, appUrl),
    log,
    metrics,
    callTimeout: config.callTimeout,
    responseBytes: config.responseBytes,
    running: new Set(),
    desk: createCredentialDesk(),
  };
}

/** Names of the tools that MCP clients see. */
function toolNames(config: Config): ReadonlySet<string> {
  return new Set(select(CATALOG, config).operations.map(({ name }) => name));
}

/**
 * MCP over this process's pipes, until the client closes them and has its answers; the upload page is served once it
 * is asked for.
 */
export async function stdio(config: Config, log: Logger, warnings: readonly string[]): Promise<void> {
  const [
    { serveStdio },
    { createStdioWire },
    { createMcpServer },
    { createChangeNotifications },
    { createLoopbackPage },
  ] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../server/mcp/stdio.ts'),
    import('../server/mcp/mcp.ts'),
    import('../server/mcp/change-notifications.ts'),
    import('../server/app/loopback.ts'),
  ]);
  const pipe: Pipe = createPipe(config, log, noMetrics, () => uploads.url());
  const uploads = createLoopbackPage(pipe, config.readOnly);
  const tools = toolNames(config);
  const caller = localCaller(config.user, 'stdio');
  const notifications = createChangeNotifications(pipe.services);
  const wire = createStdioWire(process.stdin, process.stdout, config.callTimeout + GRACE);
  const handle = serveStdio(({ era }) => createMcpServer(pipe, tools, caller, { notifications, era }), {
    transport: wire.transport,
    onerror: (error) => log.debug({ err: error }, 'stdio transport'),
  });
  log.debug('magpie is listening on stdio');
  for (const warning of warnings) log.warn(warning);
  const closing = new AbortController();
  const begin = () => void watch(pipe, config, 'stdio', closing.signal);
  const afterwards = setTimeout(begin, AFTERWARDS.stdio).unref();
  await Promise.race([ended(), wire.over]);
  clearTimeout(afterwards);
  closing.abort();
  wire.end();
  await drain(pipe, wire.over);
  notifications.close();
  await handle.close();
  await uploads.close();
  await pipe.services.close();
}

/** REST, MCP and docs over HTTP, until SIGTERM or Ctrl-C. */
export async function serve(config: Config, log: Logger, warnings: readonly string[]): Promise<void> {
  const [
    { createApp, listen, BODY_BYTES },
    { createCredentialWatch },
    { createMcpEndpoint },
    { createScopeGate },
    { createMcpServer },
    { createChangeNotifications },
    { lockFolder },
  ] = await Promise.all([
    import('../server/http/http.ts'),
    import('../server/credential-watch.ts'),
    import('../server/mcp/mcp-http.ts'),
    import('../server/mcp/mcp-scopes.ts'),
    import('../server/mcp/mcp.ts'),
    import('../server/mcp/change-notifications.ts'),
    import('../storage/lock.ts'),
  ]);
  const over = ended();
  const lock = await lockFolder(config.data);
  const { promise: address, resolve: tellAddress } = Promise.withResolvers<string>();
  const calls = createPipe(config, log, createMetrics(VERSION), () => address);
  const access = await calls.services.access();
  access.onAlert(({ kind }) => calls.metrics.alert(kind));
  // A fault in it is told at the start.
  if (config.inventory !== undefined) await calls.services.monitor();
  const credentials = createCredentialWatch({ standingOf: access.standingOf, log });
  const desk = createCredentialDesk({ watch: credentials });
  const pipe: Pipe = { ...calls, accounting: access, credentials, desk };
  const open = await access.isOpen();
  const wide = open ? reachedFromOutside(config) : undefined;
  if (wide !== undefined) {
    await pipe.services.close();
    lock.release();
    throw new AppError(
      'bad_request',
      `${wide}: without keys the server is open to whoever reaches it, so it has no public name and listens on ` +
        `${LOOPBACK.join(', ')} only; magpie key create --scope read,write makes a key, and MAGPIE_OAUTH_ISSUER ` +
        'names a server whose tokens are taken',
    );
  }
  const tools = toolNames(config);
  const notifications = createChangeNotifications(pipe.services);
  const mcp = createMcpEndpoint(
    (caller, lasts) =>
      createMcpServer(
        pipe,
        tools,
        caller,
        lasts === 'session' ? { notifications, era: 'legacy' } : undefined,
      ),
    {
      log,
      notifications,
      gate: createScopeGate(pipe, tools),
      standingOf: access.standingOf,
      bodyBytes: BODY_BYTES,
    },
  );
  const issuer = config.oauthIssuer;
  const oauth = issuer === undefined ? undefined : { issuer, url: () => address };
  const app = createApp(pipe, mcp, {
    ...config,
    oauth,
    identify: (request, client) =>
      access.identify({ authorization: request.headers.get('authorization'), ...client }),
    countFurtherRequests: access.countFurtherRequests,
    identifyPageUser: access.identifyPageUser,
  });
  const server = await listen(app, config.host, config.port);
  tellAddress(config.publicUrl ?? server.url);
  lock.tell(config.publicUrl ?? server.url);
  process.stderr.write(
    `magpie is listening on ${server.url} (MCP at ${server.url}/mcp, docs at ${server.url}/docs)\n`,
  );
  for (const warning of warnings) log.warn(warning);
  if (issuer !== undefined) void (await pipe.services.tokens()).warm();
  const closing = new AbortController();
  const afterwards = setTimeout(() => {
    if (open) log.info({ user: config.user }, OPEN);
    void watch(calls, config, 'server', closing.signal);
  }, AFTERWARDS.http).unref();
  await over;
  clearTimeout(afterwards);
  closing.abort();
  if (pipe.running.size > 0) {
    process.stderr.write(
      `magpie ends when ${counted(pipe.running.size, 'running call')} ended, at the latest in ${GRACE / 1000} s; Ctrl-C ends it now\n`,
    );
  }
  const closed = server.close(GRACE);
  await drain(pipe);
  notifications.close();
  await mcp.close();
  credentials.close();
  await closed;
  await pipe.services.close();
  lock.release();
}

/** What lets others than this machine's reach the server: its address, or a name that a proxy in front has. */
function reachedFromOutside({ host, publicUrl }: Config): string | undefined {
  if (!LOOPBACK.includes(host)) return `MAGPIE_HOST is ${JSON.stringify(host)}`;
  const name = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (LOOPBACK.includes(name) || name.endsWith('.localhost')) return undefined;
  return `MAGPIE_PUBLIC_URL is ${JSON.stringify(publicUrl)}`;
}

/** Milliseconds for which it is known whether a server watches. */
const KNOWN = 1000;

/** Milliseconds before watching is begun again after it could not: at first, and at most. */
const [SOON, LATE] = [1000, 60_000];

/**
 * Has this process look at what is watched: a server, which says so, or one that leaves it to a server as long as there
 * is one. What keeps it from that (a busy database, a server before it that has not ended yet) is a line in the log each
 * time that it is another; it is tried again until the signal. Never rejects.
 */
async function watch(pipe: Pipe, config: Config, as: 'server' | 'stdio', signal: AbortSignal): Promise<void> {
  if (config.readOnly) return;
  let told = '';
  for (let pause = SOON; !signal.aborted; pause = Math.min(2 * pause, LATE)) {
    try {
      await beginWatch(pipe, config, as, signal);
      if (told !== '') pipe.log.info('what is watched is looked at now');
      return;
    } catch (err) {
      const why = err instanceof Error ? err.message : String(err);
      if (why !== told) pipe.log.error({ err }, 'nothing is watched; it is tried again');
      told = why;
    }
    await wait(pause, undefined, { signal, ref: false }).catch(() => {});
  }
}

async function beginWatch(
  { services, metrics }: Pipe,
  { data }: Config,
  as: 'server' | 'stdio',
  signal: AbortSignal,
): Promise<void> {
  const { holdWatch, isWatchHeld } = await import('../storage/lock.ts');
  const monitor = await services.monitor();
  if (signal.aborted) return;
  if (as === 'server') holdWatch(data);
  let [rests, until] = [false, 0];
  const isLeft = () => {
    if (as === 'stdio' && Date.now() >= until) [rests, until] = [isWatchHeld(data), Date.now() + KNOWN];
    return rests;
  };
  const { check, monitorAlert, notice } = metrics;
  await monitor.startWorking({ onCheck: check, onAlert: monitorAlert, onSent: notice }, isLeft);
}

/**
 * Resolves on SIGTERM or SIGINT. npm hands a signal to the shell that it started, which ends of it and tells nobody, so
 * under npm the end of that shell is one too.
 */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    if (!isStartedByNpm()) return;
    const parent = process.ppid;
    const looking = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(looking);
      resolve();
    }, PARENT).unref();
  });
}

/** Waits for the calls under way and for what else is given, but no longer than the grace. */
async function drain({ running }: Pipe, ...others: Promise<void>[]): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, GRACE);
  await Promise.race([Promise.allSettled([...running, ...others]), late]);
  clearTimeout(timer);
}
