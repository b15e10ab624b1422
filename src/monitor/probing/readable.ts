import type { Unseen } from './check.ts';
import type { Page } from './page-probe.ts';
import { isUnreached, type Unreached } from './unreached.ts';

/** A page whose headers and body are the site's own; else why there is none: it is down, or answers with a failure. */
export function readable(page: Page | Unreached): Page | Unseen {
  if (isUnreached(page)) return { unseen: `the page ${page.reason}` };
  return page.status >= 500 ? { unseen: `the page answers with status ${page.status}` } : page;
}
