import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from '../test/helpers/magpie.ts';
import { SHOTS, type Shot } from './screenshots/shots.ts';
import { openStage } from './screenshots/stage.ts';

/**
 * `npm run screenshots [name ...]` writes a picture of each page of the console, in light, in dark and on a phone, under docs/console/.
 * It starts a Magpie of its own with sample data, on a machine of its own names and date, and needs a Chromium: MAGPIE_TEST_BROWSER,
 * else /usr/bin/chromium.
 */

const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1200, height: 860 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1200, height: 860 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true },
] as const;
/** Of WebP: text stays sharp, and a page takes some 30 kB. */
const QUALITY = 82;

const folder = fileURLToPath(new URL('console/', import.meta.url));
const wanted = process.argv.slice(2);
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

async function take(browser: Browser, url: string, shot: Shot): Promise<void> {
  for (const { look, ...settings } of LOOKS) {
    const context = await browser.newContext({ ...settings, locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${url}${shot.path}`);
    await shot.prepare?.(page);
    writeFileSync(`${folder}${shot.name}-${look}.webp`, await picture(page));
    await context.close();
  }
  process.stderr.write(`${shot.name}\n`);
}

async function picture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

mkdirSync(folder, { recursive: true });
const data = temporaryFolder();
const stage = await openStage(data.path);
try {
  const browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '/usr/bin/chromium',
    chromiumSandbox: process.getuid?.() !== 0,
  });
  for (const shot of shots) await take(browser, stage.url, shot);
  await browser.close();
} finally {
  await stage.close();
  data.remove();
}
