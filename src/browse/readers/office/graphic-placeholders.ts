import { withoutInvisible } from '../../../lib/text/invisible.ts';
import type { ZipArchive } from '../archive.ts';
import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, markdownTable, oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { formatChartValue } from './number-formats.ts';
import type { OfficeRelation } from './relations.ts';

/**
 * Converts a chart (DrawingML, ECMA-376 part 1, 21.2, or [MS-ODRAWXML]) to its title and a table.
 * The table has a column for each series. A series with its own x values gets another column for them.
 */
function readChart(root: XmlElement): string {
  const space = findByPath(root, 'chartSpace');
  const [chart, since1904] = [findByPath(space, 'chart'), findByPath(space, 'date1904')];
  const area = findByPath(chart, 'plotArea');
  const dates = findByPath(findAllBelow(area, 'dateAx')[0], 'numFmt')?.attributes;
  const dateCode = dates && !isTrue(dates.sourceLinked) ? dates.formatCode : '';
  const values = (code?: string, ...data: readonly (XmlElement | undefined)[]) =>
    valuesOf(data.find(Boolean), code, since1904 !== undefined && isTrue(since1904.attributes.val ?? '1'));
  const sources = new Map(findAllBelow(space, 'data').map((one) => [one.attributes.id, one]));
  const series = ['ser', 'series'].flatMap((name) => findAllBelow(area, name)).slice(0, MAX_TABLE_COLUMNS);
  const read = series.map((one) => {
    const source = sources.get(findByPath(one, 'dataId')?.attributes.val) ?? one;
    const [name, find] = [findByPath(one, 'tx'), (part: string) => findByPath(source, part)];
    return {
      name: values('', name)[0] ?? wordsOf(name),
      places: values(dateCode, find('cat'), find('xVal'), find('strDim')),
      values: values('', find('val'), find('yVal'), find('numDim')),
      sizes: values('', find('bubbleSize')),
    };
  });
  const heads = read.find(({ places }) => places.length > 0)?.places ?? [];
  const own = findAllBelow(area, 'xVal').length > 0 && read.some(({ places }) => `${places}` !== `${heads}`);
  const columns = read.flatMap((one) => [
    ...(own ? [['', ...one.places]] : []),
    [one.name, ...one.values],
    ...(one.sizes.length > 0 ? [[`${one.name} (size)`, ...one.sizes]] : []),
  ]);
  if (!own) columns.unshift(['', ...heads]);
  const length = Math.min(Math.max(...columns.map((one) => one.length)), MAX_TABLE_ROWS);
  const rows = Array.from({ length }, (_, at) => columns.map((one) => one[at] ?? ''));
  const titles = [findByPath(chart, 'title'), ...findAllBelow(area, 'title')].map(wordsOf).filter(Boolean);
  return [titles.join(', '), length > 1 && markdownTable(rows)].filter(Boolean).join('\n\n');
}

const isTrue = (value = ''): boolean => /^(?:1|true)$/.test(value);

/** Returns the values that a file stores for a chart. `code` is the default number format. */
function valuesOf(data: XmlElement | undefined, code = '', since1904 = false): string[] {
  if (!data) return [];
  const isNumeric = /^num/.test(data.name) || childrenOf(data).some(({ name }) => name.startsWith('num'));
  const levels = findAllBelow(data, 'lvl').slice(0, MAX_LEVEL);
  const [inner = [], ...outer] = (levels.length > 0 ? levels : [data]).map((level) => {
    const values: string[] = [];
    const own = textOf(findAllBelow(level, 'formatCode')[0]) || (level.attributes.formatCode ?? '');
    const usual = /^general$/i.test(own) ? code : own || code;
    for (const point of findAllBelow(level, 'pt').slice(0, MAX_TABLE_ROWS)) {
      const [at, text] = [Number(point.attributes.idx), oneLine(textOf(findByPath(point, 'v') ?? point))];
      if (!Number.isInteger(at) || at < 0 || at >= MAX_TABLE_ROWS) continue;
      values[at] = isNumeric ? formatChartValue(text, point.attributes.formatCode ?? usual, since1904) : text;
    }
    return Array.from(values, (value) => value ?? '');
  });
  // Writes the outer category before each inner one, as in "2024 March". A file has "2024" only once.
  for (const level of outer) {
    let last = '';
    for (const [at, label] of inner.entries()) {
      last = level[at] || last;
      inner[at] = [last, label].filter(Boolean).join(' ');
    }
  }
  return inner.length > 0 ? inner : childrenOf(data, 'v').map((one) => oneLine(textOf(one)));
}

const MAX_POINTS = 2000;
const MAX_LEVEL = 8;

