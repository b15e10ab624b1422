import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCESS_SCOPES } from '../../src/caller.ts';
import { workTree } from '../helpers/git.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../helpers/magpie.ts';
import { checkPage, checkShown, LOOKS } from '../helpers/page-checks.ts';
import { makePdf } from '../helpers/pdf.ts';
import { linkOf } from '../helpers/uploads.ts';

/** Pages without the console's frame, in a real Chromium: signing in, uploads, credentials, the reference, a status page, a report. */

const folder = temporaryFolder();
/** Open, and one that asks for a key. */
let open: RunningProcess;
let closed: RunningProcess;
let browser: Browser;
let client: Client;
/** Addresses that anyone may open. */
const addresses: string[] = [];

beforeAll(async () => {
  const env = {
    ...environment(join(folder.path, 'open')),
    MAGPIE_SCAN_ROOTS: folder.path,
    MAGPIE_AUTOMATION_URL: 'n8n=http://127.0.0.1:9',
  };
  open = await spawnServer(env);
  const shop = await workTree(join(folder.path, 'shop'), () => {
    writeFileSync(
      join(folder.path, 'shop', 'labels.py'),
      'import os\nfrom flask import request\nos.system(request.args["t"])\n',
    );
  });
  await runMagpie(['monitor', 'page', 'on', '--slug', 'acme', '--title', 'Acme'], env);
  addresses.push(`${open.url}/docs`, `${open.url}/status/acme`, await credentialPage(), await report(shop));
  const other = environment(join(folder.path, 'closed'));
  await runMagpie(['key', 'create', '--scope', ACCESS_SCOPES.join(',')], other);
  closed = await spawnServer(other);
  addresses.push(`${closed.url}/app/ask`, `${closed.url}/app/file?name=none.pdf`);
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await client.close();
  await browser.close();
  await Promise.all([open.stop(), closed.stop()]);
  folder.remove();
});

/** The page that a call opens which lacks a key; the call waits until the end of the tests. */
async function credentialPage(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  client = new Client({ name: 'asking', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    resolve((params as { url: string }).url);
    return { action: 'accept' };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', open.url)));
  const q = 'Watch https://example.com/ and tell me when the headings change';
  client.callTool({ name: 'automationrpa', arguments: { q, platform: 'n8n' } }).catch(() => {});
  return promise;
}

/** A report as a file, which is read without a server. */
async function report(scope: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ scope, standards: ['owasp-top-10-2025'] });
  const checked = await fetch(`${open.url}/v1/compliance/check`, { method: 'POST', headers, body });
  const { data } = (await checked.json()) as { data: { check_id: string } };
  const html = await fetch(`${open.url}/v1/compliance/report/${data.check_id}?format=html`, {
    headers: { accept: 'text/html' },
  });
  const text = await html.text();
  expect(text).toMatch(/^<!doctype html>/);
  const path = join(folder.path, 'report.html');
  writeFileSync(path, text);
  return pathToFileURL(path).href;
}

test.each(LOOKS)(
  'the page has no accessibility violation and no sideways scrolling, and is small: $colorScheme, $viewport.width px',
  async (look) => {
    const context = await browser.newContext({ ...look, bypassCSP: true });
    const page = await context.newPage();
    for (const address of addresses) await checkPage(page, address);
    await page.goto(await linkOf(open.url));
    await page.waitForURL(`${open.url}/app/files`);
    await page.setInputFiles('#files', [
      {
        name: 'mills.pdf',
        mimeType: 'application/pdf',
        buffer: makePdf(['Of wind mills.', 'Of tide mills.']),
      },
      { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('PK\x03\x04 zip') },
    ]);
    await page.locator('#list tbody > tr', { hasText: 'mills.pdf' }).waitFor();
    await page.locator('#progress .error').first().waitFor();
    await checkShown(page, 'uploads');
    await checkPage(page, `${open.url}/app/files?q=tide`);
    await checkPage(page, `${open.url}/app/file?name=mills.pdf&page=2&passage=Of+tide+mills`);
    await context.close();
  },
);
