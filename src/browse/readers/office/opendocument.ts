import { AppError } from '../../../errors.ts';
import type { PageContent } from '../../reading/page.ts';
import { type Archive, openArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import { dateOf } from '../feed.ts';
import { MAX_TABLE_ROWS, markdownTable, oneLine } from '../markdown.ts';
import {
  childrenOf,
  findAllBelow,
  findByPath,
  parseXml,
  textOf,
  type XmlElement,
  type XmlNode,
} from '../xml.ts';

/** Maximum number of copies of a repeated cell. Programs fill the empty rest of a sheet with one repeated cell. */
const MAX_REPEATS = 200;
const MAX_LEVELS = 20;

export async function readOpenDocument(
  body: Uint8Array,
  url: string,
  kind: 'odt' | 'ods' | 'odp',
): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /^(content|meta|META-INF\/manifest)\.xml$/.test(name));
  if (archive.xml('META-INF/manifest.xml')?.includes('encryption-data')) {
    throw new AppError(
      'unsupported',
      `${url} is an encrypted OpenDocument file; save it without a password, or as a PDF with one, which is read`,
    );
  }
  const content = findByPath(parseXml(archive.xml('content.xml') ?? ''), 'document-content');
  const [main] = childrenOf(withoutHidden(findByPath(content, 'body'), hiddenStyles(content)));
  if (!main) throw brokenFile(url, 'OpenDocument file', undefined, 'it has no contents');
  const notes: string[] = [];
  const text =
    kind === 'odp'
      ? childrenOf(main, 'page').map((page, index) => slide(page, index + 1, notes))
      : blocks(main, notes, kind === 'ods');
  const whole = [...text, ...notes].filter(Boolean);
  const units = kind === 'odp' ? [...text, ...notes] : kind === 'ods' ? sheetsOf(whole) : undefined;
  return { ...factsOf(archive), markdown: whole.join('\n\n'), units };
}

function sheetsOf(all: readonly string[]): string[] {
  const sheets: string[] = [];
  for (const block of all) {
    if (block.startsWith('## ') || sheets.length === 0) sheets.push(block);
    else sheets[sheets.length - 1] += `\n\n${block}`;
  }
  return sheets;
}

function hiddenStyles(content: XmlElement | undefined): ReadonlySet<string | undefined> {
  const styles = childrenOf(findByPath(content, 'automatic-styles'), 'style');
  const hidden = styles.filter((style) =>
    findAllBelow(style, 'text-properties').some(({ attributes }) => attributes.display === 'none'),
  );
  return new Set(hidden.map(({ attributes }) => attributes.name));
}

/** Removes hidden text, so that it cannot instruct an assistant. */
function withoutHidden(
  element: XmlElement | undefined,
  hidden: ReadonlySet<string | undefined>,
): XmlElement | undefined {
  if (!element || hidden.size === 0) return element;
  const children = element.children.flatMap((child): XmlNode[] => {
    if (typeof child === 'string') return [child];
    if (hidden.has(child.attributes['style-name'] ?? '')) return [];
    return [withoutHidden(child, hidden) ?? ''];
  });
  return { ...element, children };
}

