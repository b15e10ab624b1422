import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visitConsole } from '../../helpers/console-visit.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../../helpers/web.ts';

/** The console over HTTP, as a browser without scripts and as an attacker would use it. */

const folder = temporaryFolder();
let [web, magpie] = [{} as TestWeb, {} as Running];
let env: Record<string, string> = {};

beforeAll(async () => {
  web = await startWeb();
  env = { ...environment(folder.path, web), ...(await withoutModel()) };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await web.close();
  folder.remove();
});

const visit = () => visitConsole(() => magpie.url);

describe('an open server', () => {
  test('a question is answered from the web, from notes, and from both, and sources have their kind and host', async () => {
    const { page, post } = visit();
    await post('/app/notes/add', {
      text: 'My magpie recognised the mirror.',
      title: 'Mirror diary',
      tags: 'birds, diary',
    });
    expect(await page('/app/ask?q=magpie+mirror&web=1')).toMatch(/class="tag">web<\/span>127\.0\.0\.1/);
    expect(await page('/app/ask?q=magpie+mirror&notes=1')).toMatch(/Mirror diary[\s\S]*class="tag">note</);
    const both = await page('/app/ask?q=magpie+mirror');
    expect(both).toContain('class="tag">web<');
    expect(both).toContain('class="tag">note<');
  });

  test('a note is found by tag, changed, deleted, and restored by undo and from the trash', async () => {
    const { page, post } = visit();
    await post('/app/notes/add', { text: 'Rooks nest in colonies.', tags: 'rooks' });
    const listed = await page('/app/notes?tag=rooks');
    expect(listed).toContain('1 note that fit');
    const id = /name="id" value="([^"]+)"/.exec(listed)?.[1] ?? '';
    await post('/app/notes/change', { id, text: 'Rooks nest high.', tags: 'rooks', title: '', source: '' });
    expect(await page(`/app/notes/edit?id=${id}`)).toContain('Rooks nest high.');
    await post('/app/notes/delete', { id });
    expect(await page('/app/notes?tag=rooks')).toContain('No notes here');
    await post('/app/notes/undo', { id });
    expect(await page('/app/notes?tag=rooks')).toContain('Rooks nest high.');
    await post('/app/notes/delete', { id });
    const batch = /name="batch" value="(\d+)"/.exec(await page('/app/notes/trash'))?.[1] ?? '';
    await post('/app/notes/restore', { batch });
    expect(await page('/app/notes?tag=rooks')).toContain('Rooks nest high.');
  });

  test('an export is imported again', async () => {
    const { get, token } = visit();
    const backup = await (await get('/app/notes/export')).text();
    expect(JSON.parse(backup.split('\n')[0] ?? '')).toHaveProperty('text');
    const body = new FormData();
    body.set('form', await token());
    body.set('files', new File([backup], 'backup.jsonl'));
    expect((await get('/app/notes/import', { method: 'POST', body })).status).toBe(303);
    expect(await (await get('/app/notes')).text()).toMatch(/0 notes imported, \d+ were there already/);
  });

  test('text from outside is escaped wherever it is shown', async () => {
    const { page, post } = visit();
    const evil = '"><img src=x onerror=alert(1)>';
    const fields = { text: `evil ${evil}`, title: evil, tags: `evil${evil}`, source: 'javascript:alert(1)' };
    await post('/app/notes/add', fields);
    const listed = await page('/app/notes');
    const id = /name="id" value="([^"]+)"/.exec(listed)?.[1] ?? '';
    const query = encodeURIComponent(`evil ${evil}`);
    const paths = [
      `/app/notes/edit?id=${id}`,
      `/app/notes?q=${query}`,
      `/app/ask?q=${query}&notes=1`,
      `/app/notes?tag=${query}`,
    ];
    for (const shown of [listed, ...(await Promise.all(paths.map(page)))]) {
      expect(shown).not.toContain('<img');
      expect(shown).not.toMatch(/href="javascript:/);
      expect(shown).toContain('&lt;img');
    }
  });

  test('a form without its token, or from another site or origin, changes nothing', async () => {
    const { page, post } = visit();
    const text = 'Planted by another site.';
    const foreign = [
      await post('/app/notes/add', { text, form: '' }),
      await post('/app/notes/add', { text }, { 'sec-fetch-site': 'cross-site' }),
      await post('/app/notes/add', { text }, { 'sec-fetch-site': 'same-site' }),
      await post('/app/notes/add', { text }, { origin: 'https://evil.example' }),
      await post('/app/notes/add', { text }, { origin: 'null' }),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await page('/app/notes')).not.toContain(text);
  });

  test('pages have a strict policy, no framing, a small size, and styles that are cached permanently', async () => {
    const { get } = visit();
    const response = await get('/app/ask');
    const policy = response.headers.get('content-security-policy');
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy).toContain(part);
    }
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text).not.toMatch(/<script>|\sstyle="|\son\w+="|https?:\/\//);
    const assets = [...text.matchAll(/\/app\/assets\/[\w.-]+/g)].map(([path]) => path);
    const loaded = await Promise.all(assets.map((path) => get(path)));
    expect(loaded.map(({ headers }) => headers.get('cache-control'))).toEqual(
      assets.map(() => 'public, max-age=31536000, immutable'),
    );
    const bytes = await Promise.all(loaded.map(async (one) => (await one.text()).length));
    expect(bytes.reduce((sum, one) => sum + one, text.length)).toBeLessThan(100_000);
  });
});

