import { stripVTControlCharacters } from 'node:util';
import { isJsonObject } from '../../lib/json-members.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { PageContent } from '../reading/page.ts';
import { escapeHtml, type Feed, plainTextToHtml, renderFeed } from './feeds/feed.ts';
import { fragmentToMarkdown } from './fragment.ts';
import { writeCodeFence } from './markdown.ts';

type JsonFields = Readonly<Record<string, unknown>>;

const MAX_CELLS = 2000;
const OUTPUT_CHARACTERS = 5000;

export async function readKnownJson(text: string, url: string): Promise<PageContent | undefined> {
  const value = parseJsonOrNothing(text);
  if (!isJsonObject(value)) return undefined;
  if (Array.isArray(value.items)) return renderFeed(jsonFeed(value), url);
  // Notebooks before version 4 have worksheets that contain the cells.
  const sheets = Array.isArray(value.worksheets) ? value.worksheets.filter(isJsonObject) : [value];
  const cells = sheets.flatMap((sheet) => (Array.isArray(sheet.cells) ? sheet.cells : []));
  return sheets.some((sheet) => Array.isArray(sheet.cells)) ? notebook(value, cells) : undefined;
}

function jsonFeed(value: JsonFields): Feed {
  const items = Array.isArray(value.items) ? value.items.filter(isJsonObject) : [];
  return {
    title: escapeHtml(string(value.title)),
    about: escapeHtml(string(value.description)),
    link: string(value.home_page_url),
    language: string(value.language),
    entries: items.map((item) => ({
      // Titles are plain text, but some programs write HTML entities in them, such as `&#39;`.
      title: escapeHtml(string(item.title)).replace(/&amp;(#?\w{1,8};)/g, '&$1'),
      link: [item.url, item.external_url, item.id].map(string).find((one) => /^https?:/.test(one)) ?? '',
      date: string(item.date_published) || string(item.date_modified),
      author: names(item) || names(value),
      html: string(item.content_html) || plainTextToHtml(string(item.content_text) || string(item.summary)),
      more: [item.external_url, ...attachmentsOf(item)].map(string),
    })),
  };
}

function attachmentsOf({ attachments }: JsonFields): unknown[] {
  return Array.isArray(attachments) ? attachments.filter(isJsonObject).map(({ url }) => url) : [];
}

function names({ authors, author }: JsonFields): string {
  const all = Array.isArray(authors) ? authors : [authors, author];
  return all
    .filter(isJsonObject)
    .map(({ name }) => string(name))
    .filter(Boolean)
    .join(', ');
}

function notebook(value: JsonFields, cells: readonly unknown[]): PageContent {
  const metadata = isJsonObject(value.metadata) ? value.metadata : {};
  const about = isJsonObject(metadata.language_info) ? metadata.language_info : {};
  const language = /^[\w+#-]+$/.exec(string(about.name))?.[0] ?? 'python';
  const parts = cells
    .filter(isJsonObject)
    .slice(0, MAX_CELLS)
    .flatMap((cell) => {
      const source = lines(cell.source ?? cell.input);
      if (cell.cell_type === 'markdown') return [source];
      if (!source.trim()) return [];
      const outputs = Array.isArray(cell.outputs) ? cell.outputs.filter(isJsonObject) : [];
      return [
        writeCodeFence(source, cell.cell_type === 'code' ? language : ''),
        ...outputs.flatMap(outputOf),
      ];
    });
  const markdown = parts.filter((part) => part.trim()).join('\n\n');
  return { title: /^#[ \t]+(\S.*)$/m.exec(markdown)?.[1]?.trim() ?? '', markdown };
}

function outputOf(output: JsonFields): string[] {
  const data = isJsonObject(output.data) ? output.data : {};
  if (data['text/markdown']) return [lines(data['text/markdown'])];
  const shown = lines(data['text/plain']);
  // The plain text of an HTML output may be only its type, as in `<IPython.core.display.HTML object>`.
  const html = isNameOfObject(shown) ? fragmentToMarkdown(lines(data['text/html']), '') : '';
  if (html) return [html];
  const error = lines(output.traceback, '\n') || [output.ename, output.evalue].map(string).join(': ');
  const isError = output.ename !== undefined || output.traceback !== undefined;
  const whole = isError ? stripVTControlCharacters(error) : lines(output.text) || shown;
  const cut = whole.length - OUTPUT_CHARACTERS;
  const note = cut > 0 ? `\n[${cut} more characters of this output are left out]` : '';
  const text = whole.slice(0, OUTPUT_CHARACTERS) + note;
  return text.trim() ? [writeCodeFence(text, '')] : [];
}

const isNameOfObject = (text: string): boolean => /^(?:<[^<>\n]{1,200}>)?$/.test(text.trim());

function lines(value: unknown, between = ''): string {
  return Array.isArray(value) ? value.map(string).join(between) : string(value);
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
