import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScopeCheck } from '../../../../src/server/mcp/mcp-http.ts';
import { operations } from '../../../../tools/index.ts';
import { type RoomsStack, startRooms } from '../../../helpers/rooms-stack.ts';

/** MCP Apps at the protocol: what a client that shows views is offered, and one that does not is not. */

const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const VIEWED = {
  scan: 'ui://magpie/findings',
  getScan: 'ui://magpie/findings',
  startMonitoring: 'ui://magpie/monitors',
  getMonitoringStatus: 'ui://magpie/monitors',
  listMonitors: 'ui://magpie/monitors',
  checkCompliance: 'ui://magpie/compliance',
  getComplianceCheck: 'ui://magpie/compliance',
};
const ERAS = {
  '2025': {},
  '2026': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const;

let rooms: RoomsStack;
beforeAll(async () => {
  rooms = await startRooms();
});
afterAll(() => rooms.close());

async function connect(era: keyof typeof ERAS, capabilities: object): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { ...ERAS[era], capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', rooms.stack.url)));
  return client;
}

test.each(['2025', '2026'] as const)(
  '%s: tools link to views when the client announces support',
  async (era) => {
    const client = await connect(era, APPS);
    const { tools } = await client.listTools();
    const viewed = tools.flatMap(({ name, _meta }) =>
      _meta?.ui === undefined ? [] : [[name, _meta] as const],
    );
    expect(Object.fromEntries(viewed)).toMatchObject(
      Object.fromEntries(
        Object.entries(VIEWED).map(([name, uri]) => [
          name,
          { ui: { resourceUri: uri }, 'ui/resourceUri': uri },
        ]),
      ),
    );
    for (const uri of new Set(Object.values(VIEWED))) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toHaveLength(1);
      expect(contents[0]).toMatchObject({
        uri,
        mimeType: 'text/html;profile=mcp-app',
        _meta: {
          ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] } },
        },
      });
      const text = (contents[0] as { text: string }).text;
      expect(text).toMatch(/^<!doctype html>/);
      // Complete in itself: nothing names another address.
      expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
        /\b(?:https?|wss?):\/\/|\bsrc=|@import|url\(/,
      );
      expect(Buffer.byteLength(text)).toBeLessThan(25_000);
    }
    await expect(client.readResource({ uri: 'ui://magpie/other' })).rejects.toThrow('there is no resource');
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
    await client.close();
  },
);

test.each(['2025', '2026'] as const)('%s: other clients are shown nothing of views', async (era) => {
  for (const capabilities of [
    {},
    { extensions: { 'io.modelcontextprotocol/ui': {} } },
    { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } } },
    { extensions: { 'org.example/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
  ]) {
    const client = await connect(era, capabilities);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(operations.length);
    expect(tools.filter(({ _meta }) => /\bui\b/.test(Object.keys(_meta ?? {}).join(' ')))).toEqual([]);
    const answer = await client.callTool({ name: 'listMonitors', arguments: {} });
    expect(Object.keys(answer._meta ?? {}).filter((key) => key.startsWith('magpie'))).toEqual([]);
    await client.close();
  }
});

test('the view of an answer gets data that the model does not read', async () => {
  const client = await connect('2026', APPS);
  const { content, structuredContent, _meta } = await client.callTool({
    name: 'listMonitors',
    arguments: {},
  });
  expect(_meta?.['magpie/view']).toEqual({ days: {} });
  expect(JSON.stringify([content, structuredContent])).not.toContain('days');
  await client.close();
});

test('a key without the scope read may read a view, which contains no user data, and nothing else', () => {
  const gate = createScopeCheck(rooms.pipe, new Set());
  const caller = { id: 'ada', via: 'http', scopes: new Set(['monitor'] as const) } as const;
  const read = (uri: unknown) => gate({ method: 'resources/read', params: { uri } }, caller);
  expect(read('ui://magpie/monitors')).toBeUndefined();
  for (const uri of ['kb://entries', 'doc://a.pdf', undefined, 'UI://magpie/monitors']) {
    expect(read(uri)?.code, String(uri)).toBe('forbidden');
  }
});
