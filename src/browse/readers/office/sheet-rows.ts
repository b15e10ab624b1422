import { escapeInlineMarkup } from '../html/markdown/escape.ts';
import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS } from '../markdown.ts';
import { scanXml } from '../xml.ts';
import { FIRST_DAY, type ShowValue } from './number-formats.ts';
import { findRelation, linkTo, type OfficeRelation } from './relations.ts';

const LAST_COLUMN = 16_384;
/** Matches a date, a time or both in ISO 8601, as cells of the type `d` have it. */
const ISO_DATE = /^(?=.)(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:\d\d)?$/;
/** In sheets with more columns, columns without any value are removed. */
const MAX_GAP_COLUMNS = 100;

export function readSheetRows(
  xml: string,
  shared: readonly string[],
  show: ShowValue,
  relations: ReadonlyMap<string, OfficeRelation> = new Map(),
): {
  readonly rows: readonly (readonly string[])[];
  readonly hasMore: boolean;
  readonly hasHidden: boolean;
  /** True if a cell, given as a reference such as `B2`, is in a hidden row or column. */
  readonly isHiddenCell: (reference: string | undefined) => boolean;
} {
  const reader = new SheetReader(shared, show, relations);
  scanXml(xml, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.addText(text),
    close: (name) => reader.close(name),
  });
  const { hasMore, hasHidden } = reader;
  return {
    rows: denseRows(reader.rows),
    hasMore,
    hasHidden,
    isHiddenCell: (one) => reader.hides(placeOf(one)),
  };
}

function denseRows(rows: readonly ReadonlyMap<number, string>[]): string[][] {
  const used = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort((one, other) => one - other);
  const last = used.at(-1) ?? 0;
  const columns = last <= MAX_GAP_COLUMNS ? Array.from({ length: last }, (_, at) => at + 1) : used;
  const kept = columns.slice(0, MAX_TABLE_COLUMNS + 1);
  // The first row keeps all cells, so that `markdownTable` can count the omitted columns.
  return rows.map((row, at) => (at === 0 ? columns : kept).map((column) => row.get(column) ?? ''));
}

class SheetReader {
  readonly rows: Map<number, string>[] = [];
  hasMore = false;
  hasHidden = false;
  readonly #shared: readonly string[];
  readonly #show: ShowValue;
  readonly #relations: ReadonlyMap<string, OfficeRelation>;
  readonly #hiddenColumns = new Set<number>();
  readonly #hiddenRows = new Set<number>();
  readonly #rowsByNumber = new Map<number, Map<number, string>>();
  #row = new Map<number, string>();
  #rowNumber = 0;
  #column = 0;
  #isHiddenRow = false;
  #cell: Readonly<Record<string, string>> | undefined;
  #value = '';
  #formula = '';
  #reads: 'value' | 'formula' | undefined;
  #phonetic = false;

  constructor(shared: readonly string[], show: ShowValue, relations: ReadonlyMap<string, OfficeRelation>) {
    this.#shared = shared;
    this.#show = show;
    this.#relations = relations;
  }

