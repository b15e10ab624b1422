import { html } from 'hono/html';
import type { Html } from '../../html.ts';

/** Returns a page's number (from 1) and its first row (from 0). A too high number becomes the last page. */
export function clampPage(
  asked: string | undefined,
  rows: number,
  size: number,
): { readonly from: number; readonly page: number } {
  const last = Math.max(1, Math.ceil(rows / size));
  const page = Math.min(Math.max(Math.trunc(Number(asked)) || 1, 1), last);
  return { from: (page - 1) * size, page };
}

/** Maximum offset, because databases are slow at reading far from the start of a list. */
const MAX_FROM = 1_000_000;

export function parseRowOffset(asked: string | undefined): number {
  return Math.min(Math.max(Math.trunc(Number(asked)) || 0, 0), MAX_FROM);
}

export function pageLinks(
  path: string,
  query: Readonly<Record<string, string>>,
  page: number,
  pageCount: number,
): Html | string {
  if (pageCount <= 1) return '';
  const at = (number: number) => `${path}?${new URLSearchParams({ ...query, page: String(number) })}`;
  return html`<nav class="pages" aria-label="Pages of the list">${page > 1 ? html`<a class="button" rel="prev" href="${at(page - 1)}">Previous</a>` : ''}<span class="quiet">Page ${page} of ${pageCount}</span>${page < pageCount ? html`<a class="button" rel="next" href="${at(page + 1)}">Next</a>` : ''}</nav>`;
}