function slide(page: XmlElement, number: number, notes: string[]): string {
  const frames = childrenOf(page).filter(({ name }) => name !== 'notes');
  const title = frames.find(({ attributes }) => attributes.class === 'title');
  const said = blocks(findByPath(page, 'notes'), notes).join('\n\n');
  return [
    `## ${(title && oneLine(textOf(title))) || `Slide ${number}`}`,
    ...frames.filter((frame) => frame !== title).flatMap((frame) => blocks(frame, notes)),
    said && `### Notes\n\n${said}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function blocks(parent: XmlElement | undefined, notes: string[], sheets = false): string[] {
  return childrenOf(parent).flatMap((element): string[] => {
    const { name, attributes } = element;
    switch (name) {
      case 'h': {
        const level = Math.min(6, Math.max(1, Number(attributes['outline-level']) || 1));
        return [`${'#'.repeat(level)} ${oneLine(inline(element, notes))}`];
      }
      case 'p':
        return [inline(element, notes).trim(), ...frames(element, notes)];
      case 'list':
        return [list(element, notes, 0).join('\n')];
      case 'table':
        return [
          sheets ? `## ${oneLine(attributes.name ?? 'Sheet')}` : '',
          table(element, notes) || (sheets ? 'This sheet is empty.' : ''),
        ];
      // Skips text that is not content, such as deleted text and the table of contents.
      case 'tracked-changes':
      case 'forms':
      case 'table-of-content':
      case 'sequence-decls':
      case 'annotation':
        return [];
      default:
        return blocks(element, notes, sheets);
    }
  });
}

/** Returns text boxes, which are inside a paragraph but are written as separate blocks. */
function frames(paragraph: XmlElement, notes: string[]): string[] {
  return findAllBelow(paragraph, 'text-box').flatMap((box) => blocks(box, notes));
}

function list(element: XmlElement, notes: string[], level: number): string[] {
  return childrenOf(element)
    .filter(({ name }) => name === 'list-item' || name === 'list-header')
    .flatMap((item) =>
      childrenOf(item).flatMap((child, index) => {
        if (child.name === 'list') return level < MAX_LEVELS ? list(child, notes, level + 1) : [];
        const text = oneLine(inline(child, notes));
        return text ? [`${'  '.repeat(level)}${index === 0 ? '- ' : '  '}${text}`] : [];
      }),
    );
}

function table(element: XmlElement, notes: string[]): string {
  const all = findAllBelow(element, 'table-row');
  const rows: string[][] = [];
  for (const row of all) {
    const cells = childrenOf(row)
      .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
      .flatMap((cell) => {
        const text = blocks(cell, notes).join(' ');
        const times = Number(cell.attributes['number-columns-repeated']) || 1;
        return Array<string>(Math.min(times, MAX_REPEATS)).fill(text);
      });
    while (cells.at(-1) === '') cells.pop();
    if (cells.length > 0 && rows.push(cells) > MAX_TABLE_ROWS) break;
  }
  return markdownTable(rows.slice(0, MAX_TABLE_ROWS), rows.length <= MAX_TABLE_ROWS);
}

function inline(node: XmlNode, notes: string[]): string {
  if (typeof node === 'string') return node.replace(/\s+/g, ' ');
  const { name, attributes, children } = node;
  const inside = () => children.map((child) => inline(child, notes)).join('');
  switch (name) {
    case 's':
      return ' '.repeat(Math.min(Number(attributes.c) || 1, 100));
    case 'tab':
      return ' ';
    case 'line-break':
      return '\n';
    case 'a': {
      const text = inside();
      return text.trim() && /^https?:/.test(attributes.href ?? '') ? `[${text}](${attributes.href})` : text;
    }
    case 'note': {
      const number = notes.push('');
      const text = blocks(findByPath(node, 'note-body'), notes).join(' ');
      notes[number - 1] = `[^${number}]: ${oneLine(text)}`;
      return `[^${number}]`;
    }
    case 'text-box':
    case 'annotation':
    case 'tracked-changes':
    case 'desc':
      return '';
    default:
      return inside();
  }
}

function factsOf(archive: Archive): Omit<PageContent, 'markdown'> {
  const meta = findByPath(parseXml(archive.xml('meta.xml') ?? ''), 'document-meta', 'meta');
  const fact = (name: string) => oneLine(textOf(findByPath(meta, name)));
  const author = fact('creator') || fact('initial-creator');
  const [published, language] = [dateOf(fact('date') || fact('creation-date')), fact('language')];
  return {
    title: fact('title'),
    author: author || undefined,
    published: published || undefined,
    language: language || undefined,
  };
}
