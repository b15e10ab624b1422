export interface TextBlock {
  readonly kind: 'heading' | 'code' | 'text' | 'item' | 'table';
  readonly start: number;
  /** Position after the block and the blank lines below it. */
  end: number;
  level: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const ROW = /^[ \t]*\|/;
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]/;
const MAX_LINE_CHARS = 200;

interface TextLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly blank: boolean;
}

const STEP_LINES = 2000;

export function* textBlocks(text: string): Generator<undefined, TextBlock[]> {
  const outline = createOutline();
  let count = 0;
  for (const line of linesOf(text)) {
    if (outline.fence === undefined) outline.addLine(line);
    else outline.addCode(line);
    if (++count % STEP_LINES === 0) yield;
  }
  return outline.blocks;
}

function* linesOf(text: string): Generator<TextLine> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    const feed = text.indexOf('\n', start);
    end = feed < 0 ? text.length : feed + 1;
    const first = text.slice(start, Math.min(end, start + MAX_LINE_CHARS)).trimEnd();
    yield { start, end, text: first, blank: first === '' && text.slice(start, end).trim() === '' };
  }
}

function createOutline() {
  const blocks: TextBlock[] = [];
  let fence: string | undefined;
  let open: { readonly block: TextBlock; lines: number } | undefined;

  const begin = (kind: TextBlock['kind'], { start, end }: TextLine, level = 0) => {
    const block = { kind, start, end, level };
    open = { block, lines: 1 };
    blocks.push(block);
  };

  const underline = ({ text, end }: TextLine): boolean => {
    if (open?.block.kind !== 'text' || open.lines !== 1 || !UNDERLINE.test(text)) return false;
    const { start } = open.block;
    blocks[blocks.length - 1] = { kind: 'heading', start, end, level: text.includes('=') ? 1 : 2 };
    open = undefined;
    return true;
  };

  const addText = (line: TextLine) => {
    if (underline(line)) return;
    const isRow = ROW.test(line.text);
    if (ITEM.test(line.text)) begin('item', line);
    else if (isRow !== (open?.block.kind === 'table')) begin(isRow ? 'table' : 'text', line);
    else if (open) {
      open.block.end = line.end;
      open.lines++;
    } else begin('text', line);
  };

  return {
    blocks,
    get fence() {
      return fence;
    },
    addCode({ text, end }: TextLine): void {
      const last = blocks.at(-1);
      if (last) last.end = end;
      const mark = FENCE.exec(text)?.[1];
      if (fence === undefined || !mark?.startsWith(fence) || text.trim() !== mark) return;
      fence = undefined;
      open = undefined;
    },
    addLine(line: TextLine): void {
      const last = blocks.at(-1);
      if (line.blank && last) {
        last.end = line.end;
        open = undefined;
        return;
      }
      fence = FENCE.exec(line.text)?.[1];
      const level = HEADING.exec(line.text)?.[1]?.length;
      if (fence !== undefined) begin('code', line);
      else if (level !== undefined) {
        begin('heading', line, level);
        open = undefined;
      } else addText(line);
    },
  };
}

export function stripHeadingMarks(text: string): string {
  const [line = ''] = text.trim().slice(0, MAX_LINE_CHARS).split('\n');
  return line.replace(/^#{1,6}(?:[ \t]|$)/, '').trim();
}
