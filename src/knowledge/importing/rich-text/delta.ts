import { asObject, type ImportFields } from '../import-values.ts';

interface DeltaBlock {
  readonly type: string;
  readonly children: unknown[];
}

/** Converts a delta of Quill, which is a list of texts whose line breaks carry the form of the line, to nodes. */
export function readDelta(ops: readonly unknown[]): DeltaBlock[] {
  const blocks: DeltaBlock[] = [];
  let line: unknown[] = [];
  const endLine = (form: ImportFields) => {
    const block = blockOf(line, form);
    const last = blocks.at(-1);
    if (block.type === 'code' && last?.type === 'code') last.children.push({ text: '\n' }, ...line);
    else blocks.push(block);
    line = [];
  };
  for (const op of ops) {
    const { text, insert = text, attributes } = asObject(op);
    const { line: own, ...words } = asObject(attributes);
    // Day One writes the form of a line beside its words.
    const form = { ...words, ...dayOneForm(asObject(own)) };
    if (typeof insert !== 'string') {
      for (const [type, value] of Object.entries(asObject(insert)))
        line.push({ type, ...(typeof value === 'object' ? asObject(value) : { src: value }) });
      continue;
    }
    for (const [index, text] of insert.split('\n').entries()) {
      if (index > 0) endLine(form);
      if (text !== '') line.push({ text, marks: marksOf(form) });
    }
  }
  if (line.length > 0) endLine({});
  return blocks;
}

function dayOneForm({
  header,
  listStyle,
  indentLevel,
  checked,
  quote,
  codeBlock,
}: ImportFields): ImportFields {
  const list =
    checked === undefined ? { numbered: 'ordered', bulleted: 'bullet' }[String(listStyle)] : undefined;
  const box = checked === true ? 'checked' : 'unchecked';
  const kind = listStyle === 'checkbox' || checked !== undefined ? box : list;
  return {
    ...(Number(header) > 0 && { header }),
    ...(kind !== undefined && { list: kind, indent: Math.max(0, Number(indentLevel ?? 1) - 1) }),
    ...(quote === true && { blockquote: true }),
    ...(codeBlock === true && { 'code-block': true }),
  };
}

function marksOf({ link, href = link, ...form }: ImportFields): object[] {
  const names = Object.keys(form).filter((name) => form[name] === true);
  return [
    ...names.map((type) => ({ type })),
    ...(href === undefined ? [] : [{ type: 'link', attrs: { href } }]),
  ];
}

const MAX_INDENT = 9;

function blockOf(children: unknown[], form: ImportFields): DeltaBlock {
  const { header, list, indent = 0, blockquote, 'code-block': code } = form;
  if (code !== undefined)
    return { type: 'code', ...(typeof code === 'string' && { language: code }), children };
  if (header !== undefined) return { type: 'heading', level: header, children } as DeltaBlock;
  if (blockquote === true) return { type: 'quote', children };
  if (list === undefined) return { type: 'p', children };
  const checked = list === 'checked' || list === 'unchecked' ? { checked: list === 'checked' } : {};
  let block: DeltaBlock = {
    type: list === 'ordered' ? 'numbered-list-item' : 'bullet-list-item',
    ...checked,
    children,
  };
  for (let depth = Math.min(Number(indent) || 0, MAX_INDENT); depth >= 0; depth--)
    block = { type: list === 'ordered' ? 'ol' : 'ul', children: [block] };
  return block;
}
