import { replaceMath } from './html/formulas/math.ts';
import { writeMarkdown } from './html/markdown/markdown.ts';
import { putFootnotes, takeFootnotes } from './html/notes/notes.ts';
import { createAddresses } from './html/parsing/addresses.ts';
import { markEmbeds, putEmbeds } from './html/parsing/embeds.ts';
import { parseHtml } from './html/parsing/parse.ts';
import { buildOfficeLists } from './html/parsing/word-lists.ts';
import { dropHiddenElements } from './html/visibility/drop-invisible.ts';

export function fragmentToMarkdown(html: string, url: string): string {
  if (!html.trim()) return '';
  const root = parseHtml(html);
  buildOfficeLists(root, html);
  const addresses = createAddresses(root, url);
  replaceMath(root);
  markEmbeds(root, addresses);
  dropHiddenElements(root);
  putEmbeds(root);
  putFootnotes(root, takeFootnotes(root));
  return writeMarkdown(root, addresses);
}
