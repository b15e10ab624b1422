import { createBrowse } from '../../browse/browse.ts';
import type { Browse } from '../../browse/types.ts';
import type { Foundation } from '../foundation.ts';

/** Share of a call's time in which a page waits for its place: the rest is for what comes before and after. */
const WAIT_SHARE = 1 / 2;

/** The room, with a browser for scripted pages where one is switched on. */
export async function openBrowse(base: Foundation): Promise<Browse> {
  const { config, fetch } = base;
  const { pageBytes: maxBytes, pageTimeout: timeoutMs } = config;
  const [readers, renderer] = await Promise.all([base.readers(), base.renderer()]);
  const placeWaitMs = WAIT_SHARE * config.callTimeout;
  return createBrowse({ fetch, maxBytes, timeoutMs, placeWaitMs, ...(renderer && { renderer }), readers });
}
