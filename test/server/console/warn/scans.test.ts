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

/** Scans in the console, over HTTP. */

const folder = temporaryFolder();
const shop = join(folder.path, 'code', 'shop');
let magpie = {} as Running;
let env: Record<string, string> = {};
const visit = () => visitConsole(() => magpie.url);

const HOSTILE = 'a<script>alert(1).py';
const SOURCE = `import os
from flask import request

def ping():
    os.system("ping -c1 " + request.args["host"])
`;

beforeAll(async () => {
  mkdirSync(shop, { recursive: true });
  await workTree(shop, () => {
    writeFileSync(join(shop, 'app.py'), SOURCE);
    writeFileSync(
      join(shop, HOSTILE),
      'import os\nfrom flask import request\nos.system("<script>alert(2)</script>" + request.args["x"])\n',
    );
  });
  env = { ...environment(join(folder.path, 'data')), MAGPIE_SCAN_ROOTS: join(folder.path, 'code') };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

/** Starts a scan by the form, and waits for its end: the address of its page. */
async function scanShop({ page, post }: ReturnType<typeof visit>, fields: Record<string, string> = {}) {
  const begun = await post('/app/scans/start', { repository: shop, ...fields });
  expect(begun.status).toBe(303);
  const address = begun.headers.get('location') ?? '';
  await expect.poll(() => page(address)).toContain('Findings by severity');
  return address;
}

describe('an open server', () => {
  test('without a scan, the page gives an example that fills the form', async () => {
    const { page } = visit();
    const empty = await page('/app/scans');
    expect(empty).toContain('Nothing is scanned yet');
    const [, example = ''] = /href="(\/app\/scans\?repository=[^"]+)"/.exec(empty) ?? [];
    expect(await page(example.replaceAll('&amp;', '&'))).toMatch(
      /name="repository" value="https:\/\/github[^"]+"/,
    );
  });

  test('a scan runs in the background; its page has findings, with line, flow, fix and weakness', async () => {
    const browser = visit();
    const address = await scanShop(browser, { deep: '1' });
    const shown = await browser.page(address);
    for (const part of [
      'Command injection',
      'app.py:5',
      'CWE-78',
      'How data gets there',
      'How to mend it',
      'Fingerprint',
    ]) {
      expect(shown).toContain(part);
    }
    expect(shown).toContain('data from the request');
    expect(await browser.page('/app/scans')).toMatch(/\d+ critical/);
  });

  test('findings are filtered by severity, scanner and path; nothing of a repository becomes markup', async () => {
    const browser = visit();
    const address = await scanShop(browser);
    const shown = await browser.page(address);
    expect(shown).toContain('a&lt;script&gt;alert(1).py:3');
    expect(shown).not.toMatch(/<script>alert/);
    const findings = (text: string) => [...text.matchAll(/<article class="finding"/g)].length;
    expect(findings(shown)).toBeGreaterThan(1);
    expect(findings(await browser.page(`${address}&path=app.py`))).toBe(1);
    expect(findings(await browser.page(`${address}&severity=info`))).toBe(0);
    expect(findings(await browser.page(`${address}&scanner=source`))).toBe(findings(shown));
    expect(await browser.page(`${address}&path=%22%3E%3Cscript%3Ealert(9)`)).not.toContain(
      '<script>alert(9)',
    );
    for (const from of ['Infinity', '1e300', '-1e300', 'x']) {
      const page = await browser.get(`${address}&from=${from}`);
      expect([from, page.status]).toEqual([from, 200]);
    }
  });

  test('the comparison with the previous scan lists new and removed findings', async () => {
    const browser = visit();
    await scanShop(browser);
    writeFileSync(join(shop, 'app.py'), 'print("mended")\n');
    writeFileSync(join(shop, 'new.py'), 'import hashlib\nprint(hashlib.md5(b"x").hexdigest())\n');
    const address = await scanShop(browser);
    const [, changes = ''] = /href="(\/app\/scans\/changes[^"]+)"/.exec(await browser.page(address)) ?? [];
    const compared = await browser.page(changes.replaceAll('&amp;', '&'));
    expect(compared).toMatch(/New since then[\s\S]*new\.py:2[\s\S]*Gone since then[\s\S]*app\.py:5/);
    writeFileSync(join(shop, 'app.py'), SOURCE);
  });

  test('SARIF and CycloneDX are downloaded; a scan is deleted', async () => {
    const browser = visit();
    const address = await scanShop(browser, { dependencies: '1' });
    const id = new URL(address, magpie.url).searchParams.get('id') ?? '';
    const sarif = await browser.get(`/app/scans/file?id=${id}&form=sarif`);
    expect(sarif.headers.get('content-disposition')).toBe(`attachment; filename="scan-${id}.sarif"`);
    expect(((await sarif.json()) as { version: string }).version).toBe('2.1.0');
    const bill = await browser.get(`/app/scans/file?id=${id}&form=cyclonedx`);
    expect(((await bill.json()) as { bomFormat: string }).bomFormat).toBe('CycloneDX');
    expect(
      (await browser.get('/app/scans/delete', { method: 'POST', body: new URLSearchParams({ id }) })).status,
    ).toBe(403);
    expect((await browser.post('/app/scans/delete', { id })).headers.get('location')).toBe('/app/scans');
    expect((await browser.get(address)).status).toBe(404);
  });

  test('a failed scan gives the reason and fills the form again; an invalid request keeps its input', async () => {
    const browser = visit();
    const begun = await browser.post('/app/scans/start', { repository: '/etc', branch: 'main' });
    const address = begun.headers.get('location') ?? '';
    await expect.poll(() => browser.page(address)).toContain('MAGPIE_SCAN_ROOTS');
    expect(await browser.page(address)).toContain('/app/scans?repository=%2Fetc&amp;branch=main');
    const branch = `b${'r'.repeat(300)}`;
    const refused = await browser.post('/app/scans/start', { repository: 'https://x.example/"><b>', branch });
    expect(refused.status).toBe(422);
    const shown = await refused.text();
    expect(shown).toMatch(/role="alert">Branch/);
    expect(shown).toContain('value="https://x.example/&quot;&gt;&lt;b&gt;"');
    expect(shown).toContain(`value="${branch}"`);
  });
});

test('a key without the scope scan reads scans, and the page names the scope that starts one', async () => {
  const open = visit();
  const address = await scanShop(open);
  const made = await runMagpie(['key', 'create', '--scope', 'read', '--json'], env);
  const key = /magpie_\w+/.exec(made.stdout)?.[0] ?? '';
  const browser = visit();
  await expect.poll(async () => (await browser.get('/app/scans')).status).toBe(401);
  await browser.get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key }) });
  const shown = await browser.page('/app/scans');
  expect(shown).toContain('lacks the scope <b>scan</b>');
  expect(shown).not.toContain('Start the scan');
  expect((await browser.get(address)).status).toBe(200);
  expect(await browser.page(address)).not.toContain('Yes, delete it');
  const id = new URL(address, magpie.url).searchParams.get('id') ?? '';
  expect((await browser.post('/app/scans/delete', { id })).status).toBe(403);
  expect((await browser.post('/app/scans/start', { repository: shop })).status).toBe(403);
});
