import type { StoredPage } from '../local-index/page-store.ts';
import { type PreparedPage, preparePage } from './page-text.ts';

/** Makes one page after the other ready, off the event loop; see page-desk.ts. */
export function answer(page: StoredPage): PreparedPage {
  return preparePage(page);
}
