import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

/** A real authorization server on loopback, with dynamic registration, whose user agrees to what the test lets them. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** Scopes that the user agrees to, of those asked for. */
  readonly agreed: Set<string>;
  /** Scopes that each authorization asked for. */
  readonly asked: string[];
  /** Signs with a new key from now on; the earlier one is published no more when `withdraw` is set. */
  rotate(withdraw?: boolean): Promise<void>;
  /** Who logs in at the browser from now on. */
  user: string;
  close(): Promise<void>;
}

export interface AuthorizationServerOptions {
  readonly scopes: readonly string[];
  /** Seconds for which an access token is good. */
  readonly lifetime?: number;
  /** The name of this machine in its issuer; 127.0.0.1 when left out. */
  readonly host?: string;
  /** Clients that are known from the start. */
  readonly clients?: NonNullable<Configuration['clients']>;
}

const ALG = 'RS256';
/** Of the server itself: the user agrees to them always. */
const OWN_SCOPES = ['openid', 'offline_access'];

export async function startAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${options.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  let keys: JWK[] = [await signingKey()];
  let provider = makeProvider(issuer, keys, options);
  let handle: RequestListener = provider.callback();
  const self: AuthorizationServer = {
    issuer,
    agreed: new Set(options.scopes),
    asked: [],
    user: 'ada',
    async rotate(withdraw = false) {
      keys = [await signingKey(), ...(withdraw ? [] : keys)];
      provider = makeProvider(issuer, keys, options);
      handle = provider.callback();
    },
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    agree(provider, self, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  return self;
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALG, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: ALG, use: 'sig' };
}

function makeProvider(
  issuer: string,
  keys: JWK[],
  { scopes, lifetime = 600, clients = [] }: AuthorizationServerOptions,
): Provider {
  const configuration: Configuration = {
    jwks: { keys: keys as NonNullable<Configuration['jwks']>['keys'] },
    cookies: { keys: ['a secret of the test'] },
    scopes: ['offline_access', ...scopes],
    clients,
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, RefreshToken: 600 },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenTTL: lifetime,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: ALG } },
        }),
      },
    },
  };
  return new Provider(issuer, configuration);
}

/** Logs the user in and agrees, as the pages of an authorization server do. */
async function agree(
  provider: Provider,
  { agreed, asked, user }: AuthorizationServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: user } });
  }
  const wanted = String(params.scope ?? '').split(' ');
  asked.push(wanted.join(' '));
  const grant = new provider.Grant({
    accountId: session?.accountId ?? user,
    clientId: String(params.client_id),
  });
  const resource = String(params.resource);
  const no = wanted.filter((scope) => !OWN_SCOPES.includes(scope) && !agreed.has(scope)).join(' ');
  const yes = wanted.filter((scope) => !no.split(' ').includes(scope)).join(' ');
  // A scope that clients may register is one of the server's own as well as the resource's.
  grant.addOIDCScope(yes);
  grant.addResourceScope(resource, yes);
  if (no !== '') {
    grant.rejectOIDCScope(no);
    grant.rejectResourceScope(resource, no);
  }
  const grantId = await grant.save();
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  );
}
