import { vi } from 'vitest';

/** Streams of changes by raw HTTP, in both protocol eras: a client would open them anew behind the test's back. */

const POST = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const VERSION = '2026-07-28';

/** What a stream has said, until it is over. */
export interface Stream {
  text(): string;
  /** Resolves when the server has ended it cleanly; rejects when the connection broke. */
  readonly over: Promise<void>;
  close(): void;
}

export function send(url: string, message: object, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify(Array.isArray(message) ? message : { jsonrpc: '2.0', ...message });
  return fetch(`${url}/mcp`, { method: 'POST', headers: { ...POST, ...headers }, body });
}

/** Begins a session of a 2025 client, subscribed to `kb://stats`; gives the headers of its requests. */
export async function beginSession(
  url: string,
  headers: Record<string, string>,
  protocolVersion = '2025-11-25',
): Promise<Record<string, string>> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const begun = await send(url, { id: 0, method: 'initialize', params }, headers);
  await begun.text();
  const id = begun.headers.get('mcp-session-id') ?? '';
  const session = { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion };
  await send(url, { method: 'notifications/initialized' }, session);
  const subscribe = { id: 1, method: 'resources/subscribe', params: { uri: 'kb://stats' } };
  await (await send(url, subscribe, session)).text();
  return session;
}

/** The stream of a session. */
export function openSession(url: string, session: Record<string, string>): Promise<Stream> {
  return stream(`${url}/mcp`, { headers: { ...session, accept: 'text/event-stream' } });
}

/** A stream of the 2026 revision that asks for `kb://stats`. */
export function listen(url: string, headers: Record<string, string>): Promise<Stream> {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: ['kb://stats'] },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': VERSION,
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const all = { ...POST, ...headers, 'mcp-protocol-version': VERSION, 'mcp-method': message.method };
  return stream(`${url}/mcp`, { method: 'POST', headers: all, body: JSON.stringify(message) });
}

/** Until it holds, for as long as a busy machine may take. */
export function waitFor(holds: () => boolean): Promise<void> {
  return vi.waitFor(
    () => {
      if (!holds()) throw new Error('it does not hold yet');
    },
    { timeout: 60_000, interval: 20 },
  );
}

async function stream(url: string, init: RequestInit): Promise<Stream> {
  const leave = new AbortController();
  const response = await fetch(url, { ...init, signal: leave.signal });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  const over = read();
  // One that the test leaves is of no interest.
  over.catch(() => {});
  return { text: () => text, over, close: () => leave.abort() };
}
