// First: all that is made below has the date and the names of the pictures.
import './screenshots/scenery.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { SHOTS, type Shot } from './screenshots/shots.ts';
import { openStage, type Stage } from './screenshots/stage.ts';

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
const ATTEMPTS = 5;

const folder = fileURLToPath(new URL('console/', import.meta.url));
const wanted = process.argv.slice(2);
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

async function take(browser: Browser, stage: Stage, shot: Shot): Promise<void> {
  for (const { look, ...settings } of LOOKS) {
    const context = await browser.newContext({
      ...{ ...settings, locale: 'en-GB', reducedMotion: 'reduce', baseURL: stage.url },
    });
    if (shot.as !== 'stranger') await signIn(context, stage.keys[shot.as ?? 'ada']);
    const page = await context.newPage();
    await page.goto(typeof shot.path === 'string' ? shot.path : shot.path(stage));
    await shot.prepare?.(page, stage);
    writeFileSync(`${folder}${shot.name}-${look}.webp`, await picture(page));
    await context.close();
  }
  process.stderr.write(`${shot.name}\n`);
}

async function signIn(context: BrowserContext, key: string): Promise<void> {
  const page = await context.newPage();
  await page.goto('/app/ask');
  await page.locator('input[name=key]').fill(key);
  await page.keyboard.press('Enter');
  await page.locator('nav.side').waitFor();
  await page.close();
}

async function picture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  for (let attempt = 1; ; attempt++) {
    try {
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
      return Buffer.from(data, 'base64');
    } catch (thrown) {
      // A busy machine may be late with the page's first frame.
      if (attempt === ATTEMPTS) throw thrown;
      await page.waitForTimeout(attempt * 500);
    }
  }
}

mkdirSync(folder, { recursive: true });
// Its name is read in the pictures. One that is there already is of another run, or of a user.
const home = join(tmpdir(), 'ada');
mkdirSync(home);
try {
  await using stage = await openStage(home);
  const browser = await chromium.launch({
    executablePath: process.env.MAGPIE_TEST_BROWSER ?? '/usr/bin/chromium',
    chromiumSandbox: process.getuid?.() !== 0,
  });
  for (const shot of shots) await take(browser, stage, shot);
  await browser.close();
} finally {
  rmSync(home, { recursive: true });
}
