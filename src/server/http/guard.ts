import type { IncomingHttpHeaders } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { Access } from '../../access/types.ts';
import { AppError } from '../../errors.ts';
import type { Operation } from '../../operation.ts';
import { RESOURCE_METADATA } from './protected-resource.ts';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** Paths that reveal nothing and are requested by load balancers under any name. */
const OPEN_PATHS = new Set(['/healthz', '/readyz']);
/** Requested from each node under any name too, and with a credential. */
const METRICS = '/metrics';

export interface GuardOptions {
  /** Address that the server listens on. */
  readonly host: string;
  readonly publicUrl?: string | undefined;
  /** Origins of other sites that may call. */
  readonly corsOrigins: readonly string[];
  /** Whether requests need no credential; they do not when left out. */
  readonly isOpen?: Access['isOpen'] | undefined;
}

type Guard = MiddlewareHandler<{ Bindings: HttpBindings; Variables: { listed: boolean } }>;

/**
 * Refuses requests whose Host or Origin is not the server's own: a web page in the user's browser can
 * reach loopback, by its own name (DNS rebinding) or across origins, and must not be able to act there.
 */
export function guardHostAndOrigin({ host: bound, publicUrl, corsOrigins, isOpen }: GuardOptions): Guard {
  const names = new Set([...LOCAL, bound.includes(':') ? `[${bound}]` : bound.toLowerCase()]);
  if (publicUrl) names.add(new URL(publicUrl).hostname);
  const origins = new Set(corsOrigins);
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  /** A page of this server itself, under any of its names: another port is another program. */
  const isOwn = (origin: string, host: string) => {
    if (origin === publicOrigin) return true;
    if (!/^https?:/i.test(origin) || !names.has(hostnameOf(origin) ?? '')) return false;
    const { protocol, port } = new URL(origin);
    return new URL(`${protocol}//${host}`).port === port;
  };
  // Nearly every request has the same Host, and taking a URL apart costs more than the rest of the check.
  let lastGood: string | undefined;
  return (c, next) => {
    if (OPEN_PATHS.has(c.req.path)) return next();
    const host = c.req.header('host');
    if (host === undefined || (host !== lastGood && !names.has(hostnameOf(`http://${host}`) ?? ''))) {
      if (c.req.path !== METRICS || !isScrape(c.env.incoming.headers)) throw foreignHost(host);
      c.set('listed', false);
      return unlessOpen(isOpen, host).then(next);
    }
    lastGood = host;
    const { origin } = c.env.incoming.headers;
    const guarded = !c.req.path.startsWith(RESOURCE_METADATA);
    const listed = origin !== undefined && origins.has(origin);
    if (guarded && origin !== undefined && !listed && !isOwn(origin, host)) {
      throw new AppError(
        'forbidden',
        `the origin ${shownOrigin(origin)} may not call this server; MAGPIE_CORS_ORIGINS adds one`,
      );
    }
    c.set('listed', listed);
    return next();
  };
}

/**
 * Whether a program brings the credential that it is judged by: Prometheus asks each node under the node's own name or address. A page
 * under a foreign name knows no key, and a browser adds none to `Authorization` by itself as it adds cookies.
 */
function isScrape({ authorization, cookie, origin }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && cookie === undefined && origin === undefined;
}

/** An open server reads no credential, so that one proves nothing there. */
async function unlessOpen(isOpen: GuardOptions['isOpen'], host: string | undefined): Promise<void> {
  if ((await isOpen?.()) ?? true) throw foreignHost(host);
}

function foreignHost(host: string | undefined): AppError {
  return new AppError(
    'forbidden',
    `the Host header ${shown(host)} is not this server's; MAGPIE_PUBLIC_URL adds a name`,
  );
}

const FOREIGN: readonly unknown[] = ['cross-site', 'same-site'];

/** What a browser says of a request, and how far it is trusted. */
export interface BrowserRequest {
  readonly headers: IncomingHttpHeaders;
  /** Whether the page's origin is one of those that may call. */
  readonly listed: boolean;
  /** Whether the request needed no credential: on an open server, any link would do. */
  readonly open: boolean;
}

/**
 * Refuses what a browser sends unasked or for a page that is not ours: the contract writes and resets by GET, which
 * neither a prefetch may do, nor an image of a foreign page, which is requested without Origin, nor, on an open server, a
 * link in a mail, whose site is none. To a browser, other ports of this machine are the same site. A link to what
 * changes nothing may be followed.
 */
export function refuseUnintended(
  { name, effect }: Pick<Operation, 'name' | 'effect'>,
  { headers, listed, open }: BrowserRequest,
): void {
  if (effect !== 'read') {
    refusePrefetch(headers);
    if (open && isNavigation(headers)) {
      throw new AppError(
        'forbidden',
        'this address changes something, and a link or the address bar of a browser may not, since anyone can give you a ' +
          `link: ask your assistant, run \`magpie call ${name}\`, or send the request with curl`,
      );
    }
  }
  if (listed || !FOREIGN.includes(headers['sec-fetch-site'])) return;
  if (effect !== 'read') {
    throw new AppError('forbidden', 'this address changes something, and another site may not ask for it');
  }
  if (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return;
  throw new AppError(
    'forbidden',
    'a page of another site may not call this server; MAGPIE_CORS_ORIGINS adds one',
  );
}

/** Refuses what a browser requests before its user has. */
export function refusePrefetch(headers: IncomingHttpHeaders): void {
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-moz']].join(' ');
  if (/prefetch|preview|prerender/i.test(purpose)) {
    throw new AppError('forbidden', 'this address changes something, and a prefetch or preview may not');
  }
}

/** Whether a browser opens the address as a page; those before Fetch Metadata ask for an upgrade then. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? headers['upgrade-insecure-requests'] === '1' : /navigate$/.test(String(mode));
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** What a message shows of a header: the host that it names, and nothing else that stands there. */
function shown(value: string | undefined): string {
  if (value === undefined) return '(none)';
  return JSON.stringify((hostnameOf(value) || hostnameOf(`http://${value}`) || '(no host)').slice(0, 100));
}

/** The same of an origin, with its port. */
function shownOrigin(origin: string): string {
  const { host } = URL.canParse(origin) ? new URL(origin) : { host: '' };
  return host ? JSON.stringify(host.slice(0, 100)) : shown(origin);
}
