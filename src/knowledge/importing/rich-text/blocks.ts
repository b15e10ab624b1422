import { asObject, asTrimmedText, toListOrEmpty } from '../import-values.ts';

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

function htmlNode(html: unknown): object[] {
  return typeof html === 'string' ? [{ html }] : [];
}

function cellNode(html: unknown): object {
  return { type: 'td', children: htmlNode(html) };
}

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
