import { createBrowse } from '../../browse/browse.ts';
import type { PageBrowser } from '../../browse/types.ts';
import type { ServicesFoundation } from '../foundation.ts';

const WAIT_SHARE = 1 / 2;

export async function openBrowse(base: ServicesFoundation): Promise<PageBrowser> {
  const { config, fetch } = base;
  const { pageBytes: maxBytes, pageTimeout: timeoutMs } = config;
  const [readers, renderer] = await Promise.all([base.readers(), base.renderer()]);
  const placeWaitMs = WAIT_SHARE * config.callTimeout;
  return createBrowse({ fetch, maxBytes, timeoutMs, placeWaitMs, ...(renderer && { renderer }), readers });
}
