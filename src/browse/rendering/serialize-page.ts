import { readFileSync } from 'node:fs';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { upstreamError } from '../../errors.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';

/** Maximum wait in milliseconds for an idle network. The network of a page that polls is never idle. */
const QUIET_MS = 6000;
const UNREAD = new Set(['image', 'media', 'font', 'texttrack', 'manifest', 'ping', 'cspviolationreport']);

export interface RenderLimits {
  readonly guard: UrlGuard;
  readonly maxCharacters: number;
  readonly timeoutMs: number;
}

export async function openAndSerialize(
  context: BrowserContext,
  url: string,
  { guard, maxCharacters, timeoutMs }: RenderLimits,
): Promise<{ url: string; html: string }> {
  await context.route(
    () => true,
    (route) => decide(route, guard),
  );
  const page = await context.newPage();
  context.on('page', (popup) => void popup.close().catch(() => {}));
  // `timeout: 0` switches off the library's limit, because the caller sets a deadline.
  await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 0 });
  await page.waitForLoadState('networkidle', { timeout: Math.min(QUIET_MS, timeoutMs / 2) }).catch(() => {});
  const final = page.url();
  if (!/^https?:/.test(final)) {
    throw upstreamError(`${url} leads to ${final.slice(0, 100)}, which is not a page`);
  }
  return { url: final, html: await documentOf(page, context, maxCharacters, timeoutMs) };
}

/** Allows or blocks a request by type and address. Addresses of redirects are checked by the proxy. */
async function decide(route: Route, guard: UrlGuard): Promise<void> {
  const request = route.request();
  try {
    if (UNREAD.has(request.resourceType())) return await route.abort('blockedbyclient');
    guard.judge(new URL(request.url()));
    await route.continue();
  } catch {
    await route.abort('addressunreachable').catch(() => {});
  }
}

/** A function that runs in the page. */
const SERIALIZE = readFileSync(new URL('./serialize-document.js', import.meta.url), 'utf8');

async function documentOf(page: Page, context: BrowserContext, most: number, timeoutMs: number) {
  const session = await context.newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `(${SERIALIZE})(${most})`,
    contextId: executionContextId,
    returnByValue: true,
    timeout: timeoutMs,
  });
  if (exceptionDetails || typeof result.value !== 'string')
    throw new Error('the document could not be taken');
  return result.value;
}
