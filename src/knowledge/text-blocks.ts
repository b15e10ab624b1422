/** A stretch of lines that belong together. */
export interface Block {
  readonly kind: 'heading' | 'code' | 'text' | 'item';
  readonly start: number;
  /** With the blank lines that follow. */
  end: number;
  /** Of a heading: 1 to 6. */
  level: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]/;
/** What is read of a line to see what it is. */
const LOOKED_AT = 200;

/** The blocks of a Markdown or plain text, by the outlines of both; they cover it without gaps. */
export function textBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let fence: string | undefined;
  let open: (Block & { lines: number }) | undefined;
  const begin = (kind: Block['kind'], start: number, end: number, level = 0) => {
    open = { kind, start, end, level, lines: 1 };
    blocks.push(open);
  };
  for (let start = 0, end = 0; start < text.length; start = end) {
    const feed = text.indexOf('\n', start);
    end = feed < 0 ? text.length : feed + 1;
    const line = text.slice(start, Math.min(end, start + LOOKED_AT)).trimEnd();
    const last = blocks.at(-1);
    if (fence !== undefined) {
      if (last) last.end = end;
      const mark = FENCE.exec(line)?.[1];
      if (mark?.startsWith(fence) && line.trim() === mark) {
        fence = undefined;
        open = undefined;
      }
      continue;
    }
    const blank = line === '' && text.slice(start, end).trim() === '';
    const mark = FENCE.exec(line)?.[1];
    const level = HEADING.exec(line)?.[1]?.length;
    if (blank && last) {
      last.end = end;
      open = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      begin('code', start, end);
    } else if (level !== undefined) {
      begin('heading', start, end, level);
      open = undefined;
    } else if (open?.kind === 'text' && open.lines === 1 && UNDERLINE.test(line)) {
      blocks[blocks.length - 1] = {
        kind: 'heading',
        start: open.start,
        end,
        level: line.includes('=') ? 1 : 2,
      };
      open = undefined;
    } else if (ITEM.test(line)) {
      begin('item', start, end);
    } else if (open) {
      open.end = end;
      open.lines++;
    } else begin('text', start, end);
  }
  return blocks;
}

/** The words of a heading, without its marks. */
export function headingWords(text: string): string {
  const [line = ''] = text.trim().slice(0, LOOKED_AT).split('\n');
  return line.replace(/^#{1,6}(?:[ \t]|$)/, '').trim();
}
