import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visitConsole } from '../../helpers/console-visit.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../../helpers/web.ts';

/** Connect, keys, engines, pages read, settings and log over HTTP, without scripts. */

const folder = temporaryFolder();
let [web, magpie] = [{} as TestWeb, {} as Running];
let env: Record<string, string> = {};
const visit = () => visitConsole(() => magpie.url);

beforeAll(async () => {
  web = await startWeb();
  env = {
    ...environment(folder.path, web),
    TAVILY_API_KEY: 'tvly-hidden-0123456789',
    MAGPIE_LOG_LEVEL: 'info',
  };
  env.MAGPIE_ENGINES = 'searxng,local';
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await web.close();
  folder.remove();
});

describe('connect', () => {
  test.each([
    ['claude-desktop', /&quot;mcpServers&quot;[\s\S]*magpie-mcp/],
    ['claude-code', /claude mcp add magpie -- npx -y magpie-mcp stdio/],
    ['vscode', /href="https:\/\/vscode\.dev\/redirect\/mcp\/install/],
    ['cursor', /href="https:\/\/cursor\.com\/en\/install-mcp/],
    ['codex', /\[mcp_servers\.magpie\]/],
    ['gemini', /&quot;httpUrl&quot;: &quot;http:\/\/127/],
    ['windsurf', /&quot;serverUrl&quot;: &quot;http:\/\/127/],
    ['zed', /&quot;context_servers&quot;/],
    ['lmstudio', /magpie-mcp setup lmstudio/],
    ['openwebui', /MCP \(Streamable HTTP\)/],
    ['chatgpt', /\/mcp\/chatgpt\/web/],
    ['http', /curl -X POST http:\/\/127/],
  ])('%s has its setup snippet, with the address of this server for remote clients', async (name, words) => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const page = await (await visit().get(`/app/connect?with=${name}`, { headers })).text();
    expect(page).toMatch(words);
    expect(page).toContain(`${magpie.url}/mcp`);
    expect(page).toMatch(new RegExp(`with=${name}" aria-current`));
    expect(page).not.toContain('Bearer magpie_');
  });
});

test('the connect page offers the essential tools, and all tools again', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const page = async (query: string) => (await visit().get(`/app/connect?${query}`, { headers })).text();
  const all = await page('with=claude-code');
  expect(all).toContain(
    'The toolset essential is for assistants that warn of many tools: it leaves out second names',
  );
  expect(all).toContain(
    'href="/app/connect?with=claude-code&amp;toolsets=essential">Offer the essential tools',
  );
  const few = await page('with=claude-code&toolsets=essential');
  expect(few).toContain(`&quot;${magpie.url}/mcp?toolsets=essential&quot;`);
  expect(few).toContain('magpie-mcp stdio --toolsets essential');
  expect(few).toContain('magpie-mcp setup claude-code --essential');
  expect(few).toContain('href="/app/connect?with=claude-code">Offer all tools');
});

