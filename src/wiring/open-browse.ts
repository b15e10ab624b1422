import { createBrowse } from '../browse/browse.ts';
import type { Browse } from '../browse/types.ts';
import type { Foundation } from './foundation.ts';

/** The room, with a browser for scripted pages where one is switched on. */
export async function openBrowse({ config, fetch }: Foundation): Promise<Browse> {
  const { browser: executable, allowHosts, pageBytes: maxBytes, pageTimeout: timeoutMs } = config;
  if (executable === 'off') return createBrowse({ fetch, maxBytes, timeoutMs });
  const { createRenderer } = await import('../browse/render.ts');
  const renderer = createRenderer({ executable, allowHosts, maxBytes, timeoutMs });
  return createBrowse({ fetch, maxBytes, timeoutMs, renderer });
}
