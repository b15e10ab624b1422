import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Starts the real n8n from npm, has Magpie create an automation on it through REST, and waits until it has crawled
 * a local page and notified of its change.
 *
 *     node examples/automation-n8n.ts [version] [folder where n8n is, or is to be, installed]
 *
 * n8n takes 2 GB on disk and some minutes to install. Its trigger is set from 15 minutes to some seconds once the
 * automation is there; nothing else of it is changed.
 */

const [version = '2.41.0', given] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), 'magpie-n8n-'));
const data = mkdtempSync(join(tmpdir(), 'magpie-n8n-data-'));
const children: ChildProcess[] = [];
const began = Date.now();
const say = (text: string) =>
  process.stdout.write(`${((Date.now() - began) / 1000).toFixed(1)} s  ${text}\n`);

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}

/** A program that runs until the end, with what it writes in a file. */
function start(name: string, args: readonly string[], env: Record<string, string>): { said(): string } {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-100_000);
    });
  }
  child.once('exit', (code) => say(`${name} ended with ${code}`));
  children.push(child);
  return { said: () => text };
}

async function until<T>(
  what: string,
  seconds: number,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(250)) {
    const found = await Promise.resolve(look()).catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function json(
  url: string,
  init: RequestInit = {},
): Promise<{ body: Record<string, unknown>; cookie: string }> {
  const response = await fetch(url, {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${init.method ?? 'GET'} ${url.split('?')[0]}: ${response.status} ${text.slice(0, 500)}`);
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return { body: JSON.parse(text) as Record<string, unknown>, cookie };
}

async function main(): Promise<void> {
  if (!existsSync(join(folder, 'node_modules', 'n8n', 'package.json'))) {
    say(`installing n8n ${version} in ${folder}`);
    mkdirSync(folder, { recursive: true });
    // A newer linkedom depends on a package that not every registry has.
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'n8n-try', private: true, overrides: { linkedom: '0.18.12' } }),
    );
    // The install scripts of drivers for databases and queues, which this run does not use, want compilers and downloads.
    await run('npm', ['install', `n8n@${version}`, '--ignore-scripts', '--no-audit', '--no-fund']);
    await run('npm', ['rebuild', 'sqlite3']);
  }
  const installed = (
    JSON.parse(readFileSync(join(folder, 'node_modules', 'n8n', 'package.json'), 'utf8')) as {
      version: string;
    }
  ).version;

  let heading = 'Nests of spring';
  let fetched = 0;
  const notified: Record<string, unknown>[] = [];
  const site = createServer(async (request, response) => {
    if (request.method === 'POST') {
      let text = '';
      for await (const chunk of request) text += chunk;
      notified.push(JSON.parse(text) as Record<string, unknown>);
      return void response.end('{}');
    }
    if (request.url === '/magpies') fetched++;
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Magpies</title><h1>${heading}</h1><p>Text.</p>`);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const local = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

  const [port, broker] = [await freePort(), await freePort()];
  const n8n = `http://127.0.0.1:${port}`;
  const log = start('n8n', [join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'], {
    HOME: data,
    N8N_USER_FOLDER: data,
    N8N_HOST: '127.0.0.1',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(broker),
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
  });
  try {
    // While it starts it answers in words.
    await until('n8n listens', 240, async () => {
      const settings: unknown = await (await fetch(`${n8n}/rest/settings`)).json();
      return settings === undefined ? undefined : true;
    });
    say(`n8n ${installed} listens`);
    const owner = { email: 'ada@example.com', firstName: 'Ada', lastName: 'L', password: 'Magpie-2026-nest' };
    const { cookie } = await json(`${n8n}/rest/owner/setup`, { method: 'POST', body: JSON.stringify(owner) });
    const scopes = [
      'workflow:create',
      'workflow:list',
      'workflow:read',
      'workflow:update',
      'workflow:activate',
      'workflow:deactivate',
      'workflow:delete',
      'credential:create',
      'credential:list',
      'credential:update',
      'credential:delete',
    ];
    const asked = { label: 'magpie', scopes, expiresAt: null };
    const made = await json(`${n8n}/rest/api-keys`, {
      method: 'POST',
      body: JSON.stringify(asked),
      headers: { cookie },
    });
    const { rawApiKey: key } = made.body.data as { rawApiKey: string };
    say('an owner and an API key are there');

    const listens = await freePort();
    const magpie = start('magpie', [fileURLToPath(new URL('../src/main.ts', import.meta.url)), 'serve'], {
      HOME: data,
      MAGPIE_DATA: join(data, 'magpie'),
      MAGPIE_PORT: String(listens),
      MAGPIE_PUBLIC_URL: `http://127.0.0.1:${listens}`,
      MAGPIE_AUTOMATION_PLATFORM: 'n8n',
      MAGPIE_AUTOMATION_URL: n8n,
      MAGPIE_ALLOW_HOSTS: new URL(local).host,
    });
    const base = await until(
      'magpie listens',
      60,
      () => /listening on (http:\/\/\S+)/.exec(magpie.said())?.[1],
    );
    const task = `Watch ${local}/magpies and post to ${local}/notified when the headings change`;
    const order = `${base}/automationrpa?${new URLSearchParams({ q: task, autoplatformteamid: 'personal' })}`;
    const create = async (what = order) => {
      const headers = { 'x-autoplatformapikey': key, 'x-magpiekey': 'magpie_of_no_use' };
      const { body } = await json(what, { headers });
      const [match] = body.matches as {
        id: string;
        items: string;
        active: boolean;
        existing: boolean;
        metadata: { text: string };
      }[];
      if (!match) throw new Error('no match');
      return match;
    };
    const first = await create();
    say(`created: ${JSON.stringify(first)}`);
    if (!first.active || first.existing) throw new Error('it is not active, or was there before');
    const again = await create();
    if (!again.existing || again.id !== first.id) throw new Error('the same task made another automation');
    say('the same task again: the same automation');
    const wrong = await fetch(order, { headers: { 'x-autoplatformapikey': 'wrong' } });
    say(`a wrong key: ${wrong.status} ${await wrong.text()}`);
    const stranger = await fetch(order.replace('personal', 'NoSuchProject'), {
      headers: { 'x-autoplatformapikey': key },
    });
    say(`an unknown project: ${stranger.status} ${await stranger.text()}`);

    const headers = { 'x-n8n-api-key': key };
    const at = `${n8n}/api/v1/workflows/${first.id}`;
    const { body: workflow } = await json(at, { headers });
    const nodes = (workflow.nodes as { type: string; parameters: object }[]).map((node) =>
      node.type.endsWith('scheduleTrigger')
        ? { ...node, parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 3 }] } } }
        : node,
    );
    const { name, connections } = workflow;
    const changed = { name, nodes, connections, settings: { executionOrder: 'v1' } };
    await json(`${at}/deactivate`, { method: 'POST', headers });
    await json(at, { method: 'PUT', headers, body: JSON.stringify(changed) });
    await json(`${at}/activate`, { method: 'POST', headers });
    say('its trigger is set to 3 s');
    if (/unfinished\]$/.test(String(name))) throw new Error(`its name is ${name}`);
    await json(`${at}/deactivate`, { method: 'POST', headers });
    if ((await create()).active) throw new Error('what its user switched off was switched on');
    const half = { ...changed, name: String(name).replace(/\]$/, ' unfinished]') };
    await json(at, { method: 'PUT', headers, body: JSON.stringify(half) });
    const finished = await create();
    const { body: whole } = await json(at, { headers });
    if (!finished.active || whole.active !== true || whole.name !== name)
      throw new Error('it stays half made');
    say(`switched off it is left alone; half made it is switched on: ${finished.items.split('\n')[0]}`);

    const save = order.replace(
      /q=[^&]+/,
      `q=${encodeURIComponent(`Save ${local}/saved to my knowledge base`)}`,
    );
    const remove = async (id: string) => {
      const workflow = `${n8n}/api/v1/workflows/${id}`;
      // n8n deletes none that is active, nor one that was a moment ago.
      await json(`${workflow}/deactivate`, { method: 'POST', headers });
      await until('the workflow is deleted', 60, () => json(workflow, { method: 'DELETE', headers }));
    };
    await remove((await create(save)).id);
    const second = await create(save);
    const { body: kept } = await json(`${n8n}/api/v1/credentials`, { headers });
    const names = (kept.data as { name: string }[]).map((one) => one.name);
    if (!second.active || second.existing || names.length !== 1) throw new Error(`credentials: ${names}`);
    await remove(second.id);
    say('a workflow that saves to the knowledge base, deleted and made again, has one credential');
    await until('the page is crawled three times', 90, () => (fetched >= 3 ? true : undefined));
    if (notified.length > 0) throw new Error(`notified without a change: ${JSON.stringify(notified)}`);
    say(`crawled ${fetched} times without a notification: nothing has changed`);
    heading = 'Nests of autumn';
    const news = await until('the notification of the change', 90, () => notified[0]);
    say(`notified: ${JSON.stringify(news)}`);
    if (!JSON.stringify(news).includes(heading)) throw new Error('the change is not in it');
    const seen = fetched;
    await until('two more runs', 60, () => (fetched >= seen + 2 ? true : undefined));
    if (notified.length !== 1) throw new Error(`notified ${notified.length} times`);
    say('two more runs, and one notification. All is well.');
  } catch (error) {
    say(`the end of n8n's log:\n${log.said().slice(-3000)}`);
    throw error;
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.race([
      Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit'))),
      wait(15_000),
    ]);
    for (const child of children) child.kill('SIGKILL');
    site.close();
    site.closeAllConnections();
    rmSync(data, { recursive: true, force: true });
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

await main();
