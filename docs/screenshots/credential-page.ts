import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The page on which a user types a platform's key, as a call of an assistant opens it; the call waits until `close`. */
export async function openCredentialPage(
  url: string,
  key: string,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const client = new Client(
    { name: 'an assistant', version: '1' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const address = new Promise<string>((resolve) => {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      resolve((params as { url: string }).url);
      return { action: 'accept' };
    });
  });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  const q = 'Watch https://birdnews.example/ and tell me when the headings change';
  const call = client.callTool({ name: 'automationrpa', arguments: { q, platform: 'n8n' } });
  call.catch(() => {});
  return {
    address: await Promise.race([
      address,
      call.then((result) => {
        throw new Error(`no page is opened: ${JSON.stringify(result)}`);
      }),
    ]),
    close: () => client.close(),
  };
}
