/** One call over REST, or over MCP in either era, by raw HTTP: how it ended is judged to the letter. */

export const SURFACES = ['rest', 'mcp2025', 'mcp2026'] as const;
export type Surface = (typeof SURFACES)[number];

/**
 * `unavailable` is a 503 as it has to be, or a tool's error that says when to try again; `gone` a connection that was refused or
 * broke; `late` no answer in time; `wrong` everything else.
 */
export type Outcome = 'ok' | 'unavailable' | 'gone' | 'late' | 'wrong';

export interface Answered {
  readonly outcome: Outcome;
  /** The operation's output, where it is `ok`. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** What came in its place. */
  readonly detail?: string;
}

/** Milliseconds after which a client gives up: four times a wait for a connection and a statement, since a machine may be busy. */
const DEADLINE_MS = 180_000;

export interface Line {
  /** The node's address at present. */
  readonly url: () => string;
  readonly key: string;
}

export type Call = (operation: string, input: Readonly<Record<string, unknown>>) => Promise<Answered>;

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Resolves with how the call ended, whatever it was. */
async function exchange(
  address: string,
  init: RequestInit,
  judge: (got: Got) => Answered,
): Promise<Answered> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await fetch(address, { ...init, signal: deadline });
    const text = await response.text();
    return judge({ status: response.status, headers: response.headers, text });
  } catch (error) {
    const detail = `${init.method} ${address}: ${causeOf(error)}`;
    return { outcome: deadline.aborted ? 'late' : 'gone', detail };
  }
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

const wrong = ({ status, text }: Got): Answered => ({
  outcome: 'wrong',
  detail: `${status} ${text.slice(0, 500)}`,
});

/** An error of the edge: status, header and body in the form of the surface. */
function judgeRefusal(got: Got, messageOf: (body: Body) => unknown): Answered {
  const { status, headers, text } = got;
  if (status !== 503 || !/^[1-9]\d*$/.test(headers.get('retry-after') ?? '')) return wrong(got);
  if (!/^application\/(?:problem\+)?json/.test(headers.get('content-type') ?? '')) return wrong(got);
  const message = messageOf(JSON.parse(text));
  if (typeof message !== 'string' || message === '') return wrong(got);
  return { outcome: 'unavailable', detail: `${status} ${message}` };
}

interface Body {
  readonly error?: string | { readonly message?: string; readonly data?: { readonly retryAfter?: number } };
}

/** Paths of the operations that clients call. */
const ROUTES: Readonly<Record<string, readonly [method: 'GET' | 'POST', path: string]>> = {
  upsert: ['POST', '/upsertjson'],
  query: ['GET', '/query'],
  deleteEntry: ['POST', '/deleteEntry'],
  listEntries: ['GET', '/listEntries'],
  scan: ['POST', '/v1/scan'],
  getScan: ['GET', '/v1/scan/'],
};

export function restCalls({ url, key }: Line): Call {
  return (operation, input) => {
    const [method, path] = ROUTES[operation] ?? ['GET', `/${operation}`];
    const address = new URL(operation === 'getScan' ? `${path}${input.scan_id}` : path, url());
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (method === 'GET' && operation !== 'getScan') {
      for (const [name, value] of Object.entries(input)) address.searchParams.set(name, String(value));
    }
    const body = method === 'POST' ? JSON.stringify(input) : null;
    if (body !== null) headers['content-type'] = 'application/json';
    return exchange(address.href, { method, headers, body }, (got) => {
      if (got.status !== 200 && got.status !== 202) return judgeRefusal(got, ({ error }) => error);
      return { outcome: 'ok', output: JSON.parse(got.text) };
    });
  };
}

interface Message {
  readonly id?: unknown;
  readonly error?: { readonly message: string; readonly data?: unknown };
  readonly result?: {
    readonly isError?: boolean;
    readonly content: readonly { readonly text?: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
}

/** The answer to a message, from JSON or from a stream of events. */
function messageIn({ headers, text }: Got, id: number): Message | undefined {
  if (headers.get('content-type')?.startsWith('application/json')) return JSON.parse(text);
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Message);
  return events.find((message) => message.id === id);
}

const AGAIN = /\(try again in [1-9]\d* s\)$/;

function judgeTool(got: Got, id: number): Answered {
  if (got.status !== 200) {
    return judgeRefusal(got, ({ error }) =>
      typeof error === 'object' && (error.data?.retryAfter ?? 0) > 0 ? error.message : undefined,
    );
  }
  const message = messageIn(got, id);
  // The stream ended before the answer came: its node has.
  if (!message) return { outcome: 'gone', detail: `no answer in ${JSON.stringify(got.text.slice(0, 200))}` };
  const { result } = message;
  if (!result) return wrong(got);
  if (!result.isError) return { outcome: 'ok', output: result.structuredContent ?? {} };
  const said = result.content[0]?.text ?? '';
  return AGAIN.test(said) ? { outcome: 'unavailable', detail: said } : wrong(got);
}

const POST = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INFO = { name: 'load', version: '1' };

function send(
  { url, key }: Line,
  headers: Readonly<Record<string, string>>,
  message: { readonly method: string; readonly params: object },
  id: number,
  judge: (got: Got) => Answered,
): Promise<Answered> {
  const init = {
    method: 'POST',
    headers: { ...POST, ...headers, authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id, ...message }),
  };
  return exchange(new URL('/mcp', url()).href, init, judge);
}

/** Without state: each call says who it is. */
export function mcp2026Calls(line: Line): Call {
  let id = 0;
  return (name, input) => {
    const own = ++id;
    const method = 'tools/call';
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': INFO,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { method, params: { name, arguments: input, _meta } };
    return send(line, headers, message, own, (got) => judgeTool(got, own));
  };
}

/** In one session for as long as it lives, at whichever node. */
export function mcp2025Calls(line: Line): Call {
  const protocolVersion = '2025-11-25';
  let id = 0;
  let session: string | undefined;

  async function begin(): Promise<Answered> {
    const own = ++id;
    const params = { protocolVersion, capabilities: {}, clientInfo: INFO };
    return send(line, {}, { method: 'initialize', params }, own, (got) => {
      if (got.status !== 200) return judgeTool(got, own);
      session = got.headers.get('mcp-session-id') ?? undefined;
      if (session === undefined) return wrong(got);
      return messageIn(got, own)?.result ? { outcome: 'ok' } : { outcome: 'gone', detail: 'no answer' };
    });
  }

  return async (name, input) => {
    if (session === undefined) {
      const begun = await begin();
      if (begun.outcome !== 'ok') {
        session = undefined;
        return begun;
      }
    }
    const own = ++id;
    const headers = { 'mcp-protocol-version': protocolVersion, 'mcp-session-id': session ?? '' };
    const message = { method: 'tools/call', params: { name, arguments: input } };
    return send(line, headers, message, own, (got) => judgeTool(got, own));
  };
}

export const CALLS: Readonly<Record<Surface, (line: Line) => Call>> = {
  rest: restCalls,
  mcp2025: mcp2025Calls,
  mcp2026: mcp2026Calls,
};
