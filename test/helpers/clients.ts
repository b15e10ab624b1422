import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MAIN } from './magpie.ts';
import { runStdio } from './stdio-run.ts';

/** The part of both SDKs' clients that the tests use. */
export type AnyClient = Pick<
  Client,
  | 'listTools'
  | 'callTool'
  | 'listPrompts'
  | 'getPrompt'
  | 'listResources'
  | 'readResource'
  | 'complete'
  | 'getInstructions'
  | 'close'
>;

const INFO = { name: 'magpie-test', version: '1.0.0' };
const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

/** How to reach a running server, or what to start over stdio. */
export interface Target {
  readonly url: string;
  readonly env: Record<string, string>;
}

/**
 * Every way a real client connects: both SDKs, both protocol eras, both transports. Over stdio one of them starts a process,
 * and the others the same program in this process.
 */
export const CONNECTIONS: Readonly<Record<string, (target: Target) => Promise<AnyClient>>> = {
  'stdio, 2025 era, v2 client': async ({ env }) => {
    const client = new Client(INFO);
    await client.connect(runStdio(env).transport);
    return client;
  },
  'stdio, 2026 era, v2 client': async ({ env }) => {
    const client = new Client(INFO, MODERN);
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [MAIN, 'stdio'], env, stderr: 'ignore' }),
    );
    return client;
  },
  'stdio, v1 client': async ({ env }) => {
    const client = new ClientV1(INFO);
    await client.connect(runStdio(env).transport as Parameters<ClientV1['connect']>[0]);
    return likeV2(client);
  },
  'HTTP, 2025 era, v2 client': async ({ url }) => {
    const client = new Client(INFO);
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    return client;
  },
  'HTTP, 2026 era, v2 client': async ({ url }) => {
    const client = new Client(INFO, MODERN);
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    return client;
  },
  'HTTP, v1 client': async ({ url }) => {
    const client = new ClientV1(INFO);
    await client.connect(new HttpV1(new URL('/mcp', url)) as Parameters<ClientV1['connect']>[0]);
    return likeV2(client);
  },
};

/** v1 takes a result schema between a call's parameters and its options. */
function likeV2(client: ClientV1): AnyClient {
  const callTool = client.callTool.bind(client);
  return Object.assign(client, {
    callTool: (params: Parameters<typeof callTool>[0], options: Parameters<typeof callTool>[2]) =>
      callTool(params, undefined, options),
  }) as unknown as AnyClient;
}
