import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { ACCESS_SCOPES, type AccessScope } from '../../caller.ts';
import type { AppError } from '../../errors.ts';
import type { OperationCatalog } from '../../operation.ts';
import metadata from './authorization-metadata.json' with { type: 'json' };
import type { HttpEnv } from './edge.ts';

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';
/** Where apps register, redeem codes and end tokens, if the authorization server is built in. */
export const APP_ENDPOINTS = { registration: '/register', token: '/token', revocation: '/revoke' } as const;
export const AUTHORIZATION_PATH = '/authorize';
const ANY_ORIGIN: ReadonlySet<string> = new Set([SERVER_METADATA_PATH, ...Object.values(APP_ENDPOINTS)]);

/** Returns true for addresses that pages of every origin may ask: they need no cookie, and send none. */
export const isForAnyOrigin = (path: string): boolean =>
  path.startsWith(RESOURCE_METADATA_PATH) || ANY_ORIGIN.has(path);

export interface OAuthOptions {
  readonly issuer: string;
  url(): Promise<string>;
  /** True if the authorization server is built in. */
  readonly builtIn?: boolean;
}

/** Returns the URL of the resource for which tokens are issued (RFC 8707). REST accepts the same tokens. */
export const oauthResourceUrl = (url: string): string => `${url}/mcp`;

function scopesIn({ operations }: OperationCatalog): AccessScope[] {
  const needed = new Set(operations.map(({ scope }) => scope));
  return ACCESS_SCOPES.filter((scope) => needed.has(scope));
}

export interface ProtectedEndpoint {
  readonly path: string;
  readonly scopes: readonly AccessScope[];
}

export function listProtectedEndpoints(
  catalog: OperationCatalog,
  connectors: Iterable<string> = [],
): readonly ProtectedEndpoint[] {
  const reading = Array.from(connectors, (path): ProtectedEndpoint => ({ path, scopes: ['read'] }));
  return [{ path: '/mcp', scopes: scopesIn(catalog) }, ...reading];
}

const FOR_ANY_ORIGIN = cors({ origin: '*', allowMethods: ['GET', 'HEAD'], maxAge: 3600 });
const PUBLIC_METADATA = {
  'Cache-Control': 'public, max-age=300',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Serves the metadata of the built-in authorization server (RFC 8414). */
function addServerMetadata(app: Hono<HttpEnv>, issuer: string, scopes: readonly AccessScope[]): void {
  const endpoints = Object.entries({ authorization: AUTHORIZATION_PATH, ...APP_ENDPOINTS });
  app.on('ALL', SERVER_METADATA_PATH, FOR_ANY_ORIGIN);
  app.get(SERVER_METADATA_PATH, (c) =>
    c.json(
      {
        issuer,
        ...Object.fromEntries(endpoints.map(([name, path]) => [`${name}_endpoint`, `${issuer}${path}`])),
        scopes_supported: scopes,
        protected_resources: [oauthResourceUrl(issuer)],
        ...metadata,
      },
      200,
      PUBLIC_METADATA,
    ),
  );
}

/** Serves metadata by which clients find the authorization server (RFC 9728), or 404 without an issuer. */
export function createOAuthMetadata(
  endpoints: readonly ProtectedEndpoint[],
  oauth: OAuthOptions | undefined,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  if (oauth) {
    const [first] = endpoints;
    const places = [{ path: '', scopes: first?.scopes ?? [] }, ...endpoints];
    for (const { path: below, scopes } of places) {
      const path = `${RESOURCE_METADATA_PATH}${below}`;
      const both = [path, `${path}/`];
      app.on('ALL', both, FOR_ANY_ORIGIN);
      app.on('GET', both, async (c) =>
        c.json(
          {
            resource: oauthResourceUrl(await oauth.url()),
            authorization_servers: [oauth.issuer],
            scopes_supported: scopes,
            bearer_methods_supported: ['header'],
            resource_name: 'Magpie',
          },
          200,
          PUBLIC_METADATA,
        ),
      );
    }
    if (oauth.builtIn) addServerMetadata(app, oauth.issuer, first?.scopes ?? []);
  }
  // Clients request these documents before they have a key, so the status must not be 401.
  app.all('/.well-known/*', (c) => c.notFound());
  return app;
}

export type ChallengeWriter = (
  error: AppError,
  credential: string | undefined,
  path: string,
) => Promise<string | undefined>;

/** Creates a writer of `WWW-Authenticate` headers with the required scopes (RFC 6750, section 3). */
export function createChallengeWriter(
  endpoints: readonly ProtectedEndpoint[],
  oauth: OAuthOptions | undefined,
): ChallengeWriter {
  return async ({ code, scope }, credential, path) => {
    const endpoint = endpoints.find((one) => one.path === path.replace(/\/$/, '')) ?? endpoints[0];
    const parameters = ['realm="magpie"'];
    if (scope !== undefined) parameters.push('error="insufficient_scope"', `scope="${scope}"`);
    else if (code !== 'unauthenticated') return undefined;
    else {
      if (credential !== undefined) parameters.push('error="invalid_token"');
      if (oauth) parameters.push(`scope="${endpoint?.scopes.join(' ')}"`);
    }
    if (oauth) {
      parameters.push(`resource_metadata="${await oauth.url()}${RESOURCE_METADATA_PATH}${endpoint?.path}"`);
    }
    return `Bearer ${parameters.join(', ')}`;
  };
}
