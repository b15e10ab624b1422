import { withoutInvisible } from '../../../lib/text/invisible.ts';
import type { PdfLine } from './pdf-lines.ts';

interface OutlineItem {
  readonly title: string;
  readonly dest?: string | readonly unknown[] | null;
  readonly items?: readonly OutlineItem[];
}

interface WithOutline {
  getOutline(): Promise<unknown>;
  getDestination(name: string): Promise<unknown>;
}

interface OutlineEntry {
  readonly id: number;
  readonly title: string;
  readonly level: number;
}

/** Outline entries of each page, by the page's PDF object number. Levels begin at 1. */
export type PdfOutline = ReadonlyMap<number, readonly OutlineEntry[]>;

const MAX_ENTRIES = 500;
const MAX_DEPTH = 6;
const MAX_HEADING_LINES = 3;

export async function readOutline(document: WithOutline): Promise<PdfOutline> {
  const pages = new Map<number, OutlineEntry[]>();
  const roots = (await document.getOutline().catch(() => undefined)) as readonly OutlineItem[] | undefined;
  const queue = (roots ?? []).map((item) => ({ item, level: 1 }));
  for (const [id, { item, level }] of queue.entries()) {
    if (id >= MAX_ENTRIES) break;
    if (level < MAX_DEPTH) for (const one of item.items ?? []) queue.push({ item: one, level: level + 1 });
    const { dest } = item;
    const place =
      typeof dest === 'string' ? await document.getDestination(dest).catch(() => undefined) : dest;
    const page = Array.isArray(place) ? (place[0] as { readonly num: number } | null)?.num : undefined;
    const title = comparable(item.title);
    if (page === undefined || title === '') continue;
    pages.set(page, [...(pages.get(page) ?? []), { id, title, level }]);
  }
  return pages;
}

export function markHeadings(lines: readonly PdfLine[], entries: readonly OutlineEntry[] = []): PdfLine[] {
  const marked = [...lines];
  const texts = lines.map(({ cells }) => comparable(cells.join(' ')));
  for (const { id, title, level } of entries) {
    const at = marked.findIndex((_, index) => countLines(marked, texts, index, title) > 0);
    const count = at < 0 ? 0 : countLines(marked, texts, at, title);
    for (const [index, line] of marked.slice(at, at + count).entries())
      marked[at + index] = { ...line, heading: [level, id] };
  }
  return marked;
}

function countLines(lines: readonly PdfLine[], texts: readonly string[], at: number, title: string): number {
  let text = '';
  for (let count = 1; count <= MAX_HEADING_LINES && text.length <= title.length; count++) {
    const line = lines[at + count - 1];
    if (!line || line.row || line.isField || line.heading) return 0;
    text += texts[at + count - 1] ?? '';
    const number = text.endsWith(title) ? text.slice(0, -title.length) : '?';
    if (/^(?:[\p{L}\d]{0,3}[\d.]{1,9})?$/u.test(number)) return count;
  }
  return 0;
}

function comparable(text: string): string {
  return withoutInvisible(text).replace(/\s/g, '').toLowerCase();
}
