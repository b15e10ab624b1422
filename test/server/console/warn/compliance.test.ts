import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visitConsole } from '../../../helpers/console-visit.ts';
import { workTree } from '../../../helpers/git.ts';
import {
  environment,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../../../helpers/magpie.ts';

/** Compliance in the console, over HTTP. */

const folder = temporaryFolder();
const shop = join(folder.path, 'code', 'shop');
let magpie = {} as Running;
let env: Record<string, string> = {};
const visit = () => visitConsole(() => magpie.url);

beforeAll(async () => {
  mkdirSync(shop, { recursive: true });
  await workTree(shop, () => {
    const source = 'import os\nfrom flask import request\nos.system("<script>" + request.args["x"])\n';
    writeFileSync(join(shop, '<script>alert(1).py'), source);
  });
  env = { ...environment(join(folder.path, 'data')), MAGPIE_SCAN_ROOTS: join(folder.path, 'code') };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

const CHOSEN = { 'standard-owasp-top-10-2025': '1', 'standard-slsa': '1' };

/** Starts a check by the form, and waits for its end: the address of its page. */
async function checkShop({ page, post }: ReturnType<typeof visit>) {
  const begun = await post('/app/compliance/check', { scope: shop, ...CHOSEN });
  expect(begun.status).toBe(303);
  const address = begun.headers.get('location') ?? '';
  await expect.poll(() => page(address)).toContain('Report as PDF');
  return address;
}

describe('an open server', () => {
  test('the empty page says what to do first, and its example fills the form', async () => {
    const { page } = visit();
    const empty = await page('/app/compliance');
    expect(empty).toContain('Nothing is checked yet');
    const [, example = ''] = /href="(\/app\/compliance\?standards=[^"]+)"/.exec(empty) ?? [];
    expect(await page(example.replaceAll('&amp;', '&'))).toMatch(
      /name="standard-owasp-top-10-2025" value="1" checked/,
    );
  });

  test('a check runs in the background; its page has coverage, controls by status and standard, and evidence', async () => {
    const browser = visit();
    const address = await checkShop(browser);
    const shown = await browser.page(address);
    expect(shown).toMatch(/aria-label="Of 22 controls: [^"]*for a person/);
    expect(shown).toMatch(/class="tag bad">Failed<[\s\S]*Command injection/);
    expect(shown).toContain('&lt;script&gt;alert(1).py:3');
    expect(shown).not.toContain('<script>alert');
    const failed = await browser.page(`${address}&status=fail`);
    expect(failed).not.toContain('<span class="tag warn">For a person</span></span><div>');
    expect(await browser.page(`${address}&standard=slsa`)).not.toContain('A05');
    expect(await browser.page('/app/compliance')).toContain(address.replaceAll('&', '&amp;'));
  });

  test('a check of an unreadable scope fails and says why; a form without a standard keeps its input', async () => {
    const browser = visit();
    const none = await browser.post('/app/compliance/check', { scope: '"><i>' });
    expect(none.status).toBe(422);
    expect(await none.text()).toMatch(/role="alert">Choose a standard[\s\S]*value="&quot;&gt;&lt;i&gt;"/);
    const begun = await browser.post('/app/compliance/check', { scope: '/etc', ...CHOSEN });
    const address = begun.headers.get('location') ?? '';
    await expect.poll(() => browser.page(address)).toContain('The check did not come to its end');
    expect(await browser.page(address)).toContain('MAGPIE_SCAN_ROOTS');
    expect(await browser.page('/app/compliance')).toMatch(/\/etc<[\s\S]*class="tag bad">Failed</);
  });

  test('a judgement is saved, counts in the next check, is shown as a change, and is withdrawn', async () => {
    const browser = visit();
    const address = await checkShop(browser);
    const body = new FormData();
    const given = {
      standard: 'slsa',
      scope: shop,
      verdict: 'pass',
      by: 'Ada',
      until: '2099-12-31',
      why: 'We built it so. <b>',
    };
    const shown = await browser.page(
      `/app/compliance/attestations?standard=slsa&control=x%22%3E&scope=${shop}`,
    );
    expect(shown).toContain('value="x&quot;&gt;"');
    expect(shown).toMatch(/value="slsa" selected/);
    const wrong = await browser.post('/app/compliance/attest', { ...given, control: 'Nothing' });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toMatch(/role="alert">[^<]*Nothing/);
    const slsa = await browser.page(`${address}&standard=slsa`);
    const [, judge = ''] = /href="(\/app\/compliance\/attestations\?[^"]+)"/.exec(slsa) ?? [];
    const control = new URL(judge.replaceAll('&amp;', '&'), magpie.url).searchParams.get('control') ?? '';
    for (const [name, value] of Object.entries({ ...given, control, form: await browser.token() }))
      body.set(name, value);
    body.set('files', new File(['proof'], 'proof.txt'));
    const kept = await browser.get('/app/compliance/attest', { method: 'POST', body });
    expect(kept.headers.get('location')).toBe('/app/compliance/attestations');
    const listed = await browser.page('/app/compliance/attestations');
    expect(listed).toMatch(/We built it so\. &lt;b&gt;[\s\S]*proof\.txt/);
    expect(listed).toContain('until <time datetime="2099-12-31');
    const next = await browser.page(await checkShop(browser));
    expect(next).toMatch(/Since the check before: 1 control changed/);
    expect(next).toContain('<b>1</b> attested');
    const id = /name="id" value="([^"]+)"/.exec(listed)?.[1] ?? '';
    await browser.post('/app/compliance/withdraw', { id });
    expect(await browser.page('/app/compliance/attestations')).toContain('No judgements yet');
  });

  test('the report is downloaded in each format with its seal; a check is deleted', async () => {
    const browser = visit();
    const address = await checkShop(browser);
    const id = new URL(address, magpie.url).searchParams.get('id') ?? '';
    const begins = { pdf: '%PDF-', html: '<!doctype html>', markdown: '# ', json: '{', oscal: '{' };
    for (const [format, begin] of Object.entries(begins)) {
      const file = await browser.get(`/app/compliance/report?id=${id}&format=${format}`);
      expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="compliance-/);
      expect((await file.text()).startsWith(begin), format).toBe(true);
      const seal = await browser.get(`/app/compliance/report?id=${id}&format=${format}&seal=1`);
      expect((await seal.arrayBuffer()).byteLength).toBe(64);
    }
    expect((await browser.get(`/app/compliance/report?id=${id}&format=doc`)).status).toBe(400);
    expect(
      (await browser.get('/app/compliance/delete', { method: 'POST', body: new URLSearchParams({ id }) }))
        .status,
    ).toBe(403);
    await browser.post('/app/compliance/delete', { id });
    expect((await browser.get(address)).status).toBe(404);
  });
});

test('a page for a key without the scope scan names the missing scope', async () => {
  const made = await runMagpie(['key', 'create', '--scope', 'read', '--json'], env);
  const key = /magpie_\w+/.exec(made.stdout)?.[0] ?? '';
  const browser = visit();
  await expect.poll(async () => (await browser.get('/app/compliance')).status).toBe(401);
  await browser.get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key }) });
  for (const path of ['/app/compliance', '/app/compliance/one?id=1', '/app/compliance/attestations']) {
    expect(await browser.page(path)).toContain('lacks the scope <b>scan</b>');
  }
  const posts = [
    '/app/compliance/check',
    '/app/compliance/attest',
    '/app/compliance/withdraw',
    '/app/compliance/delete',
  ];
  const answers = await Promise.all(
    posts.map((path) => browser.post(path, { id: '1', scope: shop, ...CHOSEN })),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await browser.get('/app/compliance/report?id=1&format=pdf')).status).toBe(403);
});
