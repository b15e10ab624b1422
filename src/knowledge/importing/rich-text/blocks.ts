import { asObject, asTrimmedText, type ImportFields, toListOrEmpty } from '../import-values.ts';

/** Converts blocks of Editor.js, whose texts are HTML, to nodes. A block of an unknown type keeps its words. */
export function readBlocks(blocks: readonly unknown[]): object[] {
  return blocks.map((block) => {
    const { type, data } = asObject(block);
    const { text, items, content, code, html, caption, file, ...others } = asObject(data);
    const rows = toListOrEmpty(content).map((row) => ({
      type: 'tr',
      children: toListOrEmpty(row).map(cellNode),
    }));
    return {
      type,
      ...others,
      ...asObject(file),
      ...(asTrimmedText(caption) !== undefined && { caption }),
      children: [
        ...htmlNode(text),
        ...htmlNode(html),
        ...(typeof code === 'string' ? [{ text: code }] : []),
        ...toListOrEmpty(items).map((item) => itemNode(item, asObject(data).style)),
        ...rows,
      ],
    };
  });
}

/** Maximum number of cells in the tables of a document. Words of further cells stand below their table. */
const MAX_CELLS = 20_000;

/** Converts blocks of Anytype, which name the blocks inside them by their ids, to nodes. */
export function readBlocksById(blocks: readonly unknown[]): object[] {
  const waiting = new Map(blocks.map((block) => [asObject(block).id, asObject(block)]));
  const nodeAt = (id: unknown): object[] => [waiting.get(id) ?? []].flat().map(nodeOf);
  const idsIn = (id: unknown) => [...new Set(toListOrEmpty(waiting.get(id)?.childrenIds))];
  let cells = MAX_CELLS;
  const rowsOf = ([columnList, rowList]: readonly unknown[]) => {
    const columns = idsIn(columnList);
    const rows = idsIn(rowList).filter((row) => waiting.has(row));
    return rows.slice(0, cells / Math.max(columns.length, 1)).map((row) => {
      cells -= columns.length;
      const children = columns.map((column) => ({ type: 'td', children: nodeAt(`${row}-${column}`) }));
      return { type: 'tr', children };
    });
  };
  const nodeOf = ({ id, childrenIds, text, table, div, fields, ...others }: ImportFields): object => {
    waiting.delete(id);
    const ids = toListOrEmpty(childrenIds);
    const { text: words, style, checked, marks } = asObject(text);
    const { file, bookmark, latex } = others;
    const facts: ImportFields = Object.assign({}, file, bookmark, latex);
    const { name, title = name, url, description, text: formula } = facts;
    const label = [words, title, url, formula].find((one) => typeof one === 'string' && one !== '') ?? '';
    const linked = { type: 'link', attrs: { href: url } };
    const own =
      typeof words === 'string'
        ? textNodes(words, marks)
        : [
            { text: String(label), marks: url ? [linked] : [] },
            { text: description ? ` ${description}` : '' },
          ];
    return {
      type: style ?? (table ? 'table' : div ? 'div' : 'p'),
      ...(style === 'Checkbox' && { checked: checked === true }),
      language: asObject(fields).lang,
      children: [...own, ...(table ? rowsOf(ids) : ids.flatMap(nodeAt))],
    };
  };
  return blocks.flatMap((block) => (waiting.has(asObject(block).id) ? [nodeOf(asObject(block))] : []));
}

/** Splits a text of Anytype at its links, which are ranges of characters. */
function textNodes(text: string, marks: unknown): object[] {
  const nodes: object[] = [];
  let end = 0;
  for (const { type, param: href, range } of toListOrEmpty(asObject(marks).marks).map(asObject)) {
    const from = Number(asObject(range).from ?? 0);
    if (type !== 'Link' || !(from >= end)) continue;
    const to = Number(asObject(range).to) || from;
    nodes.push({ text: text.slice(end, from) });
    nodes.push({ text: text.slice(from, to) || String(href), marks: [{ type: 'link', attrs: { href } }] });
    end = to;
  }
  return [...nodes, { text: text.slice(end) }];
}

const htmlNode = (html: unknown): object[] => (typeof html === 'string' ? [{ html }] : []);
const cellNode = (html: unknown): object => ({ type: 'td', children: htmlNode(html) });

function itemNode(item: unknown, style: unknown): object {
  const { content, text = content, items, checked, meta } = asObject(item);
  const below = toListOrEmpty(items).map((one) => itemNode(one, style));
  return {
    type: 'li',
    checked: checked ?? asObject(meta).checked,
    children: [
      ...htmlNode(text ?? item),
      ...(below.length > 0 ? [{ type: 'list', style, children: below }] : []),
    ],
  };
}
