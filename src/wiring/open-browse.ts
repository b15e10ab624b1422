import { createBrowse } from '../browse/browse.ts';
import type { Browse } from '../browse/types.ts';
import type { Foundation } from './foundation.ts';

/** The room, with a browser for scripted pages where one is switched on. */
export async function openBrowse({ config, fetch, readers: openReaders }: Foundation): Promise<Browse> {
  const { browser: executable, allowHosts, pageBytes: maxBytes, pageTimeout: timeoutMs } = config;
  const readers = await openReaders();
  if (executable === 'off') return createBrowse({ fetch, maxBytes, timeoutMs, readers });
  const { createRenderer } = await import('../browse/render.ts');
  const renderer = createRenderer({ executable, allowHosts, maxBytes, timeoutMs });
  return createBrowse({ fetch, maxBytes, timeoutMs, renderer, readers });
}
