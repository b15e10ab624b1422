import { descendants, HtmlElement, HtmlText } from './node.ts';

const SHOWS_BREAKS =
  /(?:^|[;\s])white-space(?:-collapse)?\s{0,9}:\s{0,9}(?:pre|break-spaces|preserve)|(?:^|\s)whitespace-(?:pre|break-spaces)/i;
const JOINS_LINES =
  /(?:^|[;\s])white-space\s{0,9}:\s{0,9}(?:normal|nowrap)|(?:^|\s)whitespace-(?:normal|nowrap)/i;
/** Maximum number of inserted line breaks. Later line breaks count as spaces. */
export const MAX_BREAKS = 50_000;
const UNREAD = /^(?:pre|script|style|textarea|title)$/;

export function placeLineBreaks(root: HtmlElement, html: string): void {
  if (!/white-?space[^;"'>]{0,20}(?:pre|break-spaces)/i.test(html)) return;
  const [showing, code] = [new Set<HtmlElement | null>(), new Set<HtmlElement | null>()];
  const texts: HtmlText[] = [];
  for (const node of descendants(root)) {
    const { parentNode: parent } = node;
    if (node.nodeType === 3) {
      if (showing.has(parent) && !code.has(parent) && node.data.includes('\n')) texts.push(node);
      continue;
    }
    const names = `${node.attributes.style ?? ''} ${node.attributes.class ?? ''}`;
    if (SHOWS_BREAKS.test(names) || (showing.has(parent) && !JOINS_LINES.test(names))) showing.add(node);
    if (code.has(parent) || UNREAD.test(node.tag)) code.add(node);
  }
  let left = MAX_BREAKS;
  for (const text of texts) left -= breakLines(text, left);
}

export function breakLines(text: HtmlText, most: number): number {
  const { parentNode: parent } = text;
  if (!parent || most === 0) return 0;
  const begun = text.previousSibling ? text.data : text.data.replace(/^[\t\r ]*\n/, '');
  const lines = (text.nextSibling ? begun : begun.trimEnd()).split('\n');
  if (lines.length > most) lines.push(lines.splice(most).join('\n'));
  for (const [at, line] of lines.entries()) {
    if (at > 0) parent.insertBefore(new HtmlElement('br', {}, parent.depth + 1), text);
    parent.insertBefore(new HtmlText(line), text);
  }
  parent.removeChild(text);
  return lines.length - 1;
}
