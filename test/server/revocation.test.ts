import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { beginSession, listen, openSession, send, waitFor } from '../helpers/mcp-streams.ts';

/** What is open when a key is revoked, or a token over, on a real server; commands run in processes of their own. */

const folder = temporaryFolder();
const { publicKey, privateKey } = await generateKeyPair('ES256');
let issuer: Server;
let embeddings: EmbeddingsApi;
let env: Record<string, string>;
let magpie: Running;

beforeAll(async () => {
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' };
  issuer = createServer((request, response) => {
    const url = issuerUrl();
    const body = request.url === '/jwks' ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/jwks` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  embeddings = await startEmbeddingsApi();
  env = {
    ...environment(folder.path),
    ...embeddings.settings,
    MAGPIE_OAUTH_ISSUER: issuerUrl(),
    MAGPIE_OAUTH_AUDIENCE: 'magpie',
    MAGPIE_ALLOW_HOSTS: '127.0.0.1',
    MAGPIE_PAGE_TIMEOUT: '50000',
  };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  issuer.close();
  await embeddings.close();
  folder.remove();
});

const issuerUrl = () => `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const token = (user: string, lasts: number) =>
  new SignJWT({ scope: 'read write' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer(issuerUrl())
    .setAudience('magpie')
    .setSubject(user)
    .setExpirationTime(Math.ceil(Date.now() / 1000) + lasts)
    .sign(privateKey);
const makeKey = async (user: string) => {
  const made = await runMagpie(['key', 'create', '--scope', 'read,write', '--user', user, '--json'], env);
  return JSON.parse(made.stdout) as { readonly id: string; readonly key: string };
};
const keep = (q: string, credential: string) =>
  fetch(`${magpie.url}/insert?q=${encodeURIComponent(q)}`, { headers: bearer(credential) });

test('a revoked key gets nothing further: its streams end, its session is closed, and another key continues', async () => {
  const [lost, other] = [await makeKey('ada'), await makeKey('ada')];
  const session = await beginSession(magpie.url, bearer(lost.key));
  const streams = {
    old: await openSession(magpie.url, session),
    new: await listen(magpie.url, bearer(lost.key)),
    others: await listen(magpie.url, bearer(other.key)),
  };
  expect((await keep('the first nest', other.key)).status).toBe(200);
  for (const { text } of Object.values(streams)) await waitFor(() => text().includes('kb://stats'));

  expect((await runMagpie(['key', 'revoke', lost.id], env)).code).toBe(0);
  // What is kept from now on is told to who may still hear it.
  const told = [streams.old.text(), streams.new.text()];
  const before = streams.others.text().length;
  expect((await keep('the second nest', other.key)).status).toBe(200);
  await waitFor(() => streams.others.text().slice(before).includes('kb://stats'));
  await Promise.all([streams.old.over, streams.new.over]);
  for (const [at, stream] of [streams.old, streams.new].entries()) {
    expect(stream.text().slice(told[at]?.length)).not.toContain('notifications/resources');
  }

  expect((await send(magpie.url, { id: 9, method: 'ping' }, session)).status).toBe(401);
  const taken = { ...session, ...bearer(other.key) };
  expect((await send(magpie.url, { id: 9, method: 'ping' }, taken)).status).toBe(404);
  streams.others.close();
});

test('a stream ends with its token, without any notification; the session continues with the next token', async () => {
  const session = await beginSession(magpie.url, bearer(await token('bob', 3)));
  const streams = [
    await openSession(magpie.url, session),
    await listen(magpie.url, bearer(await token('bob', 3))),
  ];
  const lasting = await listen(magpie.url, bearer(await token('bob', 600)));
  await Promise.all(streams.map(({ over }) => over));
  const next = await token('bob', 600);
  expect((await send(magpie.url, { id: 9, method: 'ping' }, { ...session, ...bearer(next) })).status).toBe(
    200,
  );
  await keep('a third nest', next);
  await waitFor(() => lasting.text().includes('kb://stats'));
  lasting.close();
});

test('a running call ends when its key is revoked, over REST and MCP, and a call of another key continues', async () => {
  const asked: string[] = [];
  let answerAll = () => {};
  const slow = createServer((request, response) => {
    asked.push(request.url ?? '');
    const before = answerAll;
    answerAll = () => {
      before();
      response.setHeader('content-type', 'text/plain').end('the last word');
    };
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const { port } = slow.address() as AddressInfo;
  const [lost, other] = [await makeKey('cyd'), await makeKey('cyd')];
  const page = (name: string) => ({
    q: `http://127.0.0.1:${port}/${name}`,
    percentile: '100',
    numofpages: '1',
  });
  const read = (name: string, credential: string) =>
    fetch(`${magpie.url}/browseByUrl?${new URLSearchParams(page(name))}`, { headers: bearer(credential) });
  const [rest, others] = [read('rest', lost.key), read('others', other.key)];
  const session = await beginSession(magpie.url, bearer(lost.key));
  const params = { name: 'browseByUrl', arguments: page('mcp') };
  const mcp = send(magpie.url, { id: 5, method: 'tools/call', params }, session);
  const mcpText = mcp.then((response) => response.text()).catch(() => 'closed');
  await waitFor(() => ['/rest', '/mcp', '/others'].every((path) => asked.includes(path)));

  expect((await runMagpie(['key', 'revoke', lost.id], env)).code).toBe(0);
  const refused = await rest;
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { error: 'the credential of this call was revoked while it ran' },
  ]);
  expect(await mcpText).not.toContain('the last word');
  answerAll();
  expect((await others).status).toBe(200);
  expect(await (await others).text()).toContain('the last word');
  slow.close();
  slow.closeAllConnections();
});
