import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitOf } from '../../test/helpers/exit-of.ts';
import { createCalls } from './calls.ts';
import { openCredentialPage } from './credential-page.ts';
import { makeKeys, writeUse } from './keys-past.ts';
import { sampleFiles } from './sample-files.ts';
import { DELETED, NOTES, PAGES, type SamplePage } from './samples.ts';
import { listen, openWarnStage, writePast } from './warn.ts';
import { furnishWarn } from './warn-calls.ts';

/** A Magpie with sample data, on a small web of its own. */
export interface Stage extends AsyncDisposable {
  readonly url: string;
  /** Keys of who signs in. */
  readonly keys: Readonly<Record<'ada' | 'newcomer', string>>;
  readonly places: Places;
}

/** Where pages are whose address is made at each run: ids of scans, of a check and of a note, and whole addresses. */
export interface Places {
  readonly scan: string;
  readonly earlierScan: string;
  readonly note: string;
  /** Address of a page that was read. */
  readonly page: string;
  readonly check: string;
  readonly upload: string;
  readonly credentials: string;
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const SCENERY = fileURLToPath(new URL('scenery.ts', import.meta.url));
const OWNER = 'ada';

export async function openStage(folder: string): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const web = await openWeb();
  opened.defer(() => closeWeb(web));
  const warn = await openWarnStage(folder);
  opened.defer(() => warn.close());
  const data = join(folder, 'magpie');
  mkdirSync(data);
  const env = { ...(await environment(data, (web.address() as AddressInfo).port)), ...warn.env };
  const keys = await makeKeys(env, OWNER);
  await writeUse(data, OWNER, Date.now());
  await writePast(data, OWNER, warn, Date.now());
  const { url, stop } = await serve(env);
  opened.defer(stop);
  const calls = createCalls(url, keys.ada);
  const note = await furnish(url, calls);
  const warned = await furnishWarn(calls, warn, env);
  const credentials = await openCredentialPage(url, keys.ada);
  opened.defer(credentials.close);
  const upload = await calls.uploadLink();
  const all = opened.move();
  return {
    ...{
      url,
      keys,
      places: { ...warned, note, page: addressOf(PAGES[0], web), upload, credentials: credentials.address },
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function environment(data: string, port: number): Promise<Record<string, string>> {
  const hosts = [...new Set(PAGES.map(({ host }) => host)), 'search.example'];
  return {
    PATH: process.env.PATH ?? '',
    HOME: data,
    MAGPIE_DATA: data,
    MAGPIE_USER: OWNER,
    MAGPIE_PORT: String(await freePort()),
    MAGPIE_LOG_LEVEL: 'debug',
    MAGPIE_ENGINES: 'searxng,local',
    MAGPIE_SEARXNG_URL: `http://search.example:${port}`,
    MAGPIE_ALLOW_HOSTS: `127.0.0.0/8,${hosts.map((host) => `${host}:${port}`).join(',')}`,
  };
}

/** The usual one, where it is free. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 8787);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function serve(env: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
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
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exitOf(child);
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
  await listen(server, 80);
  return server;
}

function closeWeb(web: Server): void {
  web.closeAllConnections();
  web.close();
}

/** Where a page of the small web is. */
function addressOf(page: SamplePage | undefined, web: Server): string {
  const { port } = web.address() as AddressInfo;
  return new URL(page?.path ?? '/', `http://${page?.host}:${port}`).href;
}

/** What its user keeps, has deleted and has read; gives the id of a note. */
async function furnish(url: string, calls: ReturnType<typeof createCalls>): Promise<string> {
  const keep = async (note: object) => ((await calls.post('upsertjson', note)) as { id: string }).id;
  for (const note of DELETED) await calls.post('deleteEntry', { id: await keep(note) });
  const ids: string[] = [];
  for (const note of NOTES) ids.push(await keep(note));
  const pass = /pass=([\w.%-]+\w)/.exec(await calls.uploadLink())?.[1];
  for (const { name, bytes } of await sampleFiles()) {
    const sent = await fetch(`${url}/app/files/${encodeURIComponent(name)}?pass=${pass}`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
    });
    if (sent.status !== 201) throw new Error(`${name} is refused: ${await sent.text()}`);
  }
  // The log has what was refused.
  for (const path of [
    'v1/scan/3f1c5f0a9b7d',
    'browse?q=http%3A%2F%2F192.168.1.1%2F&percentile=3&numofpages=1',
    'v1/monitor/status/office-printer',
  ]) {
    await calls.get(path).catch(() => {});
  }
  await calls.get('search?q=how+do+magpies+recognise+themselves&percentile=3&numofpages=5');
  return ids[1] ?? '';
}
