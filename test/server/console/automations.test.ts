import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT, startN8n } from '../../automation/n8n-site.ts';
import { KEY, type PlatformSite } from '../../automation/platform-sites.ts';
import { visitConsole } from '../../helpers/console-visit.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';

/** Automations in the console, over HTTP, on a local n8n. */

const folder = temporaryFolder();
let magpie = {} as Running;
let site = {} as PlatformSite;
let env: Record<string, string> = {};
const visit = () => visitConsole(() => magpie.url);

beforeAll(async () => {
  site = await startN8n();
  env = {
    ...environment(folder.path),
    MAGPIE_AUTOMATION_URL: `n8n=${site.url}`,
    MAGPIE_AUTOMATION_PLATFORM: 'n8n',
  };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
  folder.remove();
});

const TASK = 'Watch https://example.com/ and post to https://hooks.example.com/in when the headings change';
const preview = (q: string) => `/app/automations?${new URLSearchParams({ q, platform: 'n8n' })}`;

test('the empty page offers sentences that are shown as plans at once', async () => {
  const { page } = visit();
  const empty = await page('/app/automations');
  const [, example = ''] = /href="(\/app\/automations\?q=[^"]+)"/.exec(empty) ?? [];
  expect(await page(example.replaceAll('&amp;', '&'))).toMatch(
    /What it becomes[\s\S]*<dt>pages<\/dt><dd dir="auto">https:\/\/example\.com\//,
  );
});

test('a sentence is shown as a plan with the parts not understood, and nothing is sent to the platform', async () => {
  const { page } = visit();
  const before = site.asked.length;
  const shown = await page(preview(`${TASK} until Friday`));
  for (const part of [
    '<dt>takes</dt><dd dir="auto">headings',
    '<dt>runs</dt>',
    'not understood',
    'The document that would be sent',
  ]) {
    expect(shown).toContain(part);
  }
  expect(shown).toContain('Create it on n8n');
  expect(site.asked.length).toBe(before);
  const wrong = await page(preview('Email me <script>alert(1)</script>'));
  expect(wrong).toContain('role="alert"');
  expect(wrong).toContain('Email me &lt;script&gt;');
  expect(wrong).not.toContain('<script>alert');
});

test('an automation is created with credentials that are shown nowhere, and the same sentence finds it again', async () => {
  const { post, get } = visit();
  const fields = { q: TASK, platform: 'n8n', key: KEY, team: PROJECT };
  const unguarded = await get('/app/automations/create', {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  expect(unguarded.status).toBe(403);
  const made = await post('/app/automations/create', fields);
  const shown = await made.text();
  expect(made.status).toBe(200);
  expect(shown).toMatch(/class="tag good">It runs<\/span> Created[\s\S]*Open it on n8n/);
  expect(shown).toContain(`href="${site.url}/workflow/`);
  expect(shown).not.toContain(KEY);
  expect(await (await post('/app/automations/create', fields)).text()).toContain('It was there already');
});

test('a refusal keeps the sentence in the form and shows no credential', async () => {
  const { post } = visit();
  const key = 'wrong-key-that-stays-secret';
  const refused = await post('/app/automations/create', { q: TASK, platform: 'n8n', key, team: PROJECT });
  expect(refused.status).toBe(422);
  const shown = await refused.text();
  expect(shown).toMatch(/role="alert">[^<]*n8n/);
  expect(shown).toContain('when the headings change</textarea>');
  expect(shown).not.toContain(key);
  expect(shown).not.toContain(PROJECT);
});

test('a page for a key without the scope write names the missing scope', async () => {
  const made = await runMagpie(['key', 'create', '--scope', 'read', '--json'], env);
  const key = /magpie_\w+/.exec(made.stdout)?.[0] ?? '';
  const browser = visit();
  await expect.poll(async () => (await browser.get('/app/automations')).status).toBe(401);
  await browser.get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key }) });
  expect(await browser.page('/app/automations')).toContain('lacks the scope <b>write</b>');
  expect((await browser.post('/app/automations/create', { q: TASK, key: KEY, team: PROJECT })).status).toBe(
    403,
  );
});
