import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { exitOf } from '../../test/helpers/exit-of.ts';
import { sampleFiles } from './sample-files.ts';
import { NOTES, PAGES } from './samples.ts';

/** A Magpie with sample data, on a small web of its own. */
export interface Stage {
  readonly url: string;
  close(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const SCENERY = fileURLToPath(new URL('scenery.ts', import.meta.url));

export async function openStage(data: string): Promise<Stage> {
  const web = await openWeb();
  const port = (web.address() as AddressInfo).port;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: data,
    MAGPIE_DATA: data,
    MAGPIE_USER: 'ada',
    MAGPIE_PORT: '0',
    MAGPIE_LOG_LEVEL: 'info',
    MAGPIE_ENGINES: 'searxng,local',
    MAGPIE_SEARXNG_URL: `http://search.example:${port}`,
    MAGPIE_ALLOW_HOSTS: `127.0.0.0/8,${[...new Set(PAGES.map(({ host }) => host)), 'search.example'].map((host) => `${host}:${port}`).join(',')}`,
  };
  const child = spawn(process.execPath, ['--import', SCENERY, MAIN, 'serve'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /listening on (http:\/\/\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`magpie serve ended with ${code}: ${said}`)));
  });
  await furnish(url);
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await exitOf(child);
      web.closeAllConnections();
      web.close();
    },
  };
}

async function openWeb(): Promise<Server> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const address = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (address.hostname === 'search.example') {
      const results = PAGES.map(({ host, path, title, snippet, day }) => ({
        url: `http://${host}:${port}${path}`,
        ...{ title, content: snippet, publishedDate: day, engine: 'sample' },
      }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
      return;
    }
    const page = PAGES.find(({ host, path }) => host === address.hostname && path === address.pathname);
    response
      .writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
      .end(page?.html ?? 'Nothing here.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** What its user keeps. */
async function furnish(url: string): Promise<void> {
  for (const note of NOTES) await call(url, 'upsertjson', note);
  const { status } = (await (await fetch(`${url}/pdfload`)).json()) as { status: { status: string } };
  const pass = /pass=([\w.%-]+\w)/.exec(status.status)?.[1];
  for (const { name, bytes } of await sampleFiles()) {
    const sent = await fetch(`${url}/app/files/${encodeURIComponent(name)}?pass=${pass}`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
    });
    if (sent.status !== 201) throw new Error(`${name} is refused: ${await sent.text()}`);
  }
}

/** Calls an operation over REST. */
export async function call(url: string, operation: string, input: object): Promise<unknown> {
  const response = await fetch(`${url}/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${operation} answers ${response.status}: ${await response.text()}`);
  return response.json();
}
