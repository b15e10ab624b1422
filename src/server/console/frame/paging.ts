import { html } from 'hono/html';
import { formatCount } from '../../../lib/text/format-count.ts';
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

export function clampRowOffset(from: number, rows: number): number {
  return Math.min(Math.max(from, 0), Math.max(rows - 1, 0));
}

/** Returns links between the pages of a list whose address names the first row of a page, from 0. */
export function rowPageLinks(
  { from, size, rows, noun }: Readonly<Record<'from' | 'size' | 'rows', number>> & { readonly noun: string },
  addressOf: (from: number) => string,
): Html | string {
  if (rows <= size) return '';
  return linksAround(
    from > 0 ? addressOf(Math.max(0, from - size)) : undefined,
    `${from + 1} to ${Math.min(from + size, rows)} of ${formatCount(rows, noun)}`,
    from + size < rows ? addressOf(from + size) : undefined,
  );
}

export function pageLinks(
  path: string,
  query: Readonly<Record<string, string>>,
  page: number,
  pageCount: number,
): Html | string {
  if (pageCount <= 1) return '';
  const at = (number: number) => `${path}?${new URLSearchParams({ ...query, page: String(number) })}`;
  return linksAround(
    page > 1 ? at(page - 1) : undefined,
    `Page ${page} of ${pageCount}`,
    page < pageCount ? at(page + 1) : undefined,
  );
}

function linksAround(previous: string | undefined, here: string, next: string | undefined): Html {
  return html`<nav class="pages" aria-label="Pages of the list">${previous ? html`<a class="button" rel="prev" href="${previous}">Previous</a>` : ''}<span class="quiet">${here}</span>${next ? html`<a class="button" rel="next" href="${next}">Next</a>` : ''}</nav>`;
}
