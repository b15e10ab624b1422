import { createHash, randomBytes } from 'node:crypto';
import {
  Client,
  type FetchLike,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { withoutModel } from './embeddings-api.ts';
import { freePort } from './free-port.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from './magpie.ts';
import { type Era, type Holder, needsUser } from './oauth-client.ts';

/** A server at which apps sign in, and keys for its users. */
export interface SignInServer extends Running {
  readonly env: Record<string, string>;
  makeKey(user: string, scope?: string): Promise<{ readonly id: string; readonly key: string }>;
  close(): Promise<void>;
}

export async function startSignInServer(settings: Record<string, string> = {}): Promise<SignInServer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const env = {
    ...environment(folder.path),
    ...(await withoutModel()),
    MAGPIE_PORT: String(port),
    MAGPIE_OAUTH: 'builtin',
    MAGPIE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...settings,
  };
  const magpie = await startMagpie(env);
  return {
    ...magpie,
    env,
    async makeKey(user, scope = 'read,write') {
      const made = await runMagpie(['key', 'create', '--scope', scope, '--user', user, '--json'], env);
      return JSON.parse(made.stdout) as { id: string; key: string };
    },
    async close() {
      await magpie.stop();
      folder.remove();
    },
  };
}

export interface ConsentAnswer {
  readonly key?: string;
  readonly decision?: 'allow' | 'refuse';
  /** Boxes that are ticked, in place of those that the page ticks. */
  readonly scopes?: readonly string[];
  readonly headers?: Record<string, string>;
  readonly cookie?: string;
  readonly request?: string;
  /** Asks at another address than that of the page, as where a proxy is. */
  readonly fetch?: typeof fetch;
}

/** What a browser without scripts does on the consent page: opens it, fills in the form, and sends it. */
export async function answerConsent(
  url: URL | string,
  { key = '', decision = 'allow', scopes, headers, cookie, request, fetch = globalThis.fetch }: ConsentAnswer,
): Promise<Response> {
  const page = await fetch(url, { redirect: 'manual' });
  const text = await page.text();
  if (page.status !== 200) throw new Error(`the page answers ${page.status}: ${text}`);
  const own = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const ticked = [...text.matchAll(/name="scope-(\w+)" value="1" checked/g)].map(([, name = '']) => name);
  const body = new URLSearchParams({
    request: request ?? /name="request" value="([^"]+)"/.exec(text)?.[1] ?? '',
    ...Object.fromEntries((scopes ?? ticked).map((name) => [`scope-${name}`, '1'])),
    key,
    decision,
  });
  const { origin } = new URL(url);
  const asBrowser = { origin, 'sec-fetch-site': 'same-origin', cookie: cookie ?? own.join('; ') };
  const action = new URL(/<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? '', origin);
  return fetch(action, { method: 'POST', body, redirect: 'manual', headers: { ...asBrowser, ...headers } });
}

/** The address of the app that the browser is led to. */
export async function leadsTo(answer: Response): Promise<URL> {
  const text = await answer.text();
  const [, address] = /^0; url=(.+)$/.exec(answer.headers.get('refresh') ?? '') ?? [];
  if (address === undefined) throw new Error(`the page answers ${answer.status}: ${text}`);
  return new URL(address);
}

/** An MCP client of that era, connected once the user has let it in with the key. */
export async function signInApp(
  server: string,
  holder: Holder,
  era: Era,
  consent: ConsentAnswer,
  path = '/mcp',
): Promise<Client> {
  for (let tries = 0; ; tries++) {
    const pin = era === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
    const client = new Client({ name: 'magpie-test', version: '1.0.0' }, pin);
    const authProvider: OAuthClientProvider = holder;
    const by = consent.fetch ? { authProvider, fetch: consent.fetch as FetchLike } : { authProvider };
    const transport = new StreamableHTTPClientTransport(new URL(path, server), by);
    try {
      await client.connect(transport);
      return client;
    } catch (error) {
      if (tries > 0 || !needsUser(error)) throw error;
      const page = holder.sent.at(-1);
      if (!page) throw new Error('nobody was sent to a page', { cause: error });
      await transport.finishAuth((await leadsTo(await answerConsent(page, consent))).searchParams);
    }
  }
}

const CALLBACK = 'http://127.0.0.1:1/callback';

/** An app that speaks the protocol itself, so that it can do what no client library does. */
export async function createPlainApp(server: string, redirectUri = CALLBACK) {
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(new URL(path, server), { method: 'POST', body: new URLSearchParams(fields), headers });
  const register = (body: unknown) =>
    fetch(new URL('/register', server), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const registered = await register({ client_name: 'Plain app', redirect_uris: [redirectUri] });
  const { client_id: id } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const address = (more: Record<string, string | undefined> = {}) => {
    const parameters = {
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: 'read write',
      state: 'the-state',
      ...more,
    };
    const url = new URL('/authorize', server);
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  };
  const codeFor = async (key: string, more?: Record<string, string>) =>
    (await leadsTo(await answerConsent(address(more), { key }))).searchParams.get('code') ?? '';
  const redeem = (code: string, more: Record<string, string> = {}) =>
    post('/token', {
      grant_type: 'authorization_code',
      code,
      client_id: id,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...more,
    });
  const refresh = (token: string, more: Record<string, string> = {}) =>
    post('/token', { grant_type: 'refresh_token', refresh_token: token, client_id: id, ...more });
  const tokens = async (key: string) => (await (await redeem(await codeFor(key))).json()) as AppTokens;
  return { id, verifier, challenge, post, register, address, codeFor, redeem, refresh, tokens };
}

export interface AppTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}
