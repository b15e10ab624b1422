import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

const CALLBACK = 'http://127.0.0.1:1/callback';

/** What an MCP client keeps of its authorization; the address of the page that the user is sent to is kept too. */
export interface Holder extends OAuthClientProvider {
  /** Where the browser was sent, in order. */
  readonly sent: URL[];
  held: OAuthTokens | undefined;
}

export function createHolder(): Holder {
  let client: OAuthClientInformationMixed | undefined;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  return {
    sent: [],
    held: undefined,
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'Magpie test',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens() {
      return this.held;
    },
    saveTokens(tokens) {
      this.held = tokens;
    },
    redirectToAuthorization(url) {
      this.sent.push(url);
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    discoveryState: () => discovered,
    saveDiscoveryState(state) {
      discovered = state;
    },
  };
}

/** The browser: follows redirects with its cookies until it is back at the client, and gives what it brings. */
export async function browse(url: URL, callback = CALLBACK): Promise<URLSearchParams> {
  const cookies: { readonly pair: string; readonly name: string; readonly path: string }[] = [];
  let at = url;
  for (let hops = 0; hops < 12; hops++) {
    if (at.href.startsWith(callback)) return at.searchParams;
    const cookie = cookies
      .filter(({ path }) => at.pathname.startsWith(path))
      .map(({ pair }) => pair)
      .join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', value] = pair.split('=');
      const path = /;\s*path=([^;]*)/i.exec(set)?.[1] ?? '/';
      const earlier = cookies.findIndex((one) => one.name === name && one.path === path);
      if (earlier >= 0) cookies.splice(earlier, 1);
      if (value !== '') cookies.push({ pair, name, path });
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`${at.pathname} answers ${response.status}: ${await response.text()}`);
    at = new URL(location, at);
  }
  throw new Error('redirected without end');
}

export type Era = '2025' | '2026';

/** A client of that era, connected once the user has agreed in the browser. */
export async function connectByOAuth(
  server: string,
  holder: Holder,
  era: Era,
  path = '/mcp',
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  for (let tries = 0; ; tries++) {
    const client = new Client(
      { name: 'magpie-test', version: '1.0.0' },
      era === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    const transport = new StreamableHTTPClientTransport(new URL(path, server), { authProvider: holder });
    try {
      await client.connect(transport);
      return { client, transport };
    } catch (error) {
      if (tries > 0 || !needsUser(error)) throw error;
      await agreeInBrowser(transport, holder);
    }
  }
}

/** Follows the newest page that the user was sent to, and brings its code back. */
export async function agreeInBrowser(
  transport: StreamableHTTPClientTransport,
  holder: Holder,
): Promise<void> {
  const page = holder.sent.at(-1);
  if (!page) throw new Error('nobody was sent to a page');
  await transport.finishAuth(await browse(page));
}

/** Whether an error of the client says that the user has to agree first. */
export function needsUser(error: unknown): boolean {
  for (let at = error; at instanceof Error; ) {
    if (at instanceof UnauthorizedError) return true;
    const { data } = at as { data?: { cause?: unknown } };
    at = data?.cause ?? at.cause;
  }
  return false;
}
