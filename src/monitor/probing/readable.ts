import type { Unseen } from './check.ts';
import type { Page } from './page-probe.ts';
import { isUnreached, type Unreached } from './unreached.ts';

/** Returns the page if its headers and body are the site's own, or why not: the site is down or answers with an error. */
export function readable(page: Page | Unreached): Page | Unseen {
  if (isUnreached(page)) return { unseen: `the page ${page.reason}` };
  return page.status >= 500 ? { unseen: `the page answers with status ${page.status}` } : page;
}
