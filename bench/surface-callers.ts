import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Agent } from 'undici';

/** Raw callers: no client library, so that what is measured is the server. */

export const httpCaller = new Agent({ connections: 32 });

const CLIENT = { name: 'bench', version: '1.0.0' };
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};
export const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
};

export interface Started {
  readonly urls: readonly string[];
  readonly pid: number;
  stop(): void;
}

function launch(args: readonly string[], env: NodeJS.ProcessEnv, stdin: 'pipe' | 'ignore'): ChildProcess {
  return spawn(process.execPath, [...args], { env, stdio: [stdin, 'pipe', 'pipe'] });
}

/** A server process, once it has named its addresses. */
export async function start(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Started> {
  const child = launch(args, env, 'ignore');
  let text = '';
  const urls = await new Promise<string[]>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk;
      const [line = ''] = /.*listening on .*\n/.exec(text) ?? [];
      if (line) resolve(line.match(/http:\/\/[\d.:]+/g) ?? []);
    });
    child.once('exit', () => reject(new Error(`the server ended: ${text}`)));
  });
  return { urls, pid: child.pid ?? 0, stop: () => child.kill() };
}

async function post(url: string, headers: Record<string, string>, body: unknown) {
  const response = await httpCaller.request({
    origin: url,
    path: '/mcp',
    method: 'POST',
    headers: { ...ACCEPT, ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}: ${text}`);
  return { text, headers: response.headers };
}

/** One stateless tools/call. */
export function modernCall(url: string): () => Promise<void> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { q: 'hello' }, _meta: META },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
  return async () => {
    const { text } = await post(url, headers, body);
    if (!text.includes('"q":"hello"')) throw new Error(text);
  };
}

/** A tools/call in a session that has been begun. */
export async function legacySession(url: string): Promise<() => Promise<void>> {
  const { headers } = await post(url, {}, INITIALIZE);
  const session = {
    'mcp-session-id': String(headers['mcp-session-id']),
    'mcp-protocol-version': '2025-11-25',
  };
  await post(url, session, { jsonrpc: '2.0', method: 'notifications/initialized' });
  let id = 0;
  return async () => {
    id++;
    const { text } = await post(url, session, {
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { q: 'hello' } },
    });
    if (!text.includes('"q":"hello"')) throw new Error(text);
  };
}

export function plainGet(address: string): () => Promise<void> {
  const { origin, pathname, search } = new URL(address);
  return async () => {
    const response = await httpCaller.request({ origin, path: pathname + search, method: 'GET' });
    const text = await response.body.text();
    if (text !== '{"q":"hello"}') throw new Error(text);
  };
}

/** A stdio server with its handshake done. */
export async function stdioCaller(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = launch(args, env, 'pipe');
  const waiting = new Map<number, (line: string) => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const id = Number(/"id":(\d+)/.exec(line)?.[1]);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  let last = 0;
  const send = (message: Record<string, unknown>) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method: string, params: unknown) =>
    new Promise<string>((resolve) => {
      last++;
      waiting.set(last, resolve);
      send({ id: last, method, params });
    });
  await request('initialize', INITIALIZE.params);
  send({ method: 'notifications/initialized' });
  return {
    list: () => request('tools/list', {}),
    call: async () => {
      const line = await request('tools/call', { name: 'echo', arguments: { q: 'hello' } });
      if (!line.includes('"q":"hello"')) throw new Error(line);
    },
    pid: child.pid ?? 0,
    stop: () => child.kill(),
  };
}

/**
 * Milliseconds of the process's main thread on a processor, by Linux: other work on the machine changes it
 * little.
 */
export function busy(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Milliseconds from the start of a process to its answer to tools/list, and those of its main thread. */
export interface StartTime {
  readonly took: number;
  readonly busy: number;
}

export async function stdioStart(args: readonly string[], env: NodeJS.ProcessEnv): Promise<StartTime> {
  const began = performance.now();
  const { list, pid, stop } = await stdioCaller(args, env);
  await list();
  const time = { took: performance.now() - began, busy: busy(pid) };
  stop();
  return time;
}

export async function httpStart(args: readonly string[], env: NodeJS.ProcessEnv): Promise<StartTime> {
  const began = performance.now();
  const { urls, pid, stop } = await start(args, env);
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const url = urls[0] ?? '';
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...ACCEPT, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } }),
  });
  if (!(await response.text()).includes('"tools"')) throw new Error('no tools');
  const time = { took: performance.now() - began, busy: busy(pid) };
  stop();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return time;
}

/** Resident memory of a process, by Linux. */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
