import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../helpers/magpie.ts';

/** The public status page in a real Chromium: .ci/run installs it and names it in MAGPIE_TEST_BROWSER. */

const SHOTS = fileURLToPath(new URL('../../artifacts/status-page/', import.meta.url));
const folder = temporaryFolder();
let magpie: RunningProcess;
let browser: Browser;
const sites: Server[] = [];

async function site(status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end('x'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  sites.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  const file = join(folder.path, 'infrastructure.yaml');
  const [good, bad] = [await site(200), await site(500)];
  const long = 'a-name-that-is-longer-than-any-telephone-is-wide-and-has-no-place-to-break';
  const entry = (id: string, url: string) => `  ${id}: { urls: ['${url}'] }\n`;
  const entries = [entry('shop', good), entry(long, bad), entry('resting', bad)];
  writeFileSync(file, `infrastructure:\n${entries.join('')}`);
  const env = { ...environment(join(folder.path, 'data')), MAGPIE_INVENTORY: file };
  magpie = await spawnServer(env);
  const [from, to] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  for (const [id, options] of [
    ['shop', { group: 'Web' }],
    [long, { group: 'Web' }],
    ['resting', { maintenance: [{ from, to }] }],
  ] as const) {
    const started = await fetch(new URL('/v1/monitor/start', magpie.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ infrastructure_id: id, monitoring_options: options }),
    });
    expect(started.status).toBe(200);
  }
  const on = await runMagpie(['monitor', 'page', 'on', '--slug', 'acme', '--title', 'Acme'], env);
  expect(on.stdout).toContain('/status/acme');
  // The page is kept for half a minute: it is first read once both have been probed.
  const isProbed = async () => {
    const response = await fetch(new URL('/v1/monitor', magpie.url));
    return (await response.text()).includes('"down":1');
  };
  await vi.waitUntil(isProbed, { timeout: 60_000, interval: 100 });
  browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await browser.close();
  await magpie.stop();
  for (const server of sites) {
    server.closeAllConnections();
    server.close();
  }
  folder.remove();
});

/** The page; every error of its console and every refusal by its policy is noted. */
async function open(options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const noted: string[] = [];
  page.on('pageerror', (error) => noted.push(error.message));
  page.on('console', (message) => {
    // A browser asks every site for its icon.
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) {
      noted.push(message.text());
    }
  });
  await page.goto(`${magpie.url}/status/acme`);
  return { context, page, noted };
}

/** How a colour of a text stands out from what is behind it, as WCAG 2 has it. */
function contrasts(page: Page, selectors: readonly string[]): Promise<number[]> {
  return page.evaluate((all) => {
    const numbers = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r = 0, g = 0, b = 0]: number[]) => {
      const part = (value: number) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = (element: Element | null): number[] => {
      if (!element) return [255, 255, 255];
      const colour = numbers(getComputedStyle(element).backgroundColor);
      return (colour[3] ?? 1) > 0 && colour.length >= 3 ? colour : behind(element.parentElement);
    };
    return all.flatMap((selector) =>
      [...document.querySelectorAll(selector)].map((element) => {
        const [one = 0, two = 0] = [light(numbers(getComputedStyle(element).color)), light(behind(element))];
        return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
      }),
    );
  }, selectors);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page: rules for WCAG 2.2 AA and its own advice. */
async function faultsOf(page: Page): Promise<string[]> {
  // A tag of a script would be refused by the page's own policy.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
  });
}

const TEXTS = ['h1', 'h2', 'h3', '.state', '.tag', '.quiet', '.facts', 'a:not(.skip)', 'summary'];

test.each([
  ['light', 1280],
  ['dark', 360],
] as const)(
  '%s, %i pixels: nothing is cut off, texts have contrast, and bars have their colours',
  async (scheme, width) => {
    const { page, context, noted } = await open({ colorScheme: scheme, viewport: { width, height: 740 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const found = await contrasts(page, TEXTS);
    expect(found.length).toBeGreaterThan(8);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(4.5);
    const fills = await page
      .locator('.bars rect.good, .bars rect.bad')
      .evaluateAll((all) => new Set(all.map((one) => getComputedStyle(one).fill)).size);
    expect(fills).toBe(2);
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('summary').first().click();
    expect(await faultsOf(page)).toEqual([]);
    await page.screenshot({ path: `${SHOTS}${scheme}-${width}.png`, fullPage: true });
    expect(noted).toEqual([]);
    await context.close();
  },
);

test('the keyboard reaches every link and control, and the structure is one heading with sections below it', async () => {
  const { page, context, noted } = await open();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the services');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
  await page.keyboard.press('Enter');
  expect(await page.locator('.days').isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('/status/acme.json');
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.locator('h2').count()).toBe(3);
  expect(await page.getByRole('img', { name: /^Uptime of 90 days: / }).count()).toBe(3);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  expect(noted).toEqual([]);
  await context.close();
});

test('the page works without scripts, and badges are pictures on other sites', async () => {
  const { page, context } = await open({ javaScriptEnabled: false });
  expect(await page.locator('.state').textContent()).toBe('Some of it does not work');
  await context.close();
  const other = await site(200);
  const shown = await browser.newPage();
  await shown.goto(other);
  const width = await shown.evaluate(
    (url) =>
      new Promise<number>((done) => {
        const image = new Image();
        image.onload = () => done(image.naturalWidth);
        image.onerror = () => done(0);
        image.src = url;
      }),
    `${magpie.url}/status/acme/uptime.svg`,
  );
  expect(width).toBeGreaterThan(80);
  await shown.close();
});
