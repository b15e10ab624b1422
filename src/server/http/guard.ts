import type { IncomingHttpHeaders } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { AppError } from '../../errors.ts';
import type { Operation } from '../../operation.ts';
import { RESOURCE_METADATA } from './protected-resource.ts';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** Paths that reveal nothing and are requested by load balancers under any name. */
const OPEN_PATHS = new Set(['/healthz', '/readyz']);

export interface GuardOptions {
  /** Address that the server listens on. */
  readonly host: string;
  readonly publicUrl?: string | undefined;
  /** Origins of other sites that may call. */
  readonly corsOrigins: readonly string[];
}

type Guard = MiddlewareHandler<{ Bindings: HttpBindings; Variables: { listed: boolean } }>;

/**
 * Refuses requests whose Host or Origin is not the server's own: a web page in the user's browser can
 * reach loopback, by its own name (DNS rebinding) or across origins, and must not be able to act there.
 */
export function guardHostAndOrigin({ host: bound, publicUrl, corsOrigins }: GuardOptions): Guard {
  const names = new Set([...LOCAL, bound.includes(':') ? `[${bound}]` : bound.toLowerCase()]);
  if (publicUrl) names.add(new URL(publicUrl).hostname);
  const origins = new Set(corsOrigins);
  // Nearly every request has the same Host, and taking a URL apart costs more than the rest of the check.
  let lastGood: string | undefined;
  return (c, next) => {
    if (OPEN_PATHS.has(c.req.path)) return next();
    const host = c.req.header('host');
    if (host === undefined || (host !== lastGood && !names.has(hostnameOf(`http://${host}`) ?? ''))) {
      throw new AppError(
        'forbidden',
        `the Host header ${shown(host)} is not this server's; MAGPIE_PUBLIC_URL adds a name`,
      );
    }
    lastGood = host;
    const { origin } = c.env.incoming.headers;
    const own = !c.req.path.startsWith(RESOURCE_METADATA);
    const listed = origin !== undefined && origins.has(origin);
    if (own && origin !== undefined && !listed && !names.has(hostnameOf(origin) ?? '')) {
      throw new AppError(
        'forbidden',
        `the origin ${shown(origin)} may not call this server; MAGPIE_CORS_ORIGINS adds one`,
      );
    }
    c.set('listed', listed);
    return next();
  };
}

const FOREIGN: readonly unknown[] = ['cross-site', 'same-site'];

/**
 * Refuses what a browser sends unasked or for a page that is not ours: the contract writes and resets by GET, which
 * neither a prefetch may do, nor an image of a foreign page, which is requested without Origin. To a browser, other
 * ports of this machine are the same site. A link to what changes nothing may be followed.
 * @param listed whether the page's origin is one of those that may call
 */
export function refuseUnintended(
  effect: Operation['effect'],
  headers: IncomingHttpHeaders,
  listed: boolean,
): void {
  if (effect !== 'read') {
    const purpose = [headers['sec-purpose'], headers.purpose, headers['x-moz']].join(' ');
    if (/prefetch|preview|prerender/i.test(purpose)) {
      throw new AppError('forbidden', 'this address changes something, and a prefetch or preview may not');
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

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** What a message shows of a header: the host that it names, and nothing else that stands there. */
function shown(value: string | undefined): string {
  if (value === undefined) return '(none)';
  return JSON.stringify((hostnameOf(value) || hostnameOf(`http://${value}`) || '(no host)').slice(0, 100));
}
