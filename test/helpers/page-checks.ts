import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What every page has to keep, in every look. The page's context bypasses the policy, which refuses the script of axe. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Each colour scheme and each width once: contrasts are a matter of the one, and what has no room of the other. */
export const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1200, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const;

/** Bytes of a page with its style and scripts; pictures of a file are its own. */
const MAX_BYTES = 100_000;

/** Opens an address: small, no violation that axe finds with all that folds open, and no sideways scrolling. */
export async function checkPage(page: Page, address: string): Promise<void> {
  const counted: Promise<number>[] = [];
  const count = (response: { body(): Promise<Buffer>; request(): { resourceType(): string } }) => {
    if (response.request().resourceType() === 'image') return;
    counted.push(
      response.body().then(
        ({ length }) => length,
        // A redirect has none.
        () => 0,
      ),
    );
  };
  page.on('response', count);
  await page.goto(address);
  page.off('response', count);
  const sizes = await Promise.all(counted);
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  expect(bytes, address).toBeGreaterThan(0);
  expect(bytes, address).toBeLessThan(MAX_BYTES);
  await checkShown(page, address);
}

/** The same of what is shown already, but for its size. */
export async function checkShown(page: Page, address: string): Promise<void> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('main details')) folded.setAttribute('open', '');
  });
  await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(violations, address).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), address).toBe(true);
}
