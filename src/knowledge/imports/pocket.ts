import { Parser } from 'htmlparser2';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  parseTags,
  parseTimeMicros,
  toListOrEmpty,
} from '../importing/import-values.ts';
import { readImportFileHead, readImportFileText, skipOtherFiles } from './file-text.ts';
import { escapeStrayTags, isWebPageUrl, linkEntry, mergeLinks, type SavedLink } from './links.ts';
import { rowLines } from './row-facts.ts';
import { readTable } from './table.ts';

const HEAD = /^\uFEFF?"?title"?,"?url"?,"?time_added"?,/;

/** Reads exports of Pocket: CSV files (2025) with their annotations, and older HTML files. */
export const pocket: ImportKind = {
  name: 'pocket',
  title: 'Pocket export (CSV or its ZIP, or ril_export.html)',

  async recognises(files) {
    for (const file of files) {
      if (isTable(file) && HEAD.test(await readImportFileHead(file))) return true;
      if (isHtml(file) && /<title>Pocket Export<\/title>/i.test(await readImportFileHead(file))) return true;
    }
    return false;
  },

  async *read(files) {
    const quotes = await quotesOf(files);
    const isList = (file: ImportFile) =>
      isTable(file) || isHtml(file) || (files.length === 1 && !isAnnotations(file));
    for (const file of files.filter(isList)) {
      const text = await readImportFileText(file);
      const links = /^\s*</.test(text) ? linksOfHtml(text) : linksOfTable(text, file.name);
      let number = 0;
      for (const link of mergeLinks(links)) {
        const at = `${file.name}, link ${++number}`;
        yield itemOf({ ...link, note: noteOf([link.note ?? '', ...(quotes.get(link.url) ?? [])]) }, at);
        quotes.delete(link.url);
      }
      const internal = links.filter(({ hasCursor }) => hasCursor).length;
      if (internal > 0) yield { at: file.name, skipped: 'a cursor of Pocket', count: internal };
    }
    yield* skipOtherFiles(files, (file) => isList(file) || isAnnotations(file), 'not a list of links');
    for (const [url, parts] of quotes)
      yield itemOf({ url, title: '', note: noteOf(parts), tags: [] }, `highlights of ${url}`);
  },
};

const noteOf = (parts: readonly string[]): string => parts.filter(Boolean).join('\n\n');
const isAnnotations = ({ name }: ImportFile): boolean => /(?:^|\/)annotations\/[^/]+\.json$/.test(name);
const isTable = ({ name }: ImportFile): boolean => /\.csv$|^-$/i.test(name);
const isHtml = ({ name }: ImportFile): boolean => /\.html?$|^-$/i.test(name);

function itemOf(link: SavedLink, at: string): ImportItem {
  if (!isWebPageUrl(link.url)) return { at, skipped: 'not the address of a page' };
  return { at, entry: linkEntry(link, 'pocket') };
}

const COLUMNS = new Set(['title', 'url', 'time_added', 'tags', 'status', 'cursor']);

function linksOfTable(text: string, name: string): (SavedLink & { readonly hasCursor?: boolean })[] {
  return readTable(text, name, ',').map((row) => {
    const { title = '', url = '', time_added: at, tags = '', status = '', cursor = '' } = row;
    return {
      title,
      url: url.trim(),
      at: parseTimeMicros(at),
      // The status `archive` or `unread` becomes a tag, so that users can find their unread links.
      tags: parseTags(`${tags},${status}`.replaceAll('|', ',')),
      note: rowLines(Object.fromEntries(Object.entries(row).filter(([column]) => !COLUMNS.has(column)))),
      hasCursor: cursor.trim() !== '',
    };
  });
}

function linksOfHtml(text: string): (SavedLink & { readonly hasCursor?: boolean })[] {
  const links: SavedLink[] = [];
  // The headings "Unread" and "Read Archive" over the lists give the status of the links.
  let status = '';
  let isHeading = false;
  let open: { url: string; title: string; at?: number; tags: string[] } | undefined;
  const parser = new Parser({
    onopentag(name, { href = '', time_added: at, tags }) {
      isHeading = name === 'h1';
      if (name !== 'a') return;
      const all = parseTags(`${tags ?? ''},${status}`);
      open = { url: href, title: '', at: parseTimeMicros(at), tags: all };
    },
    ontext(piece) {
      if (open) open.title += piece;
      else if (isHeading) status = /archive|unread/i.exec(piece)?.[0].toLowerCase() ?? '';
    },
    onclosetag(name) {
      isHeading = false;
      if (name !== 'a' || !open) return;
      links.push(open);
      open = undefined;
    },
  });
  parser.end(escapeStrayTags(text));
  return links;
}

async function quotesOf(files: readonly ImportFile[]): Promise<Map<string, string[]>> {
  const quotes = new Map<string, string[]>();
  for (const file of files.filter(isAnnotations)) {
    for (const one of toListOrEmpty(parseJsonOrNothing(await readImportFileText(file)))) {
      const { url, highlights } = asObject(one);
      const address = asTrimmedText(url);
      if (address === undefined) continue;
      for (const mark of toListOrEmpty(highlights)) {
        const text = asTrimmedText(asObject(mark).quote);
        if (text === undefined) continue;
        const known = quotes.get(address);
        if (known) known.push(`> ${text}`);
        else quotes.set(address, [`> ${text}`]);
      }
    }
  }
  return quotes;
}
