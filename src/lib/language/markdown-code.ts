/** Matches the start of a fenced block, also within a quotation or right after a list marker. */
const OPENING = /^[ \t]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}|>[ \t]?){0,4}(`{3,}[^`\n]*$|~{3,})/;
const CLOSING = /^[ \t>]{0,40}(`{3,}|~{3,})[ \t]*$/;

/**
 * Creates a function to call with the lines of a Markdown text in order. It returns true for a line of a
 * fenced block or a fence. The closing fence has at least as many of the same characters as the opening one.
 */
export function createFenceTracker(): (line: string) => boolean {
  let open: string | undefined;
  return (line) => {
    if (open !== undefined) {
      if (CLOSING.exec(line.trimEnd())?.[1]?.startsWith(open)) open = undefined;
      return true;
    }
    open = /^(?:`+|~+)/.exec(OPENING.exec(line.trimEnd())?.[1] ?? '')?.[0];
    return open !== undefined;
  };
}

const TAB_COLUMNS = 4;
const ITEM = /^[ \t]{0,100}(?:[-*+]|\d{1,9}[.)])[ \t]/;

function columnsOf(start: string): number {
  let columns = 0;
  for (const sign of start) columns += sign === '\t' ? TAB_COLUMNS - (columns % TAB_COLUMNS) : 1;
  return columns;
}

/** Returns Markdown without code. Lines of blocks become empty, and code within a line becomes a blank. */
export function withoutMarkdownCode(markdown: string): string {
  const isFenced = createFenceTracker();
  let [isInParagraph, isInFence] = [false, false];
  /** Column at which the text of the current list item begins. Lines indented four more columns are code. */
  let margin = 0;
  const prose = markdown
    .split('\n')
    .map((line) => {
      const columns = columnsOf(/^[ \t]{0,100}/.exec(line)?.[0] ?? '');
      const isBlank = line.trim() === '';
      const isIndented = !isBlank && !isInParagraph && !isInFence && columns >= margin + TAB_COLUMNS;
      if (!isIndented) isInFence = isFenced(line);
      if (isBlank || isIndented || isInFence) {
        isInParagraph = false;
        return '';
      }
      const item = ITEM.exec(line)?.[0];
      if (item !== undefined) margin = columnsOf(item);
      else if (columns === 0 && !isInParagraph) margin = 0;
      isInParagraph = true;
      return line.replace(/(?<!`)(`{1,9})(?!`)[^\n]{0,500}?[^`]\1(?!`)/g, ' ');
    })
    .join('\n');
  const isOpen = /<(?:pre|code)(?: [^<>]{0,200})?>[\s\S]*$/i;
  return prose
    .split(/<\/(?:pre|code)>/i)
    .map((piece, at, all) =>
      at < all.length - 1 ? piece.replace(isOpen, (code) => code.replace(/[^\n]/g, '')) : piece,
    )
    .join(' ');
}
