import type { StoredPage } from '../local-index/page-store.ts';
import { type PreparedPage, preparePage } from './page-text.ts';

export function handleJob(page: StoredPage): PreparedPage {
  return preparePage(page);
}
