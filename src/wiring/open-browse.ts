import { createBrowse } from '../browse/browse.ts';
import type { Browse } from '../browse/types.ts';
import type { Foundation } from './foundation.ts';

/** Share of a call's time in which a page waits for its place: the rest is for what comes before and after. */
const WAIT_SHARE = 2 / 3;

/** The room, with a browser for scripted pages where one is switched on. */
export async function openBrowse({ config, fetch, readers: openReaders }: Foundation): Promise<Browse> {
  const { browser: executable, allowHosts, pageBytes: maxBytes, pageTimeout: timeoutMs } = config;
  const readers = await openReaders();
  const placeWaitMs = WAIT_SHARE * config.callTimeout;
  const options = { fetch, maxBytes, timeoutMs, placeWaitMs, readers };
  if (executable === 'off') return createBrowse(options);
  const { createRenderer } = await import('../browse/render.ts');
  const renderer = createRenderer({ executable, allowHosts, maxBytes, timeoutMs });
  return createBrowse({ ...options, renderer });
}
