import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { settingsInForce } from '../config/settings-in-force.ts';
import { badRequestError } from '../errors.ts';
import type { LaunchCommand } from '../lib/assistants.ts';
import { readAuthorization } from '../lib/network/bearer.ts';
import { formatCount } from '../lib/text/format-count.ts';
import { enableStarterProcess } from '../lib/workers/process-host.ts';
import { keepSpareWorkers } from '../lib/workers/spare-workers.ts';
import type { Logger, RecentLogger } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import type { Operation } from '../operation.ts';
import { createCredentialPages } from '../server/credential-pages.ts';
import { createCredentialWatch } from '../server/credential-watch.ts';
import { createApp, listen } from '../server/http/http.ts';
import { MAX_BODY_BYTES } from '../server/http/json-request.ts';
import type { OperationPipeline } from '../server/invoke.ts';
import { createMcpServer } from '../server/mcp/mcp.ts';
import { createMcpEndpoint, createScopeCheck, type McpEndpoint } from '../server/mcp/mcp-http.ts';
import { createChangeNotifications } from '../server/mcp/resources/change-notifications.ts';
import { createConnector } from '../server/mcp/tools/connector.ts';
import { lockDataFolder } from '../storage/lock.ts';
import { VERSION } from '../version.ts';
import type { Services } from '../wiring/services.ts';
import type { ProgramIo } from './io.ts';
import { createMonitoringRun, type MonitoringRun } from './monitoring-run.ts';
import { createOperationPipe, STOP_GRACE_MS, toolNames, waitForCalls } from './pipe.ts';
import { waitForAbort } from './stop.ts';
import { startTelemetryExport } from './telemetry.ts';

/** Delay before modules are preloaded and monitoring starts, so that the first answers are fast. */
const WATCH_DELAY_MS = 500;
const OPEN = 'open mode: there is no key, so anyone who reaches this address is this user';
/** A server without keys may listen on these hosts, because other machines cannot reach them. */
const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

export async function runHttpServer(
  config: Config,
  log: RecentLogger,
  warnings: readonly string[],
  io: ProgramIo,
  stop: AbortSignal,
): Promise<void> {
  const held: (() => void | Promise<void>)[] = [];
  try {
    const lock = await lockDataFolder(config.data);
    held.push(() => lock.release());
    held.push(enableStarterProcess());
    const { promise: address, resolve: setAddress } = Promise.withResolvers<string>();
    const calls = createOperationPipe(config, log, createMetrics(VERSION), () => address, io.waits);
    held.push(await startTelemetryExport(io.env, calls.metrics, log));
    const watch = createMonitoringRun(calls, config, 'server');
    held.push(watch.release);
    held.push(() => calls.services.lifecycle.close());
    held.push(keepSpareWorkers());
    const { pipe, open, close, url } = await openServer(calls, config, log, io, address);
    setAddress(config.publicUrl ?? url);
    lock.tell(config.publicUrl ?? url);
    io.stderr.write(`magpie is listening on ${url} (MCP at ${url}/mcp, docs at ${url}/docs)\n`);
    for (const warning of warnings) log.warn(warning);
    if (config.oauthIssuer !== undefined) void (await pipe.services.identity.tokens()).fetchKeys();
    const afterwards = setTimeout(() => {
      if (open) log.info({ user: config.user }, OPEN);
      void settleIn(calls, watch, log, stop);
    }, io.waits?.watchDelayMs ?? WATCH_DELAY_MS).unref();
    await waitForAbort(stop);
    clearTimeout(afterwards);
    watch.stop();
    if (pipe.running.size > 0) {
      io.stderr.write(
        `magpie ends when ${formatCount(pipe.running.size, 'running call')} ended, at the latest in ${STOP_GRACE_MS / 1000} s; Ctrl-C ends it now\n`,
      );
    }
    await close();
  } finally {
    await giveBack(held);
  }
}

