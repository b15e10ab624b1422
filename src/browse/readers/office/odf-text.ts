import { pushAll } from '../../../lib/long-lists.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { escapeInlineMarkup } from '../html/markdown/escape.ts';
import { writePictureWords } from '../html/markdown/pictures.ts';
import { convertToSuperscript } from '../html/markdown/superscripts.ts';
import { escapeBlockStart, HIDDEN_NOTE, MAX_TABLE_ROWS, markdownTable, oneLine } from '../markdown.ts';
import {
  childrenOf,
  findAllBelow,
  findByPath,
  isElement,
  parseXml,
  textOf,
  type XmlElement,
  type XmlNode,
} from '../xml.ts';
import { readOnce } from './graphic-placeholders.ts';
import { headingLabel, listItemMark } from './number-labels.ts';
import {
  cellValue,
  commentAuthor,
  countItem,
  hiddenColumns,
  isCollapsed,
  isHiddenByItself,
  type ListStyle,
  type OdfStyles,
} from './odf-styles.ts';
import { linkTo } from './relations.ts';

/** Maximum copies of a repeated cell or row. Many sheets end with thousands of empty copies. */
const MAX_REPEATS = 200;
const MAX_COLUMNS = 20_000;
const MAX_LEVELS = 20;
/** Maximum characters of a merged cell's text that is repeated in each row of the cell. */
const MAX_REPEATED_CHARS = 80;
/** Classes of headers, footers, dates and page numbers on slides and notes. These elements are not read. */
const EDGE = /^(?:header|footer|date-time|page-number)$/;

export class OdfMarkdownWriter {
  readonly notes: string[] = [];
  readonly #styles: OdfStyles;
  readonly #readObject: (name: string) => string;
  readonly #isSheets: boolean;
  #isInChart = false;
  readonly #headingCounts: (number | undefined)[] = [];
  /** Last number on each level of a list, for lists that continue it. Keys: style name, or `#` and id. */
  readonly #listCounts = new Map<string, (number | undefined)[]>();

  constructor(styles: OdfStyles, isSheets: boolean, readObject: (name: string) => string) {
    this.#styles = styles;
    this.#readObject = readObject;
    this.#isSheets = isSheets;
  }