/** Converts a SmartArt diagram (ECMA-376 part 1, 21.4) to a nested list of its texts. */
function readDiagram(root: XmlElement): string {
  const model = findByPath(root, 'dataModel');
  const points = findAllBelow(findByPath(model, 'ptLst'), 'pt').slice(0, MAX_POINTS);
  const byId = new Map(points.map((point) => [point.attributes.modelId ?? '', point]));
  const links = findAllBelow(findByPath(model, 'cxnLst'), 'cxn');
  const parents = links.filter(({ attributes: { type = 'parOf' } }) => type === 'parOf');
  const children = Map.groupBy(parents, ({ attributes }) => attributes.srcId ?? '');
  const orderOf = ({ attributes }: XmlElement) => Number(attributes.srcOrd) || 0;
  const lines: string[] = [];
  const seen = new Set<XmlElement>();
  const visit = (id: string, level: number) => {
    const point = byId.get(id);
    if (!point || seen.has(point)) return;
    seen.add(point);
    const text = /^(?:node|asst)$/.test(point.attributes.type ?? 'node')
      ? wordsOf(findByPath(point, 't'))
      : '';
    if (text) lines.push(`${'  '.repeat(Math.min(level, MAX_LEVEL))}- ${text}`);
    const below = [...(children.get(id) ?? [])].sort((one, other) => orderOf(one) - orderOf(other));
    for (const { attributes } of below) visit(attributes.destId ?? '', level + (text ? 1 : 0));
  };
  const first = points.filter(({ attributes: { type } }) => type === 'doc');
  // Points without a connection are visited too, so that their text is not lost.
  for (const { attributes } of [...first, ...points]) visit(attributes.modelId ?? '', 0);
  return lines.join('\n');
}

function wordsOf(element: XmlElement | undefined): string {
  const paragraphs = findAllBelow(element, 'p');
  const texts = (paragraphs.length > 0 ? paragraphs : [element]).map((one) =>
    [...findAllBelow(one, 't'), ...findAllBelow(one, 'v')].map(textOf).join(''),
  );
  return oneLine(texts.join(' '));
}

const MAX_CHARACTERS = 1_000_000;

/** Caches the results of `read`, because files may refer to a part many times. Limits the total text. */
export function readOnce(read: (path: string) => string): (path: string) => string {
  const texts = new Map<string, string>();
  let characters = 0;
  return (path) => {
    if (characters > MAX_CHARACTERS) return '';
    const text = texts.get(path) ?? withoutInvisible(read(path));
    texts.set(path, text);
    characters += text.length;
    return characters > MAX_CHARACTERS ? `${text}\n\nMore charts and formulas are not shown.` : text;
  };
}

const readers = new WeakMap<ZipArchive, (path: string) => string>();

export function readChartOrDiagram(archive: ZipArchive, path = ''): string {
  const readPart = (part: string) => {
    const root = parseXml(archive.xml(part) ?? '');
    return findByPath(root, 'dataModel') ? readDiagram(root) : readChart(root);
  };
  const read = readers.get(archive) ?? readOnce(readPart);
  readers.set(archive, read);
  return read(path);
}

/** Unicode noncharacters, which occur in no text. They enclose a graphic's number in a placeholder. */
const [BEGIN, END] = ['\ufdd7', '\ufdd8'];
const MAX_GRAPHICS = 1000;
const CHUNK = /<w:altChunk r:id="([^"<>]{1,200})"><\/w:altChunk>/g;
const GRAPHICS = /<(?:\w{1,20}:)?(?:(chart)|(relIds)) ([^<>]{1,2000})>/g;
const TABLE = /^\|.*(?:\n\|.*)*/gm;
const MARK = new RegExp(`${BEGIN}(\\d{1,4})${END}`, 'g');

export function createGraphicPlaceholders(
  archive: ZipArchive,
  relations: ReadonlyMap<string, OfficeRelation>,
  chunks: ReadonlyMap<string, string>,
) {
  const texts: string[] = [];
  const readChunk = readOnce((id) => chunks.get(id) ?? '');
  const markOf = (text: string) => `<w:p><w:r><w:t>${BEGIN}${texts.push(text) - 1}${END}</w:t></w:r></w:p>`;
  return {
    takeOut: (xml: string): string =>
      xml
        .replace(CHUNK, (tag, id: string) => {
          const text = texts.length < MAX_GRAPHICS && readChunk(id);
          return text ? markOf(text) : tag;
        })
        .replace(GRAPHICS, (tag, chart: string | undefined, _diagram, attributes: string) => {
          const [, id = ''] = (chart ? /r:id="([^"]*)"/ : /r:dm="([^"]*)"/).exec(attributes) ?? [];
          const text = texts.length < MAX_GRAPHICS && readChartOrDiagram(archive, relations.get(id)?.target);
          if (!text) return tag;
          return `${tag}<w:txbxContent>${markOf(text)}</w:txbxContent>`;
        }),
    putBack: (markdown: string): string =>
      markdown
        // Moves graphics from a table's cells to below the table, because a Markdown row is one line.
        .replace(TABLE, (table) => [table.replace(MARK, ''), ...(table.match(MARK) ?? [])].join('\n\n'))
        .replace(MARK, (_all, number: string) => texts[Number(number)] ?? ''),
  };
}
