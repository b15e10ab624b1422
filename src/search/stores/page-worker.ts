import type { StoredPage } from '../page-store.ts';
import { type PreparedPage, preparePage } from './page-text.ts';

export const handleJob = (page: StoredPage): PreparedPage => preparePage(page);
