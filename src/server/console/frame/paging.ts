import { html } from 'hono/html';
import type { Html } from '../../app/page.ts';

/** Which rows a page of a list has: `from` from 0, `page` from 1, both within the list whatever was asked. */
export function pageOf(
  asked: string | undefined,
  rows: number,
  size: number,
): { readonly from: number; readonly page: number } {
  const last = Math.max(1, Math.ceil(rows / size));
  const page = Math.min(Math.max(Math.trunc(Number(asked)) || 1, 1), last);
  return { from: (page - 1) * size, page };
}

/** Most rows that a list is read past: further ones take longer than anyone waits. */
const MAX_FROM = 1_000_000;

/** The row from which on a list is shown, as an address has it: from 0, and 0 where the address has none. */
export function rowOf(asked: string | undefined): number {
  return Math.min(Math.max(Math.trunc(Number(asked)) || 0, 0), MAX_FROM);
}

/** Links to the page before and after; nothing where there is one page. */
export function pageLinks(
  path: string,
  query: Readonly<Record<string, string>>,
  page: number,
  of: number,
): Html | string {
  if (of <= 1) return '';
  const at = (number: number) => `${path}?${new URLSearchParams({ ...query, page: String(number) })}`;
  return html`<nav class="pages" aria-label="Pages of the list">${page > 1 ? html`<a class="button" rel="prev" href="${at(page - 1)}">Previous</a>` : ''}<span class="quiet">Page ${page} of ${of}</span>${page < of ? html`<a class="button" rel="next" href="${at(page + 1)}">Next</a>` : ''}</nav>`;
}
