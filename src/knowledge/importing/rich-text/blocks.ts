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

/** Converts blocks of Anytype, which name the blocks inside them by their ids, to nodes. */
export function readBlocksById(blocks: readonly unknown[]): object[] {
  const waiting = new Map(blocks.map((block) => [asObject(block).id, asObject(block)]));
  const nodeOf = ({ id, childrenIds, text, ...others }: ImportFields): object => {
    waiting.delete(id);
    const below = toListOrEmpty(childrenIds).flatMap((child) => {
      const block = waiting.get(child);
      return block === undefined ? [] : [nodeOf(block)];
    });
    const { text: words, style, checked } = asObject(text);
    const [kind] = Object.keys(others).filter((name) => /^(?:div|latex|file|bookmark|link)$/.test(name));
    const own = typeof words === 'string' ? textNodes(words, asObject(text).marks) : [];
    const isBox = style === 'Checkbox';
    const children = [...own, ...below];
    return { type: style ?? kind ?? 'p', ...(isBox && { checked: checked === true }), ...others, children };
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
