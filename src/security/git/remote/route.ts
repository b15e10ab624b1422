import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { AppError, upstreamError } from '../../../errors.ts';
import { PRIVATE_ADDRESS_CODE } from '../../../lib/network/address.ts';
import { startGuardProxy } from '../../../lib/network/guard-proxy.ts';
import {
  CONNECTION_BROKEN,
  failureSentence,
  forbidden,
  networkFailure,
  RESPONSE_TIMEOUT,
} from '../../../lib/network/network-failure.ts';
import type { ConnectionVerdict, UrlGuard } from '../../../lib/network/url-guard.ts';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import type { ConfigLine } from './environment.ts';
import { type RemoteLocation, urlOf } from './location.ts';
import type { Credential } from './tokens.ts';

export type GitRoute = Awaited<ReturnType<typeof throughProxy>>;

export interface GitRouteOptions extends Pick<RelayOptions, 'guard' | 'maxBytes' | 'signal'> {
  readonly tokens: ReadonlyMap<string, Credential>;
  readonly ssh: SshOptions;
}

export const openGitRoute = (at: RemoteLocation, options: GitRouteOptions): Promise<GitRoute> =>
  at.protocol === 'http' || at.protocol === 'https' ? throughProxy(at, options) : throughRelay(at, options);

/** Connects through a local proxy. Git gets the token only for this host, and not for hosts of redirects. */
async function throughProxy(at: RemoteLocation, options: GitRouteOptions) {
  const url = urlOf(at);
  const { guard, refusal } = recording(options.guard);
  await guard.check(url, options.signal);
  const proxy = await startGuardProxy(guard);
  const lease = proxy.lease({ maxBytes: options.maxBytes, signal: options.signal });
  const address = new URL(proxy.server);
  address.username = lease.username;
  address.password = lease.password;
  const config: ConfigLine[] = [
    ['http.proxy', address.href.replace(/\/$/, '')],
    ['http.proxyAuthMethod', 'basic'],
  ];
  const env: Record<string, string> = {
    GIT_ALLOW_PROTOCOL: at.protocol === 'https' ? 'https' : 'http:https',
  };
  const target = new URL(url);
  const token = options.tokens.get(target.host) ?? options.tokens.get(target.hostname);
  // Over plain http, the token is sent only to hosts that the operator has allowed.
  if (token && (at.protocol === 'https' || guard.judge(target) === 'open')) {
    const helper = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$MAGPIE_NAME" "$MAGPIE_WORD"; }; f`;
    config.push([`credential.${target.origin}.helper`, helper]);
    env.MAGPIE_NAME = token.username;
    env.MAGPIE_WORD = token.password;
  }
  return {
    url,
    config,
    env,
    bytes: () => lease.bytes,
    isOverMaxBytes: () => lease.exhausted,
    refusal,
    close: () => proxy.close(),
  };
}

async function throughRelay(at: RemoteLocation, options: GitRouteOptions): Promise<GitRoute> {
  const { maxBytes } = options;
  const relay = await startRelay({ ...options, host: at.host, port: at.port });
  const isGit = at.protocol === 'git';
  const name = at.port === (isGit ? 9418 : 22) ? at.host : `${at.host}:${at.port}`;
  return {
    url: isGit ? urlOf(at, '127.0.0.1', relay.port) : urlOf(at),
    config: [],
    env: isGit
      ? { GIT_ALLOW_PROTOCOL: 'git', GIT_OVERRIDE_VIRTUAL_HOST: name }
      : omitUndefined({
          GIT_ALLOW_PROTOCOL: 'ssh',
          GIT_SSH_VARIANT: 'ssh',
          GIT_SSH_COMMAND: sshCommand(options.ssh, at, relay.port),
          SSH_AUTH_SOCK: options.ssh.agent,
        }),
    bytes: () => relay.bytes,
    isOverMaxBytes: () => relay.bytes > maxBytes,
    refusal: () => relay.refusal,
    close: async () => relay.close(),
  };
}

/** Records the last error of the guard, because git reports only that the proxy refused the connection. */
function recording(guard: UrlGuard): { guard: UrlGuard; refusal(): AppError | undefined } {
  let last: AppError | undefined;
  const { open, guarded } = guard.lookups;
  const watched: UrlGuard = {
    ...guard,
    judge(url, own) {
      try {
        return guard.judge(url, own);
      } catch (error) {
        if (error instanceof AppError) last = error;
        throw error;
      }
    },
    lookups: {
      open,
      guarded: (hostname, how, done) =>
        guarded(hostname, how, (error, address, family) => {
          if (error?.code === PRIVATE_ADDRESS_CODE) last = forbidden(new URL(`http://${hostname}/`));
          done(error, address, family);
        }),
    },
  };
  return { guard: watched, refusal: () => last };
}

