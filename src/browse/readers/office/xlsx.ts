import { formatCount } from '../../../lib/text/format-count.ts';
import type { PageContent } from '../../reading/page.ts';
import { openArchive, type ZipArchive } from '../archive.ts';
import { brokenFile } from '../broken-file-error.ts';
import { HIDDEN_NOTE, markdownTable, oneLine } from '../markdown.ts';
import { findAllBelow, findByPath, parseXml, scanXml, type XmlElement } from '../xml.ts';
import { officeFacts } from './docx.ts';
import { createCellFormatter, type ShowValue } from './number-formats.ts';
import { findRelation, mainPart, type OfficeRelation, readRelations, targetsOf } from './relations.ts';
import { sheetExtras } from './sheet-extras.ts';
import { decodeExcelEscapes, readSheetRows } from './sheet-rows.ts';

const MAX_SHEETS = 50;

export async function readXlsx(body: Uint8Array, url: string): Promise<PageContent> {
  const archive = openArchive(body, url, (name) => /\.(xml|rels|vml)$/i.test(name));
  const main = mainPart(archive, 'xl/workbook.xml');
  const workbook = findByPath(parseXml(archive.xml(main) ?? ''), 'workbook');
  const all = findAllBelow(workbook, 'sheet');
  if (all.length === 0) throw brokenFile(url, 'Excel workbook');
  const relations = readRelations(archive, main);
  const sheets = all.filter(({ attributes }) => !/hidden$/i.test(attributes.state ?? ''));
  const shared = sharedStrings(partOf(archive, relations, 'sharedStrings'));
  const uses1904 = /^(?:1|true)$/.test(findByPath(workbook, 'workbookPr')?.attributes.date1904 ?? '');
  const styles = findByPath(parseXml(partOf(archive, relations, 'styles')), 'styleSheet');
  const show = createCellFormatter(styles, uses1904);
  const shown = sheets.slice(0, MAX_SHEETS).map((sheet) => {
    const text = sheetText(archive, relations, sheet, shared, show);
    return sheets.length === 1
      ? text
      : `## ${oneLine(sheet.attributes.name ?? '')}\n\n${text || 'This sheet is empty.'}`;
  });
  const hidden = all.length - sheets.length;
  if (hidden > 0) shown.push(`Not shown: ${formatCount(hidden, 'hidden sheet')}.`);
  if (sheets.length > MAX_SHEETS) shown.push(`${sheets.length - MAX_SHEETS} more sheets are not shown.`);
  return { ...officeFacts(archive), markdown: shown.join('\n\n'), units: shown };
}

function sheetText(
  archive: ZipArchive,
  relations: ReadonlyMap<string, OfficeRelation>,
  { attributes }: XmlElement,
  shared: readonly string[],
  show: ShowValue,
): string {
  const path = findRelation(relations, attributes)?.target ?? '';
  const own = readRelations(archive, path);
  const xml = archive.xml(path) ?? '';
  const { rows, hasMore, hasHidden, isHiddenCell } = readSheetRows(xml, shared, show, own);
  const table = markdownTable(rows, !hasMore);
  const hidden = hasHidden && HIDDEN_NOTE;
  return [table, hidden, ...sheetExtras(archive, own, isHiddenCell)].filter(Boolean).join('\n\n');
}

function partOf(archive: ZipArchive, relations: ReadonlyMap<string, OfficeRelation>, type: string): string {
  const [part = `xl/${type}.xml`] = targetsOf(relations, type);
  return archive.xml(part) ?? '';
}

/** Reads the shared strings, to which cells refer by index. Skips the pronunciation of East Asian words. */
function sharedStrings(xml: string): string[] {
  const texts: string[] = [];
  let [reads, isPhonetic] = [false, false];
  scanXml(xml, {
    open: (name) => {
      if (name === 'si') texts.push('');
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') reads = !isPhonetic && texts.length > 0;
      return true;
    },
    text: (text) => {
      if (reads) texts[texts.length - 1] += text;
    },
    close: (name) => {
      if (name === 't') reads = false;
      else if (name === 'rPh') isPhonetic = false;
    },
  });
  return texts.map(decodeExcelEscapes);
}
