import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** An assistant on the web that shows views of MCP Apps: its page, and the page of another origin that its frames are in. */
export interface AppsHost {
  readonly page: string;
  readonly sandbox: string;
  close(): Promise<void>;
}

/** As the revision 2026-01-26 builds it for a view that names no other origin. */
const SANDBOX_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');

/** Passes all on between the two, but for the messages that are its own. */
const SANDBOX = `<!doctype html><html lang="en"><title>Sandbox</title><style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }</style><body><script>
let inner;
addEventListener('message', ({ source, data }) => {
  if (source === parent) {
    if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner?.contentWindow.postMessage(data, '*');
    inner = document.createElement('iframe');
    inner.title = 'The view';
    inner.setAttribute('sandbox', 'allow-scripts');
    inner.srcdoc = data.params.html;
    document.body.append(inner);
  } else if (source === inner?.contentWindow) parent.postMessage(data, '*');
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script></body></html>`;

const PAGE =
  '<!doctype html><html lang="en"><title>Assistant</title><style>iframe { width: 100%; height: 600px; border: 0 }</style><body><script type="module" src="/host.js"></script></body></html>';

export async function startAppsHost(): Promise<AppsHost> {
  const build = await rolldown({
    input: fileURLToPath(new URL('apps-host-page.ts', import.meta.url)),
    platform: 'browser',
    onLog() {},
  });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  const script = output[0].code;
  const assistant = await serve((path) =>
    path === '/host.js' ? ['text/javascript', script] : ['text/html', PAGE],
  );
  const sandbox = await serve(() => ['text/html', SANDBOX], { 'content-security-policy': SANDBOX_POLICY });
  return {
    page: assistant.url,
    sandbox: sandbox.url.replace('127.0.0.1', 'localhost'),
    async close() {
      for (const { server } of [assistant, sandbox]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

async function serve(
  answer: (path: string) => readonly [type: string, text: string],
  headers: Readonly<Record<string, string>> = {},
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const [type, text] = answer(request.url ?? '/');
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
