import { createAddresses } from './html/addresses.ts';
import { writeMarkdown } from './html/markdown.ts';
import { replaceMath } from './html/math.ts';
import { putNotes, takeNotes } from './html/notes.ts';
import { parseHtml } from './html/parse.ts';
import { dropUnseen } from './html/visible.ts';

/** HTML of a letter, a chapter or a feed's entry as Markdown: whole, since no page frames it; unseen text dropped. */
export function fragmentToMarkdown(html: string, url: string): string {
  if (!html.trim()) return '';
  const root = parseHtml(html);
  replaceMath(root);
  dropUnseen(root);
  putNotes(root, takeNotes(root));
  return writeMarkdown(root, createAddresses(root, url));
}