  blocks(parent: XmlElement | undefined): string[] {
    return childrenOf(parent).flatMap((element): string[] => {
      const { name } = element;
      if (this.#styles.hides(element) || isHiddenByItself(element)) return [];
      if (EDGE.test(element.attributes.class ?? '')) return [];
      switch (name) {
        case 'h':
          return [this.#heading(element)];
        case 'p': {
          const [text, mark] = [this.inline(element).trim(), HEADINGS.get(this.#styles.nameOf(element))];
          return [
            mark && text ? `${mark} ${oneLine(text)}` : escapeBlockStart(text),
            ...findAllBelow(element, 'text-box').flatMap((box) => this.blocks(box)),
            ...findAllBelow(element, 'object').map((one) => this.#chart(one)),
          ];
        }
        case 'list': {
          const lines = this.#list(element).join('\n');
          return [lines.replace(/\n{3,}/g, '\n\n').trim()];
        }
        case 'table':
          return this.#isSheets ? this.#sheet(element) : [this.#table(element)];
        case 'frame':
          return [...this.blocks({ ...element, name: '' }), this.#picture(element)].filter(Boolean);
        case 'object':
          return this.#isSheets ? [] : [this.#chart(element)];
        case 'tracked-changes':
        case 'forms':
        case 'table-of-content':
        case 'sequence-decls':
        case 'annotation':
          return [];
        default:
          return this.blocks(element);
      }
    });
  }

  inline(node: XmlNode): string {
    if (typeof node === 'string') return escapeInlineMarkup(node.replace(/\s+/g, ' '));
    const { name, attributes, children } = node;
    if (this.#styles.hides(node) || isHiddenByItself(node)) return '';
    let before = '';
    const inside = () =>
      children
        .map((child) => {
          const text = this.inline(child);
          const shown =
            isElement(child) && this.#styles.raises(child) ? convertToSuperscript(text, before) : text;
          before = text || before;
          return shown;
        })
        .join('');
    switch (name) {
      case 's':
        return ' '.repeat(Math.min(Number(attributes.c) || 1, 100));
      case 'tab':
        return ' ';
      case 'line-break':
        return '\n';
      case 'a': {
        return linkTo({ target: '', type: '', address: attributes.href ?? '' }, inside());
      }
      case 'frame':
        return children.map((child) => this.inline(child)).join('') + this.#picture(node);
      case 'ruby-text':
        return `(${inside()})`;
      case 'object':
        return this.#formula(attributes.href ?? '');
      case 'note':
        return this.#note('', findByPath(node, 'note-body'));
      case 'annotation': {
        const author = oneLine(commentAuthor(node));
        return this.#note(`Comment${author && ` by ${author}`}: `, node);
      }
      case 'text-box':
      case 'tracked-changes':
      case 'title':
      case 'desc':
      case 'script':
        return '';
      default:
        return inside();
    }
  }

  readonly #formula = readOnce((href) => {
    const xml = this.#readObject(`${href.replace(/^\.\//, '')}/content.xml`);
    const [, math = ''] = xml.split(/<(?:math:)?math(?=[\s>])/, 2);
    if (math === '') return '';
    const [inside = ''] = math.replace(/<(\/?)math:/g, '<$1').split(/<annotation|<\/math>/, 1);
    return fragmentToMarkdown(`<math ${inside}</math>`, 'file:///');
  });

  #chart({ attributes: { href = '' } }: XmlElement): string {
    // Charts inside a chart are not read, because a chart could contain itself.
    if (this.#isInChart) return '';
    this.#isInChart = true;
    const text = this.#chartAt(href);
    this.#isInChart = false;
    return text;
  }

  readonly #chartAt = readOnce((href) => {
    const xml = this.#readObject(`${href.replace(/^\.\//, '')}/content.xml`);
    const [chart] = findAllBelow(parseXml(xml), 'chart').flatMap((one) => childrenOf(one, 'chart'));
    const title = oneLine(textOf(findByPath(chart, 'title')));
    return [title, ...childrenOf(chart, 'table').map((one) => this.#table(one))].filter(Boolean).join('\n\n');
  });

  #picture(frame: XmlElement): string {
    const [described] = ['desc', 'title']
      .map((name) => textOf(findByPath(frame, name)).trim())
      .filter(Boolean);
    return findByPath(frame, 'image') ? writePictureWords(described ?? '') : '';
  }

  #note(before: string, body: XmlElement | undefined): string {
    const number = this.notes.push('');
    this.notes[number - 1] = `[^${number}]: ${before}${oneLine(this.blocks(body).join(' '))}`;
    return `[^${number}]`;
  }

  #heading(element: XmlElement, own?: string): string {
    const { attributes } = element;
    const level = Math.min(6, Math.max(1, Number(attributes['outline-level']) || 1));
    const text = oneLine(this.inline(element));
    const isNumbered = text !== '' && attributes['is-list-header'] !== 'true';
    const label =
      own || !isNumbered
        ? own
        : countItem(this.#headingCounts, level, this.#styles.headings, attributes['start-value']);
    return `${'#'.repeat(level)} ${label ? `${headingLabel(label)} ` : ''}${text}`;
  }

  #list(element: XmlElement): string[] {
    const { attributes } = element;
    const name = attributes['style-name'] ?? '';
    const before =
      attributes['continue-numbering'] === 'true'
        ? this.#listCounts.get(name)
        : this.#listCounts.get(`#${attributes['continue-list'] ?? ''}`);
    const counts = [...(before ?? [])];
    const lines = this.#items(element, { level: 1, style: this.#styles.lists.get(name), counts, indent: '' });
    this.#listCounts.set(name, counts);
    for (const key of [attributes.id, attributes['continue-list']]) {
      if (key !== undefined) this.#listCounts.set(`#${key}`, counts);
    }
    return lines;
  }

  #items(element: XmlElement, list: OpenList): string[] {
    return childrenOf(element)
      .filter(({ name }) => name === 'list-item' || name === 'list-header')
      .flatMap((item) => {
        const children = childrenOf(item).filter((child) => !isHiddenByItself(child));
        // An item that begins with an inner list has no text of its own and gets no number.
        const isCounted =
          item.name === 'list-item' && children[0] !== undefined && children[0].name !== 'list';
        const label = isCounted
          ? countItem(list.counts, list.level, list.style, item.attributes['start-value'])
          : undefined;
        const mark = listItemMark(label || undefined);
        const width = mark.startsWith('- ') ? 2 : mark.length;
        return children.flatMap((child, index) => {
          const indent = list.indent + ' '.repeat(width);
          if (child.name === 'list') return this.#inner(child, { ...list, level: list.level + 1, indent });
          if (child.name === 'h') return ['', this.#heading(child, label), ''];
          const text = oneLine(this.inline(child));
          return text ? [`${index === 0 ? list.indent + mark : indent}${text}`] : [];
        });
      });
  }

  #inner(element: XmlElement, list: OpenList): string[] {
    if (list.level > MAX_LEVELS) return [];
    const own = this.#styles.lists.get(element.attributes['style-name'] ?? '');
    return this.#items(element, { ...list, style: own ?? list.style });
  }

  /** Returns a cell's text. A table in the cell becomes plain words, because a Markdown row is one line. */
  #cellText(cell: XmlElement): string {
    return childrenOf(cell)
      .flatMap((one) =>
        one.name === 'table'
          ? findAllBelow(one, 'table-cell')
              .map((inner) => this.#cellText(inner))
              .filter(Boolean)
              .join(' ')
          : this.blocks({ name: '', attributes: {}, children: [one] }).map((text) =>
              text.replace(/^#{1,6} /, ''),
            ),
      )
      .filter(Boolean)
      .join('\n');
  }

  #sheet(element: XmlElement): string[] {
    return [
      `## ${oneLine(element.attributes.name ?? 'Sheet')}`,
      this.#table(element) || 'This sheet is empty.',
      ...childrenOf(element, 'shapes').flatMap((one) => this.blocks(one)),
      ...findAllBelow(element, 'object').map((one) => this.#chart(one)),
    ];
  }

  #table(element: XmlElement): string {
    const hidden = hiddenColumns(element, MAX_COLUMNS);
    const rows: string[][] = [];
    const above: string[] = [];
    let hasHidden = false;
    for (const row of findAllBelow(element, 'table-row')) {
      const isHidden = isCollapsed(row.attributes);
      const all = this.#cells(row, above, (at) => isHidden || hidden.has(at));
      const cells = isHidden ? [] : all.map((cell, at) => (hidden.has(at) ? '' : cell));
      hasHidden ||= findAllBelow(row, 'covered-table-cell').some((one) => this.#cellText(one) !== '');
      hasHidden ||= all.some((cell, at) => cell !== '' && (isHidden || hidden.has(at)));
      while (cells.at(-1) === '') cells.pop();
      if (cells.length === 0) continue;
      const times = timesOf(row.attributes['number-rows-repeated']);
      pushAll(rows, Array<string[]>(times).fill(cells));
      if (rows.length > MAX_TABLE_ROWS) break;
    }
    const table = markdownTable(rows.slice(0, MAX_TABLE_ROWS), rows.length <= MAX_TABLE_ROWS);
    return [table, hasHidden && HIDDEN_NOTE].filter(Boolean).join('\n\n');
  }

  #cells(row: XmlElement, above: string[], isHidden: (at: number) => boolean): string[] {
    // `at` is the current column. A covered cell at or after `end` is part of a merged cell of a row above.
    let [at, end] = [0, 0];
    const covered = () => (at >= end && above[at]) || '';
    return childrenOf(row)
      .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
      .flatMap((cell) => {
        const isCovered = cell.name === 'covered-table-cell';
        const seen = isHidden(at) || isCovered ? [] : childrenOf(cell, 'annotation');
        const comments = seen.map((one) => this.inline(one));
        const own = () => (this.#cellText(cell) || cellValue(cell)) + comments.join('');
        const text = isCovered ? covered() : own();
        const { 'number-rows-spanned': high, 'number-columns-spanned': wide } = cell.attributes;
        const isRepeated = Number(high) > 1 && !this.#isSheets && text.length <= MAX_REPEATED_CHARS;
        if (!isCovered) end = at + (Number(wide) || 1);
        if (at < MAX_COLUMNS && (!isCovered || at < end)) above[at] = isRepeated ? text : '';
        at += Math.min(Number(cell.attributes['number-columns-repeated']) || 1, MAX_COLUMNS);
        const times = timesOf(cell.attributes['number-columns-repeated']);
        return isCovered ? [text, ...Array<string>(times - 1).fill('')] : Array<string>(times).fill(text);
      });
  }
}

const HEADINGS: ReadonlyMap<string, string> = new Map(Object.entries({ Title: '#', Subtitle: '##' }));

function timesOf(repeated: string | undefined): number {
  return Math.min(Math.max(Math.trunc(Number(repeated)) || 1, 1), MAX_REPEATS);
}

interface OpenList {
  readonly level: number;
  readonly style: ListStyle | undefined;
  readonly counts: (number | undefined)[];
  readonly indent: string;
}
