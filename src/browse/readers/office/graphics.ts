import { withoutInvisible } from '../../../lib/text/invisible.ts';
import type { Archive } from '../archive.ts';
import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, markdownTable, oneLine } from '../markdown.ts';
import { childrenOf, findAllBelow, findByPath, parseXml, textOf, type XmlElement } from '../xml.ts';
import { readRelations } from './relations.ts';

/** Converts a chart (DrawingML, ECMA-376 part 1, 21.2) to its title and a table of its values, a column for each series. */
function readChart(root: XmlElement): string {
  const chart = findByPath(root, 'chartSpace', 'chart');
  const series = findAllBelow(findByPath(chart, 'plotArea'), 'ser').slice(0, MAX_TABLE_COLUMNS);
  const titles = [findByPath(chart, 'title'), ...findAllBelow(findByPath(chart, 'plotArea'), 'title')];
  const title = titles.map((one) => oneLine(findAllBelow(one, 't').map(textOf).join(''))).filter(Boolean);
  const names = series.map((one) => valuesOf(findByPath(one, 'tx'))[0] ?? '');
  const categories = series.map((one) => valuesOf(findByPath(one, 'cat') ?? findByPath(one, 'xVal')));
  const values = series.map((one) => valuesOf(findByPath(one, 'val') ?? findByPath(one, 'yVal')));
  const heads = categories.find((one) => one.length > 0) ?? [];
  const columns = [heads, ...values];
  const length = Math.min(Math.max(...columns.map((one) => one.length)), MAX_TABLE_ROWS);
  const rows = Array.from({ length }, (_, at) => columns.map((one) => one[at] ?? ''));
  const table = length > 0 && markdownTable([['', ...names], ...rows]);
  return [title.join(', '), table].filter(Boolean).join('\n\n');
}

/** Returns the values of a chart that are stored in the file, each at its index. */
function valuesOf(data: XmlElement | undefined): string[] {
  const values: string[] = [];
  // If the categories have several levels, reads only the innermost level.
  const points = findAllBelow(findAllBelow(data, 'lvl')[0] ?? data, 'pt');
  for (const point of points.slice(0, MAX_TABLE_ROWS)) {
    const at = Number(point.attributes.idx);
    if (Number.isInteger(at) && at >= 0 && at < MAX_TABLE_ROWS)
      values[at] = oneLine(textOf(findByPath(point, 'v')));
  }
  if (points.length > 0) return Array.from(values, (value) => value ?? '');
  return childrenOf(data, 'v').map((one) => oneLine(textOf(one)));
}

const MAX_POINTS = 2000;
const MAX_LEVEL = 8;

/** Converts the data of a SmartArt diagram (ECMA-376 part 1, 21.4) to a nested list of its texts. */
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
    const text = /^(?:node|asst)$/.test(point.attributes.type ?? 'node') ? wordsOf(point) : '';
    if (text) lines.push(`${'  '.repeat(Math.min(level, MAX_LEVEL))}- ${text}`);
    const below = [...(children.get(id) ?? [])].sort((one, other) => orderOf(one) - orderOf(other));
    for (const { attributes } of below) visit(attributes.destId ?? '', level + (text ? 1 : 0));
  };
  const first = points.filter(({ attributes: { type } }) => type === 'doc');
  // Visits also the points to which no connection leads, so that their text is not lost.
  for (const { attributes } of [...first, ...points]) visit(attributes.modelId ?? '', 0);
  return lines.join('\n');
}

function wordsOf(point: XmlElement): string {
  const paragraphs = findAllBelow(findByPath(point, 't'), 'p');
  return oneLine(paragraphs.map((one) => findAllBelow(one, 't').map(textOf).join('')).join(' '));
}

/** Maximum characters of the parts that a reader reads. */
const MAX_CHARACTERS = 1_000_000;

/** Returns a function that reads each part once and limits its texts together, because a file may refer to a part often. */
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

const readers = new WeakMap<Archive, (path: string) => string>();

/** Reads a part with a chart or a diagram. */
export function readGraphic(archive: Archive, path = ''): string {
  const readPart = (part: string) => {
    const root = parseXml(archive.xml(part) ?? '');
    return findByPath(root, 'dataModel') ? readDiagram(root) : readChart(root);
  };
  const read = readers.get(archive) ?? readOnce(readPart);
  readers.set(archive, read);
  return read(path);
}

/** Unicode noncharacters, which occur in no text. They enclose the number of a graphic in its placeholder. */
const [BEGIN, END] = ['\ufdd7', '\ufdd8'];
const MAX_GRAPHICS = 1000;
const GRAPHICS = /<(?:\w{1,20}:)?(?:(chart)|(relIds)) ([^<>]{1,2000})>/g;
const TABLE = /^\|.*(?:\n\|.*)*/gm;
const MARK = new RegExp(`${BEGIN}(\\d{1,4})${END}`, 'g');

/** Adds placeholders for charts and diagrams to a Word document's XML, and replaces them by texts in the resulting Markdown. */
export function createGraphics(archive: Archive) {
  const texts: string[] = [];
  const relations = readRelations(archive, 'word/document.xml');
  return {
    takeOut: (xml: string): string =>
      xml.replace(GRAPHICS, (tag, chart: string | undefined, _diagram, attributes: string) => {
        const [, id = ''] = (chart ? /r:id="([^"]*)"/ : /r:dm="([^"]*)"/).exec(attributes) ?? [];
        const text = texts.length < MAX_GRAPHICS && readGraphic(archive, relations.get(id)?.target);
        if (!text) return tag;
        return `${tag}<w:txbxContent><w:p><w:r><w:t>${BEGIN}${texts.push(text) - 1}${END}</w:t></w:r></w:p></w:txbxContent>`;
      }),
    putBack: (markdown: string): string =>
      markdown
        // Moves graphics from the cells of a table to below the table, because a row has only one line.
        .replace(TABLE, (table) => [table.replace(MARK, ''), ...(table.match(MARK) ?? [])].join('\n\n'))
        .replace(MARK, (_all, number: string) => texts[Number(number)] ?? ''),
  };
}
