import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  base64url,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose';

/** What a provider does otherwise than a good one. */
export interface Script {
  /** Members of its metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Parameters that the browser brings back; '' leaves one out. */
  readonly answer?: Readonly<Record<string, string>>;
  /** Claims of the ID token; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** How that token is signed: not at all, with its public key as a secret, with a key of someone else, or with a new one of its own. */
  readonly signed?: 'none' | 'public' | 'foreign' | 'rotated';
  /** Granted scopes; left out of the answer where it is null. */
  readonly scope?: string | null;
  /** How the client is registered. */
  readonly authentication?: 'basic' | 'post';
  /** What the endpoint of tokens does. */
  readonly tokens?: 'silent' | 'broken' | 'without ID token' | 'redirect';
}

/** An OpenID provider on loopback that signs everyone in at once, and takes a code as often as it comes. */
export interface ScriptedProvider {
  readonly issuer: string;
  /** Parameters of each authorization, and of each request for tokens. */
  readonly asked: URLSearchParams[];
  readonly redeemed: URLSearchParams[];
  script: Script;
  /** An access token for this audience. */
  accessToken(audience: string, scope: string): Promise<string>;
  close(): Promise<void>;
}

export const SECRET = 'of the client & nobody else: +%';
export const CLIENT = 'magpie-console';
const ALG = 'ES256';

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  let [own, foreign] = await Promise.all([generateKeyPair(ALG), generateKeyPair(ALG)]);
  let kid = 'first';
  /** What each code was given out for. */
  const codes = new Map<string, URLSearchParams>();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: ScriptedProvider = {
    issuer,
    asked: [],
    redeemed: [],
    script: {},
    accessToken: (audience, scope) =>
      new SignJWT({ scope })
        .setProtectedHeader({ alg: ALG, kid, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setSubject('ada')
        .setAudience(audience)
        .setExpirationTime('5m')
        .sign(own.privateKey),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', issuer);
    if (url.pathname === '/.well-known/openid-configuration') return json(response, 200, metadata());
    if (url.pathname === '/keys') {
      const key = { ...(await exportJWK(own.publicKey)), kid, alg: ALG, use: 'sig' };
      return json(response, 200, { keys: [key] });
    }
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/token') return giveTokens(request, response);
    return json(response, 404, {});
  }

  function metadata(): Record<string, unknown> {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${issuer}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [ALG, 'RS256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      scopes_supported: ['openid', 'profile', 'read', 'write', 'scan', 'monitor'],
      authorization_response_iss_parameter_supported: true,
      ...self.script.metadata,
    };
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    self.asked.push(asked);
    const code = `code-${codes.size}`;
    codes.set(code, asked);
    const back = new URL(asked.get('redirect_uri') ?? '');
    const answer = { code, state: asked.get('state') ?? '', iss: issuer, ...self.script.answer };
    for (const [name, value] of Object.entries(answer)) if (value !== '') back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  }

  async function giveTokens(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { script } = self;
    const sent = new URLSearchParams(await text(request));
    self.redeemed.push(sent);
    if (script.tokens === 'silent') return;
    if (script.tokens === 'broken') return json(response, 503, {});
    if (script.tokens === 'redirect') return void response.writeHead(302, { location: '/keys' }).end();
    if (!isClient(request, sent, script.authentication)) {
      response.setHeader('www-authenticate', 'Basic realm="clients"');
      return json(response, 401, { error: 'invalid_client' });
    }
    const asked = codes.get(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    if (!asked || asked.get('code_challenge') !== challenge)
      return json(response, 400, { error: 'invalid_grant' });
    const { scope = asked.get('scope') } = script;
    json(response, 200, {
      access_token: 'opaque',
      token_type: 'Bearer',
      expires_in: 300,
      ...(scope === null ? {} : { scope }),
      ...(script.tokens === 'without ID token' ? {} : { id_token: await idToken(asked) }),
    });
  }

  async function idToken(asked: URLSearchParams): Promise<string> {
    const { claims, signed } = self.script;
    const at = Math.floor(Date.now() / 1000);
    const payload: JWTPayload = {
      ...{ iss: issuer, sub: 'ada', aud: CLIENT, iat: at, exp: at + 300 },
      ...{ nonce: asked.get('nonce') ?? '', preferred_username: 'Ada <b>Lovelace</b>' },
      ...claims,
    };
    if (signed === 'none') return `${part({ alg: 'none' })}.${part(JSON.parse(JSON.stringify(payload)))}.`;
    if (signed === 'rotated') [own, kid] = [await generateKeyPair(ALG), crypto.randomUUID()];
    if (signed === 'public') {
      const secret = new TextEncoder().encode(await exportSPKI(own.publicKey));
      return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid }).sign(secret);
    }
    const key: CryptoKey = signed === 'foreign' ? foreign.privateKey : own.privateKey;
    return new SignJWT(payload).setProtectedHeader({ alg: ALG, kid }).sign(key);
  }

  return self;
}

function part(value: unknown): string {
  return base64url.encode(JSON.stringify(value));
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Whether a request is the client's, in the one way that it is registered with; a public client sends its id alone. */
function isClient(
  { headers }: IncomingMessage,
  sent: URLSearchParams,
  authentication: Script['authentication'],
): boolean {
  if (authentication === 'post')
    return sent.get('client_id') === CLIENT && sent.get('client_secret') === SECRET;
  if (authentication === undefined) return sent.get('client_id') === CLIENT && !sent.has('client_secret');
  const [id, secret] = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64')
    .toString()
    .split(':');
  const plain = (value = '') => decodeURIComponent(value.replaceAll('+', ' '));
  return plain(id) === CLIENT && plain(secret) === SECRET;
}
