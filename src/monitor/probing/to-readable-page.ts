import type { InconclusiveResult } from './check.ts';
import { type ConnectionFailure, isConnectionFailure } from './connection-failure.ts';
import type { ProbedPage } from './page-probe.ts';

export function toReadablePage(page: ProbedPage | ConnectionFailure): ProbedPage | InconclusiveResult {
  if (isConnectionFailure(page)) return { unseen: `the page ${page.reason}` };
  return page.status >= 500 ? { unseen: `the page answers with status ${page.status}` } : page;
}