/** Calls all functions in reverse order, even if a call fails. Then rejects with the first failure. */
async function giveBack(held: readonly (() => void | Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const release of held.toReversed()) {
    try {
      await release();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const WORK_RETRY_MS = 5000;

async function handleJobs(operations: readonly Operation[], services: Services): Promise<void> {
  for (const operation of operations) await operation.handleJobs?.(services);
}

/** Runs jobs from the queue that all servers share in the database. Retries until the database answers. */
async function work({ services, catalog }: OperationPipeline, log: Logger, stop: AbortSignal): Promise<void> {
  for (let logged = false; !stop.aborted; logged = true) {
    try {
      return await services.lifecycle.workOnJobs(() => handleJobs(catalog.operations, services));
    } catch (err) {
      if (!logged) log.error({ err }, 'jobs of other nodes cannot be taken; it is tried again');
      await wait(WORK_RETRY_MS, undefined, { signal: stop, ref: false }).catch(() => {});
    }
  }
}

async function settleIn(calls: OperationPipeline, watch: MonitoringRun, log: Logger, stop: AbortSignal) {
  const { services } = calls;
  const { preload } = await import('../wiring/preload.ts');
  await preload(stop, watch.begin);
  if (stop.aborted) return;
  void work(calls, log, stop);
  try {
    await services.lifecycle.findDamage(stop);
    await services.lifecycle.ready();
  } catch (err) {
    if (!stop.aborted) log.error({ err }, 'the check of the database at the start');
  }
}

/** Opens the server. Throws AppError `bad_request` if other machines could reach it without keys. */
async function openServer(
  calls: OperationPipeline,
  config: Config,
  log: RecentLogger,
  io: ProgramIo,
  address: Promise<string>,
) {
  const access = await calls.services.identity.access();
  access.onAlert(({ kind }) => calls.metrics.alert(kind));
  await calls.services.lifecycle.refuseUnusableBucket();
  // Reads the inventory file now, so that an invalid file prevents the start.
  if (config.inventory !== undefined) await calls.services.monitor();
  checkLogin(config, log);
  checkBuiltIn(config);
  const open = await access.isOpen();
  if (open) refuseOutside(config);
  const credentials = createCredentialWatch({ standingOf: access.standingOf, log });
  const desk = createCredentialPages({ watch: credentials });
  const pipe: OperationPipeline = { ...calls, accounting: access, credentials, desk };
  const tools = toolNames(config);
  const notifications = createChangeNotifications(pipe.services, pipe.log);
  const mcp = createMcpEndpoint(
    (caller, lasts, subscriptions) =>
      createMcpServer(
        pipe,
        tools,
        caller,
        lasts === 'session' ? { notifications, era: 'legacy', subscriptions } : undefined,
      ),
    {
      log,
      notifications,
      services: pipe.services,
      gate: createScopeCheck(pipe, tools),
      standingOf: access.standingOf,
      bodyBytes: MAX_BODY_BYTES,
    },
  );
  const connectors = createConnectors(pipe);
  const { oauthIssuer: issuer, oidcClientId } = config;
  const builtIn = config.oauth === 'builtin';
  const authority = builtIn ? config.publicUrl : issuer;
  const app = createApp(pipe, mcp, {
    ...config,
    connectors,
    oauth: authority === undefined ? undefined : { issuer: authority, builtIn, url: () => address },
    apps: builtIn ? pipe.services.identity.apps : undefined,
    identify: (request, client) =>
      access.identify({ authorization: readAuthorization(request.headers), ...client }),
    isOpen: access.isOpen,
    countWork: access.countWork,
    createMeter: access.createMeter,
    identifyPageUser: access.identifyPageUser,
    login:
      issuer === undefined || oidcClientId === undefined
        ? undefined
        : { issuer, open: pipe.services.identity.login, admit: access.admit },
    settings: () => settingsInForce(config),
    recentLog: log.recent,
    localStart: () => localStart(io),
  });
  const endMcp = async () => {
    notifications.close();
    await Promise.all([mcp, ...connectors.values()].map((endpoint) => endpoint.close()));
    credentials.close();
  };
  const server = await listen(app, config.host, config.port).catch(async (error: unknown) => {
    await endMcp();
    throw error;
  });
  return {
    url: server.url,
    pipe,
    open,
    async close() {
      const closed = server.close(STOP_GRACE_MS);
      await waitForCalls(pipe);
      await endMcp();
      await closed;
    },
  };
}

async function localStart(io: ProgramIo): Promise<LaunchCommand | undefined> {
  const { buildServerEntry } = await import('../commands/assistants/plan.ts');
  const { command, args } = buildServerEntry(io, {});
  return args[0]?.endsWith('.ts') ? { command, args } : undefined;
}

/** Checks that the login settings are complete. Throws AppError `bad_request`, or logs a warning. */
function checkLogin({ oauthIssuer, oidcClientId, oidcClientSecret, oidcScopes }: Config, log: Logger): void {
  if (oidcClientId !== undefined && oauthIssuer === undefined) {
    throw badRequestError(
      'MAGPIE_OIDC_CLIENT_ID needs MAGPIE_OAUTH_ISSUER, the issuer at which people sign in; set both, or neither',
    );
  }
  if (oidcClientId !== undefined || (oidcClientSecret === undefined && oidcScopes.length === 0)) return;
  const name = oidcClientSecret === undefined ? 'MAGPIE_OIDC_SCOPES' : 'MAGPIE_OIDC_CLIENT_SECRET';
  log.warn(`${name} changes nothing without MAGPIE_OIDC_CLIENT_ID: no one can sign in at a provider`);
}

/** Checks that the built-in authorization server has an address that tokens and cookies are safe at. */
function checkBuiltIn({ oauth, oauthIssuer, publicUrl }: Config): void {
  if (oauth !== 'builtin') return;
  if (oauthIssuer !== undefined) {
    throw badRequestError('MAGPIE_OAUTH=builtin and MAGPIE_OAUTH_ISSUER exclude each other; set one of them');
  }
  const { protocol = '', hostname = '', origin } = publicUrl ? new URL(publicUrl) : {};
  if (publicUrl === origin && (protocol === 'https:' || LOOPBACK.includes(hostname))) return;
  throw badRequestError(
    `MAGPIE_OAUTH=builtin needs MAGPIE_PUBLIC_URL to be an https address without a path, such as https://magpie.example.org, and it is ${publicUrl ?? 'not set'}`,
  );
}

function refuseOutside(config: Config): void {
  const outside = outsideAddress(config);
  if (outside === undefined) return;
  throw badRequestError(
    `${outside}: without keys anyone who reaches the server could use it, so it may have no public name and may listen on ` +
      `${LOOPBACK.join(', ')} only; make a key with magpie key create --scope read,write, or set MAGPIE_OAUTH_ISSUER ` +
      'to a server whose tokens are accepted',
  );
}

function outsideAddress({ host, publicUrl }: Config): string | undefined {
  if (!LOOPBACK.includes(host)) return `MAGPIE_HOST is ${JSON.stringify(host)}`;
  const name = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (LOOPBACK.includes(name) || name.endsWith('.localhost')) return undefined;
  return `MAGPIE_PUBLIC_URL is ${JSON.stringify(publicUrl)}`;
}

const CONNECTORS = [
  { path: '/mcp/chatgpt', withWeb: false },
  { path: '/mcp/chatgpt/web', withWeb: true },
];

export function createConnectors(pipe: OperationPipeline): ReadonlyMap<string, McpEndpoint> {
  return new Map(
    CONNECTORS.map(({ path, withWeb }) => {
      const tools = async () => (await import('../../tools/connector/list.ts')).connectorTools(withWeb);
      return [path, createConnector(pipe, { tools, bodyBytes: MAX_BODY_BYTES })];
    }),
  );
}