describe('pages read', () => {
  test('pages that were read are listed, searched, shown and forgotten', async () => {
    const { page, post } = visit();
    expect(await page('/app/pages')).toContain('No pages yet');
    await page('/app/ask?q=magpie+mirror&web=1');
    await expect.poll(() => page('/app/pages')).toContain('Magpies and the mirror');
    expect(await page('/app/pages?q=recognition')).toContain('Magpies and the mirror');
    expect(await page('/app/pages?q=ostrich')).toContain('No page has these words');
    const url = `${web.url}/page/magpie-mirror`;
    expect(await page(`/app/page?${new URLSearchParams({ url })}`)).toContain('Observers in 1900');
    await post('/app/page/forget', { url });
    const listed = await page('/app/pages');
    expect(listed).toContain('The page is forgotten.');
    expect(listed).not.toContain('Magpies and the mirror');
    expect(await page(`/app/page?${new URLSearchParams({ url })}`)).toContain('not in the index');
  });

  test('a crawl is started and its state is shown; an invalid address stays in the form', async () => {
    const { page, post } = visit();
    const url = `${web.url}/page/magpie-nest`;
    await post('/app/crawl/start', { url, depth: '1' });
    await expect.poll(() => page('/app/pages')).toMatch(/id="crawls"[\s\S]*magpie-nest[\s\S]*finished/);
    const refused = await post('/app/crawl/start', { url: 'ftp://nothing.example/', depth: '2' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/role="alert"[\s\S]*value="ftp:\/\/nothing\.example\/"/);
  });
});

test('the connect page says which engine gets a question', async () => {
  expect(await visit().page('/app/connect')).toMatch(
    /Who gets a question<\/h2><p>A question goes to SearXNG\.[\s\S]*costs nothing/,
  );
});

test('the engines page shows who gets a question, the result of the last search, and a test of each engine', async () => {
  const { page, post } = visit();
  const first = await page('/app/engines');
  expect(first).toMatch(
    /searxng<\/b><br><span class="tag info">official<[\s\S]*SearXNG \(127\.0\.0\.1:\d+\) gets the question/,
  );
  expect(first).toMatch(/<details><summary aria-label="Limits and terms of SearXNG">/);
  await page('/app/ask?q=magpie+song+at+dawn&web=1');
  expect(await page('/app/engines')).toMatch(/searxng[\s\S]*answers[\s\S]*results? in \d+ ms/);
  await post('/app/engines/test', {});
  expect(await page('/app/engines')).toMatch(/1 of 1 engine answered\.[\s\S]*Tested [\s\S]*answered<\/span>/);
});

test('the settings page shows values and their origin, can be searched, and hides secrets', async () => {
  const { page } = visit();
  const all = await page('/app/settings');
  expect(all).toMatch(
    /TAVILY_API_KEY<\/code><\/h2><span class="tag info">environment<\/span><\/div><p><b><bdi>set, and not shown/,
  );
  expect(all).not.toContain('tvly-hidden');
  expect(all).toMatch(/MAGPIE_RATE_REQUESTS<\/code><\/h2><span class="tag ">default<\/span>/);
  const few = await page('/app/settings?q=searxng');
  expect(few).toContain('MAGPIE_SEARXNG_URL');
  expect(few).not.toContain('MAGPIE_RATE_REQUESTS');
  expect(await page('/app/settings?changed=1')).not.toContain('MAGPIE_RATE_REQUESTS');
});

test('the log page filters lines by level', async () => {
  const { page } = visit();
  await expect.poll(() => page('/app/log')).toContain('open mode: there is no key');
  expect(await page('/app/log?level=error')).not.toContain('open mode');
});

/** Keys close the server: they come last. */
describe('keys', () => {
  const signedIn = async (key: string) => {
    const browser = visit();
    await browser.get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key }) });
    return browser;
  };
  const post = async (browser: ReturnType<typeof visit>, path: string, fields: Record<string, string>) => {
    const form = await browser.token('/app/notes');
    return browser.get(path, { method: 'POST', body: new URLSearchParams({ form, ...fields }) });
  };
  const keyIn = (text: string) => /magpie_\w{20,}/.exec(text)?.[0] ?? '';
  const all = { 'scope-read': '1', 'scope-write': '1', 'scope-scan': '1', 'scope-monitor': '1' };
  let first = '';

  test('the first key closes the server, is shown once, and keeps its creator signed in', async () => {
    const browser = visit();
    const wrong = await post(browser, '/app/keys/make', { name: 'Laptop', expires: 'soon', ...all });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toMatch(/“soon” is not a time[\s\S]*value="Laptop"[\s\S]*value="soon"/);
    const made = await post(browser, '/app/keys/make', { name: 'Laptop', expires: '30d', ...all });
    first = keyIn(await made.text());
    expect(made.headers.get('cache-control')).toBe('no-store');
    await expect.poll(async () => (await visit().get('/app/keys')).status).toBe(401);
    const listed = await browser.page('/app/keys');
    expect(listed).toMatch(/Laptop[\s\S]*this one[\s\S]*read, write, scan, monitor[\s\S]*active/);
    expect(listed).not.toContain(first);
    expect(await browser.page('/app/settings')).toContain('MAGPIE_HOST');
  });

  test('a key cannot create a key with more scopes or a longer life', async () => {
    const browser = await signedIn(first);
    const longer = await post(browser, '/app/keys/make', { name: '', expires: '60d', ...all });
    expect(await longer.text()).toContain('a key that it makes cannot last longer');
    expect(await (await post(browser, '/app/keys/make', { expires: '', ...all })).text()).toContain(
      'cannot last longer',
    );
    expect(await (await post(browser, '/app/keys/make', { expires: '1d' })).text()).toContain(
      'Choose at least one',
    );
    const reader = keyIn(
      await (await post(browser, '/app/keys/make', { expires: '1d', 'scope-read': '1' })).text(),
    );
    const narrow = await signedIn(reader);
    for (const path of ['/app/keys', '/app/settings', '/app/log']) {
      expect((await narrow.get(path)).status).toBe(403);
    }
    expect(await narrow.page('/app/notes')).not.toContain('href="/app/settings"');
    expect((await post(narrow, '/app/keys/make', { expires: '1h', ...all })).status).toBe(403);
  });

  test('keys of another user are neither shown nor revoked, and only the user of the server sees the log', async () => {
    const made = await runMagpie(
      ['key', 'create', '--scope', 'read,write,scan,monitor', '--user', 'eve', '--json'],
      env,
    );
    const { key, id } = JSON.parse(made.stdout) as { key: string; id: string };
    const eve = await signedIn(key);
    await expect.poll(() => eve.page('/app/keys')).toContain(id);
    expect(await eve.page('/app/keys')).not.toContain('Laptop');
    for (const path of ['/app/settings', '/app/log']) expect((await eve.get(path)).status).toBe(403);
    const browser = await signedIn(first);
    expect(await browser.page('/app/keys')).not.toContain(id);
    for (const path of ['/app/keys/revoke', '/app/keys/rotate']) {
      expect((await post(browser, path, { id })).status).toBe(404);
    }
    expect((await eve.get('/app/notes')).status).toBe(200);
  });

  test('a key shows its use by day, and can be rotated and revoked', async () => {
    const browser = await signedIn(first);
    for (let at = 0; at < 3; at++) {
      await fetch(`${magpie.url}/list`, { headers: { authorization: `Bearer ${first}` } });
    }
    await expect
      .poll(() => browser.page('/app/keys'))
      .toMatch(/Calls by day\. [\s\S]*Called most: [^<]*list/);
    const id =
      /name="id" value="(\w+)"><button class="small " aria-label="Rotate Laptop"/.exec(
        await browser.page('/app/keys'),
      )?.[1] ?? '';
    const second = keyIn(await (await post(browser, '/app/keys/rotate', { id })).text());
    const after = await signedIn(second);
    expect(await after.page('/app/keys')).toContain('replaced');
    await post(after, '/app/keys/revoke', { id });
    expect(await after.page('/app/keys')).toContain('is revoked, and all links');
    await expect.poll(async () => (await browser.get('/app/notes')).status).toBe(401);
  });
});
