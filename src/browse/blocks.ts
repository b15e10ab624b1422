/** A piece of Markdown that is kept or dropped as a whole. */
export interface Block {
  readonly kind: 'heading' | 'text' | 'item' | 'table' | 'code';
  readonly text: string;
  /** 1 to 6 for a heading, else 0. */
  readonly level: number;
  /** White space after it; blocks and gaps joined in order are the whole text. */
  readonly gap: string;
}

/** Rows of a table that stay together. */
const ROWS = 10;

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const HEADING = /^(#{1,6})\s/;
const ITEM = /^\s*([-*+]|\d{1,9}[.)])\s/;

/** Markdown as blocks, in order: headings, paragraphs, list items, groups of ten table rows, code. Linear. */
export function splitBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split(/(?<=\n)/);
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    const whole = lines.slice(at, end).join('');
    const text = whole.trimEnd();
    at = end;
    while (at < lines.length && lines[at]?.trim() === '') at++;
    const gap = whole.slice(text.length) + lines.slice(end, at).join('');
    if (text === '') {
      const last = blocks.pop();
      if (last) blocks.push({ ...last, gap: last.gap + gap });
      else if (gap) blocks.push({ kind: 'text', text: '', level: 0, gap });
      continue;
    }
    blocks.push({ kind: kindOf(text), text, level: HEADING.exec(text)?.[1]?.length ?? 0, gap });
  }
  return blocks;
}

function kindOf(text: string): Block['kind'] {
  if (HEADING.test(text)) return 'heading';
  if (FENCE.test(text)) return 'code';
  if (ITEM.test(text)) return 'item';
  return text.startsWith('|') ? 'table' : 'text';
}

/** Index of the line after the block that begins at `at`. */
function endOfBlock(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  const fence = FENCE.exec(first)?.[1];
  if (fence) {
    for (let i = at + 1; i < lines.length; i++) {
      if (lines[i]?.trim().startsWith(fence) && lines[i]?.trim().replaceAll(fence.charAt(0), '') === '')
        return i + 1;
    }
    return lines.length;
  }
  if (HEADING.test(first)) return at + 1;
  const table = first.startsWith('|');
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '' || HEADING.test(line) || FENCE.test(line) || ITEM.test(line)) return i;
    if (table !== line.startsWith('|')) return i;
    if (table && i - at >= ROWS && !/^\|[\s:|-]+\|?\s*$/.test(line)) return i;
  }
  return lines.length;
}