  /** Handles a start tag. Returns false if the rest of the sheet is not needed. */
  open(name: string, attributes: Readonly<Record<string, string>>): boolean {
    if (name === 'col' && isHidden(attributes, 'width')) {
      const last = Math.min(Number(attributes.max), LAST_COLUMN);
      for (let at = Math.max(Number(attributes.min), 1); at <= last && !this.#hiddenColumns.has(at); at++) {
        this.#hiddenColumns.add(at);
      }
    } else if (name === 'row') {
      this.#column = 0;
      this.#isHiddenRow = isHidden(attributes, 'ht');
      this.#row = new Map();
      this.#rowNumber = Number(attributes.r ?? this.#rowNumber + 1);
      if (this.#isHiddenRow) this.#hiddenRows.add(this.#rowNumber);
    } else if (name === 'c') {
      this.#column = placeOf(attributes.r)?.column ?? this.#column + 1;
      this.#cell = attributes;
      [this.#value, this.#formula] = ['', ''];
    } else if (name === 'rPh') this.#phonetic = true;
    else if (name === 'v' || name === 't') this.#reads = this.#cell && !this.#phonetic ? 'value' : undefined;
    else if (name === 'f') this.#reads = 'formula';
    else if (name === 'hyperlink') this.#link(attributes);
    else if (name === 'mergeCell') this.#merge(attributes.ref);
    return !this.hasMore;
  }

  hides(place: CellPosition | undefined): boolean {
    return place !== undefined && (this.#hiddenRows.has(place.row) || this.#hiddenColumns.has(place.column));
  }

  addText(text: string): void {
    if (this.#reads === 'value') this.#value += text;
    else if (this.#reads === 'formula') this.#formula += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't' || name === 'f') this.#reads = undefined;
    else if (name === 'rPh') this.#phonetic = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row' && this.#row.size > 0) {
      this.#rowsByNumber.set(this.#rowNumber, this.#row);
      if (this.rows.length < MAX_TABLE_ROWS) this.rows.push(this.#row);
      else this.hasMore = true;
    }
  }

  #merge(reference = ''): void {
    const [first, last] = reference.split(':').map(placeOf);
    if (!first || !last || last.column - first.column > LAST_COLUMN) return;
    for (const [number, cells] of this.#rowsByNumber) {
      if (number < first.row || number > last.row) continue;
      for (const column of [...cells.keys()]) {
        if (column < first.column || column > last.column) continue;
        if (number !== first.row || column !== first.column) this.hasHidden = cells.delete(column);
      }
    }
  }

  #link(attributes: Readonly<Record<string, string>>): void {
    const { column, row } = placeOf(attributes.ref) ?? {};
    const cells = this.#rowsByNumber.get(row ?? 0);
    const text = cells?.get(column ?? 0);
    if (cells && column !== undefined && text !== undefined)
      cells.set(column, linkTo(findRelation(this.#relations, attributes), text));
  }

  #endCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell) return;
    const column = this.#column;
    const shown = column > LAST_COLUMN ? '' : escapeInlineMarkup(this.#textOf(cell));
    const [, address] = /^HYPERLINK\("([^"]{1,2000})"[,;)]/i.exec(this.#formula.trim()) ?? [];
    const text = address === undefined ? shown : linkTo({ target: '', type: '', address }, shown);
    if (text === '') return;
    if (this.#isHiddenRow || this.#hiddenColumns.has(column)) {
      this.hasHidden = true;
      return;
    }
    this.#row.set(column, text);
  }

  #textOf({ t: type = 'n', s: style }: Readonly<Record<string, string>>): string {
    const value = this.#value;
    // Shows the formula of a cell without a stored value. For the type `str`, no value means an empty text.
    if (value === '' && this.#formula !== '' && type !== 'str') return formulaText(this.#formula);
    switch (type) {
      case 's':
        return this.#show(this.#shared[Number(value || 'NaN')] ?? '', Number(style));
      case 'inlineStr':
      case 'str':
        return this.#show(decodeExcelEscapes(value), Number(style));
      case 'b':
        return value === '' ? '' : this.#show(/^(?:1|true)$/i.test(value.trim()), Number(style));
      case 'e':
        return value;
      case 'd': {
        const [match, day = '1899-12-30', time = '00:00'] = ISO_DATE.exec(value.trim()) ?? [];
        const date = new Date(match === undefined ? Number.NaN : `${day}T${time}Z`);
        // Excel has no number for a date before `FIRST_DAY`, so such a date is shown as in the file.
        return date.valueOf() >= FIRST_DAY ? this.#show(date, Number(style)) : value;
      }
      default: {
        const number = value.trim() === '' ? Number.NaN : Number(value);
        return Number.isFinite(number) ? this.#show(number, Number(style)) : value;
      }
    }
  }
}

function isHidden({ hidden, ...sizes }: Readonly<Record<string, string>>, size: 'width' | 'ht'): boolean {
  return /^(?:1|true)$/.test(hidden ?? '') || (sizes[size] !== undefined && Number(sizes[size]) === 0);
}

interface CellPosition {
  readonly column: number;
  readonly row: number;
}

function placeOf(reference = ''): CellPosition | undefined {
  const [, letters, digits] = /^([A-Z]{1,9})(\d{1,9})?/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { column, row: Number(digits) };
}

function formulaText(formula: string): string {
  const [, text] = /^HYPERLINK\(.{1,2000}[,;]\s{0,9}"((?:[^"]|""){1,1000})"\)$/is.exec(formula.trim()) ?? [];
  return text === undefined ? `=${formula.trim()}` : text.replaceAll('""', '"');
}

/** Decodes escapes such as `_x000D_`, by which Excel writes characters that XML cannot contain. */
export function decodeExcelEscapes(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