interface SshOptions {
  readonly keyFile?: string;
  readonly agent?: string;
  readonly knownHosts: string;
}

/** Returns git's ssh command. The command ignores the user's ssh settings and refuses a changed host key. */
export function sshCommand(ssh: SshOptions, at: RemoteLocation, relayPort: number): string {
  const options: readonly (readonly [string, string])[] = [
    ['BatchMode', 'yes'],
    ['StrictHostKeyChecking', 'accept-new'],
    ['UserKnownHostsFile', inConfig(ssh.knownHosts)],
    ['HostName', '127.0.0.1'],
    ['Port', String(relayPort)],
    ['HostKeyAlias', at.port === 22 ? at.host : `[${at.host.replace(/^\[(.*)\]$/, '$1')}]:${at.port}`],
    ['CheckHostIP', 'no'],
    ['IdentityFile', ssh.keyFile === undefined ? 'none' : inConfig(ssh.keyFile)],
    ['IdentitiesOnly', ssh.agent === undefined ? 'yes' : 'no'],
    ...(ssh.agent === undefined ? ([['IdentityAgent', 'none']] as const) : []),
    ['ProxyCommand', 'none'],
    ['ProxyJump', 'none'],
    ['ControlPath', 'none'],
    ['PermitLocalCommand', 'no'],
    ['ForwardAgent', 'no'],
    ['ForwardX11', 'no'],
    ['ClearAllForwardings', 'yes'],
    ['ConnectTimeout', '20'],
    ['ServerAliveInterval', '15'],
    ['LogLevel', 'ERROR'],
  ];
  return ['ssh', '-F', '/dev/null', ...options.flatMap(([key, value]) => ['-o', `${key}=${value}`])]
    .map(quoted)
    .join(' ');
}

/** Quotes a path for an ssh option, in which `%` must be doubled. */
const inConfig = (path: string): string => `"${path.replaceAll('%', '%%')}"`;

const quoted = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

interface RelayOptions {
  readonly guard: UrlGuard;
  readonly host: string;
  readonly port: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const MAX_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Opens a local port for git and ssh. Connections are forwarded to the host after a check of its address. */
async function startRelay({ guard, host, port, maxBytes, signal }: RelayOptions) {
  const verdict = verdictOf(guard, host, port);
  const open = new Set<Socket>();
  let bytes = 0;
  let count = 0;
  let refusal: AppError | undefined;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (++count > MAX_CONNECTIONS) return void client.destroy();
    const upstream = connect({
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port,
      lookup: guard.lookups[verdict],
    });
    upstream.setTimeout(CONNECT_TIMEOUT_MS, () => upstream.destroy(new Error('late')));
    upstream.once('connect', () => upstream.setTimeout(IDLE_TIMEOUT_MS));
    upstream.on('error', (error) => {
      refusal ??= refusalOf(error, host);
      client.destroy();
    });
    upstream.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > maxBytes) upstream.destroy();
    });
    upstream.pipe(client).pipe(upstream);
    client.on('error', () => upstream.destroy());
    for (const [one, other] of [
      [upstream, client],
      [client, upstream],
    ] as const) {
      open.add(one);
      one.on('close', () => {
        open.delete(one);
        if (one === client) other.destroy();
        else other.end();
      });
    }
  });
  const close = () => {
    signal.removeEventListener('abort', close);
    server.close();
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve());
  });
  signal.addEventListener('abort', close, { once: true });
  return {
    port: (server.address() as AddressInfo).port,
    get bytes() {
      return bytes;
    },
    /** The first reason why a connection was refused or failed. Undefined if no connection failed. */
    get refusal() {
      return refusal;
    },
    close,
  };
}

/** Asks the guard about a host. The guard blocks port 22 (ssh), so it is asked about port 9418 instead. */
function verdictOf(guard: UrlGuard, host: string, port: number): ConnectionVerdict {
  try {
    return guard.judge(new URL(`http://${host}:${port}/`));
  } catch (error) {
    if (port !== 22) throw error;
    return guard.judge(new URL(`http://${host}:9418/`));
  }
}

function refusalOf(error: Error, host: string): AppError {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === PRIVATE_ADDRESS_CODE) return forbidden(new URL(`http://${host}/`));
  const failure = networkFailure(error) ?? (error.message === 'late' ? RESPONSE_TIMEOUT : CONNECTION_BROKEN);
  return upstreamError(failureSentence(host, failure), { cause: error });
}
