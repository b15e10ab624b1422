import type { IncomingHttpHeaders } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { AccessControl } from '../../access/types.ts';
import { type AppError, forbiddenError } from '../../errors.ts';
import type { Operation } from '../../operation.ts';
import { isForAnyOrigin } from './protected-resource.ts';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];
const OPEN_PATHS = new Set(['/healthz', '/readyz']);
const METRICS = '/metrics';

export interface HostGuardOptions {
  readonly host: string;
  readonly publicUrl?: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly isOpen?: AccessControl['isOpen'] | undefined;
}

type Guard = MiddlewareHandler<{ Bindings: HttpBindings; Variables: { listed: boolean } }>;

/** Refuses unknown Host and Origin headers, by which web pages could reach a local server (DNS rebinding). */
export function guardHostAndOrigin({ host: bound, publicUrl, corsOrigins, isOpen }: HostGuardOptions): Guard {
  const names = new Set([...LOCAL, bound.includes(':') ? `[${bound}]` : bound.toLowerCase()]);
  if (publicUrl) names.add(new URL(publicUrl).hostname);
  const origins = new Set(corsOrigins);
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  /** Returns true for a page of this server: its origin has the server's port and one of its host names. */
  const isOwn = (origin: string, host: string) => {
    if (origin === publicOrigin) return true;
    if (!/^https?:/i.test(origin) || !names.has(hostnameOf(origin) ?? '')) return false;
    const { protocol, port } = new URL(origin);
    return new URL(`${protocol}//${host}`).port === port;
  };
  // Last accepted Host header. Most requests repeat it, and comparing is faster than parsing.
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
    const guarded = !isForAnyOrigin(c.req.path);
    const listed = origin !== undefined && origins.has(origin);
    if (guarded && origin !== undefined && !listed && !isOwn(origin, host)) {
      throw forbiddenError(
        `the origin ${shownOrigin(origin)} may not call this server; MAGPIE_CORS_ORIGINS adds one`,
      );
    }
    c.set('listed', listed);
    return next();
  };
}

/** Returns true for a program such as Prometheus: its request has a credential, but no cookie or origin. */
function isScrape({ authorization, cookie, origin }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && cookie === undefined && origin === undefined;
}

/** Throws if the server is open, because it then checks no keys and `Authorization` proves nothing. */
async function unlessOpen(isOpen: HostGuardOptions['isOpen'], host: string | undefined): Promise<void> {
  if ((await isOpen?.()) ?? true) throw foreignHost(host);
}

function foreignHost(host: string | undefined): AppError {
  return forbiddenError(`the Host header ${shown(host)} is not this server's; MAGPIE_PUBLIC_URL adds a name`);
}

const FOREIGN: readonly unknown[] = ['cross-site', 'same-site'];

export interface BrowserRequest {
  readonly headers: IncomingHttpHeaders;
  readonly listed: boolean;
  /** True if the server requires no key. A link in any page or mail could then call operations. */
  readonly open: boolean;
}

/** Refuses requests that no user intended, such as prefetches, because a GET request can change data. */
export function refuseUnintendedRequest(
  { name, effect }: Pick<Operation, 'name' | 'effect'>,
  { headers, listed, open }: BrowserRequest,
): void {
  if (effect !== 'read') {
    refusePrefetch(headers);
    if (open && isNavigation(headers)) {
      throw forbiddenError(
        'this address changes something, and a link or the address bar of a browser may not, since anyone can give you a ' +
          `link: ask your assistant, run \`magpie call ${name}\`, or send the request with curl`,
      );
    }
  }
  if (listed || !FOREIGN.includes(headers['sec-fetch-site'])) return;
  if (effect !== 'read') {
    throw forbiddenError('this address changes something, and another site may not ask for it');
  }
  if (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return;
  throw forbiddenError('a page of another site may not call this server; MAGPIE_CORS_ORIGINS adds one');
}

export function refusePrefetch(headers: IncomingHttpHeaders): void {
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-moz']].join(' ');
  if (/prefetch|preview|prerender/i.test(purpose)) {
    throw forbiddenError('this address changes something, and a prefetch or preview may not');
  }
}

/** Returns true if a browser opens a page. Old browsers show this only by `Upgrade-Insecure-Requests`. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? headers['upgrade-insecure-requests'] === '1' : /navigate$/.test(String(mode));
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function shown(value: string | undefined): string {
  if (value === undefined) return '(none)';
  return JSON.stringify((hostnameOf(value) || hostnameOf(`http://${value}`) || '(no host)').slice(0, 100));
}

function shownOrigin(origin: string): string {
  const { host } = URL.canParse(origin) ? new URL(origin) : { host: '' };
  return host ? JSON.stringify(host.slice(0, 100)) : shown(origin);
}
