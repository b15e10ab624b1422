import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { SCOPES, type Scope } from '../../caller.ts';
import type { AppError } from '../../errors.ts';
import type { Catalog } from '../../operation.ts';
import type { Edge } from './edge.ts';

/** Where RFC 9728 puts the metadata of a resource without a path. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The authorization server whose access tokens this server accepts. */
export interface OAuthOptions {
  readonly issuer: string;
  /** Address under which clients reach this server, without a slash at its end. */
  url(): Promise<string>;
}

/** The address that tokens are for (RFC 8707's resource): the MCP endpoint, for REST as well. */
export function resourceOf(url: string): string {
  return `${url}/mcp`;
}

/** The scopes that a catalog's operations need, in the order of `SCOPES`. */
function scopesIn({ operations }: Catalog): Scope[] {
  const needed = new Set(operations.map(({ scope }) => scope));
  return SCOPES.filter((scope) => needed.has(scope));
}

/** An MCP endpoint, and the scopes that are of use there. */
export interface TokenPath {
  readonly path: string;
  readonly scopes: readonly Scope[];
}

/** The endpoint of the catalog first; those of connectors only read. */
export function tokenPaths(catalog: Catalog, connectors: Iterable<string> = []): readonly TokenPath[] {
  const reading = Array.from(connectors, (path): TokenPath => ({ path, scopes: ['read'] }));
  return [{ path: '/mcp', scopes: scopesIn(catalog) }, ...reading];
}

/**
 * The metadata by which a client finds the authorization server (RFC 9728), at the root and at the paths of
 * the MCP endpoints. Anyone may read it, pages of other origins included. It does not exist without an issuer.
 * The resource is the same one for all paths, which lie below it: an issuer has to know one address.
 */
export function createResourceMetadata(
  endpoints: readonly TokenPath[],
  oauth: OAuthOptions | undefined,
): Hono<Edge> {
  const app = new Hono<Edge>();
  if (oauth) {
    const [first] = endpoints;
    const places = [{ path: '', scopes: first?.scopes ?? [] }, ...endpoints];
    for (const { path: below, scopes } of places) {
      const path = `${RESOURCE_METADATA}${below}`;
      app.use(path, cors({ origin: '*', allowMethods: ['GET', 'HEAD'], maxAge: 3600 }));
      app.get(path, async (c) =>
        c.json(
          {
            resource: resourceOf(await oauth.url()),
            authorization_servers: [oauth.issuer],
            scopes_supported: scopes,
            bearer_methods_supported: ['header'],
            resource_name: 'Magpie',
          },
          200,
          { 'Cache-Control': 'public, max-age=300', 'Cross-Origin-Resource-Policy': 'cross-origin' },
        ),
      );
    }
  }
  // Clients ask here before they have a key: what does not exist must not be answered like a refusal.
  app.all('/.well-known/*', (c) => c.notFound());
  return app;
}

/** The value of `WWW-Authenticate`; undefined for errors that other credentials would not avoid. */
export type Challenge = (
  error: AppError,
  authorization: string | undefined,
  path: string,
) => Promise<string | undefined>;

/**
 * Challenges by RFC 6750 section 3, with the place of the metadata (RFC 9728 section 5.1). A missing scope
 * is named alone, as MCP's revision 2026-07-28 asks: the client adds it to those it has. A client without a valid
 * credential gets all the scopes that are of use here, since tools beyond a client's scopes are not listed to it, so
 * that it would never ask for them.
 */
export function createChallenge(endpoints: readonly TokenPath[], oauth: OAuthOptions | undefined): Challenge {
  return async ({ code, scope }, authorization, path) => {
    const endpoint = endpoints.find((one) => one.path === path) ?? endpoints[0];
    const parameters = ['realm="magpie"'];
    if (scope !== undefined) parameters.push('error="insufficient_scope"', `scope="${scope}"`);
    else if (code !== 'unauthenticated') return undefined;
    else {
      if (authorization !== undefined) parameters.push('error="invalid_token"');
      if (oauth) parameters.push(`scope="${endpoint?.scopes.join(' ')}"`);
    }
    if (oauth) {
      parameters.push(`resource_metadata="${await oauth.url()}${RESOURCE_METADATA}${endpoint?.path}"`);
    }
    return `Bearer ${parameters.join(', ')}`;
  };
}