test('a server with keys has a sign-in, follows the scopes of the key, and ends the session with the key', async () => {
  const made = await runMagpie(['key', 'create', '--scope', 'read', '--json'], env);
  const key = /magpie_\w+/.exec(made.stdout)?.[0] ?? '';
  const { jar, get, page, post } = visit();
  await expect.poll(async () => (await get('/app/notes')).status).toBe(401);
  expect(await page('/app/notes')).toContain('Key or access token');

  const refused = await get('/app/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ key: `${key}x` }),
  });
  expect(refused.status).toBe(401);
  expect(jar.size).toBe(0);
  const opened = await get('/app/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ key, next: '//evil.example' }),
  });
  expect(opened.headers.get('location')).toBe('/app/ask');
  expect(opened.headers.get('set-cookie')).toMatch(/Path=\/app; HttpOnly; SameSite=Strict/);
  expect(await page('/app/notes')).toContain('tester');
  expect((await post('/app/notes/add', { text: 'Not with this key.' })).status).toBe(403);

  // A cookie whose facts were changed is of no use.
  const [[name, value] = ['', '']] = [...jar];
  const [facts = '', pass] = value.split('~');
  const more = JSON.stringify({
    ...JSON.parse(Buffer.from(facts, 'base64url').toString()),
    scopes: ['read', 'write'],
  });
  jar.set(name, `${Buffer.from(more).toString('base64url')}~${pass}`);
  expect((await get('/app/notes')).status).toBe(401);
  jar.set(name, value);
  expect((await get('/app/notes')).status).toBe(200);

  await runMagpie(['key', 'revoke', key], env);
  await expect.poll(async () => (await get('/app/notes')).status).toBe(401);
});

test('who is signed in and opens a link of another user sees whose files they are, and can still sign out', async () => {
  const keyOf = async (user: string) =>
    /magpie_\w+/.exec(
      (await runMagpie(['key', 'create', '--scope', 'read,write', '--user', user, '--json'], env)).stdout,
    )?.[0] ?? '';
  const [bob, eve] = [await keyOf('bob'), await keyOf('eve')];
  const { jar, get, page, post } = visit();
  await get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key: bob }) });
  const headers = { authorization: `Bearer ${eve}` };
  const told = await (await fetch(new URL('/pdfload', magpie.url), { headers })).text();
  const { pathname, search } = new URL(/http[^\s"\\]+/.exec(told)?.[0] ?? '');
  await get(`${pathname}${search}`);
  const files = await page('/app/files');
  expect(files).toContain('A link opened the files of <b><bdi>eve</bdi></b>');
  expect(files).toContain('You are signed in as <b><bdi>bob</bdi></b>.');
  expect((await post('/app/sign-out', {})).headers.get('location')).toBe('/app/ask');
  expect([...jar.values()].filter(Boolean)).toEqual([]);
  expect((await get('/app/files')).status).toBe(401);
});
