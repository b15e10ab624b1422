import { AppError } from '../../../errors.ts';
import type { PageContent } from '../../reading/page.ts';
import { type Archive, openArchive, repackArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import { MAX_TABLE_ROWS, markdownTable, oneLine } from '../markdown.ts';
import { findAllBelow, parseXml } from '../xml.ts';
import { officeFacts } from './docx.ts';

const MAX_SHEETS = 50;
/** Maximum row and column of a cell. The xlsx library allocates memory for every cell up to the last row and column. */
const LAST_ROW = 10_000;
const LAST_COLUMN = 702;
/** Maximum number of cells of all sheets together, because the xlsx library allocates memory for every cell. */
const MOST_CELLS = 2 * LAST_ROW * LAST_COLUMN;
const FAR_CELLS = 'Cells that stand far from the others are not shown.';

export async function readXlsx(body: Uint8Array, url: string): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /\.(xml|rels)$/i.test(name));
  const { default: read } = await import('read-excel-file/universal');
  let sheets: Awaited<ReturnType<typeof read>>;
  let isCut = false;
  try {
    const hidden = hiddenSheets(archive);
    const copy = boundedCopy(archive);
    isCut = copy.isCut;
    const all = await read(copy.body, { trim: false });
    sheets = all.filter(({ sheet }) => !hidden.has(sheet));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw brokenFile(url, 'Excel workbook', cause);
  }
  const single = sheets.length === 1;
  const shown = sheets.slice(0, MAX_SHEETS).map(({ sheet, data }) => {
    // The xlsx library returns no `data`, against its type, for a sheet with broken XML. Such a sheet counts as empty.
    const rows = (Array.isArray(data) ? data : [])
      .filter((row) => row.some((value) => value !== null))
      .map((row) => row.map(shownValue));
    const table = markdownTable(rows.slice(0, MAX_TABLE_ROWS), rows.length <= MAX_TABLE_ROWS);
    return single ? table : `## ${oneLine(sheet)}\n\n${table || 'This sheet is empty.'}`;
  });
  if (sheets.length > MAX_SHEETS) shown.push(`${sheets.length - MAX_SHEETS} more sheets are not shown.`);
  if (isCut) shown.push(FAR_CELLS);
  return { ...officeFacts(archive), markdown: shown.join('\n\n'), units: shown };
}

function hiddenSheets(archive: Archive): ReadonlySet<string | undefined> {
  const sheets = findAllBelow(parseXml(archive.xml('xl/workbook.xml') ?? ''), 'sheet');
  return new Set(
    sheets
      .filter(({ attributes }) => /hidden$/i.test(attributes.state ?? ''))
      .map(({ attributes }) => attributes.name),
  );
}

/** Copies the workbook without rows and cells beyond the limits, because the xlsx library has no limits of its own. */
function boundedCopy(archive: Archive): { readonly body: ArrayBuffer; readonly isCut: boolean } {
  const room: Room = { cells: MOST_CELLS, isCut: false };
  const { buffer, byteOffset, byteLength } = repackArchive(archive, (xml, name) =>
    /\/worksheets\/[^/]+\.xml$/i.test(name) ? bounded(xml, room) : xml,
  );
  const body = buffer.slice(byteOffset, byteOffset + byteLength);
  return { body, isCut: room.isCut };
}

interface Room {
  cells: number;
  isCut: boolean;
}

function bounded(xml: string, room: Room): string {
  let [rows, line, column, kept, out] = [0, 0, 0, 0, ''];
  let [lines, columns] = [0, 0];
  for (const { 0: tag, 1: prefix = '', 2: name, index } of xml.matchAll(/<(\w+:)?(row|c)\b[^<>]*>/g)) {
    const [, letters = '', digits] = /\sr="([A-Z]{0,9})(\d{1,9})"/.exec(tag) ?? [];
    if (name === 'row') {
      rows++;
      line = Number(digits ?? line + 1);
      column = 0;
    } else column = letters ? numberOf(letters) : column + 1;
    const isFar = Math.max(lines, line) * Math.max(columns, column) > room.cells / 2;
    if (isFar || rows > MAX_TABLE_ROWS + 1 || line > LAST_ROW || column > LAST_COLUMN) {
      room.cells -= lines * columns;
      room.isCut ||= isFar && line <= LAST_ROW && column <= LAST_COLUMN;
      const end = `</${prefix}sheetData></${prefix}worksheet>`;
      return out + xml.slice(kept, index) + (name === 'row' ? end : `</${prefix}row>${end}`);
    }
    [lines, columns] = [Math.max(lines, line), Math.max(columns, column)];
    if (name === 'c' && digits === undefined) {
      const at = index + 1 + prefix.length + 1;
      out += `${xml.slice(kept, at)} r="${lettersOf(column)}${line}"`;
      kept = at;
    }
  }
  room.cells -= lines * columns;
  return out + xml.slice(kept);
}

function numberOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function lettersOf(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? lettersOf(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

/** Formats a cell's value. It removes the rounding errors of binary fractions from numbers and writes dates in ISO 8601. */
function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return '';
    const [day = '', time = ''] = value.toISOString().split('T');
    return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)}`;
  }
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : String(value);
}
