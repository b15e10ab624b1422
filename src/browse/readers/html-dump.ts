import { following } from './html/node.ts';
import { parseHtml } from './html/parse.ts';
import { BLOCK } from './html/tags.ts';
import { dropUnseen } from './html/visible.ts';

/** All visible text of a page in paragraphs, judged by nothing: for pages that took too long to judge. Linear. */
export function dump(html: string): { title: string; markdown: string } {
  const page = parseHtml(html);
  const title = page.getElementsByTagName('title')[0]?.textContent ?? '';
  dropUnseen(page);
  const paragraphs: string[] = [];
  let text = '';
  let depth = 0;
  const flush = () => {
    const paragraph = text.replace(/\s+/g, ' ').trim();
    if (paragraph) paragraphs.push(paragraph);
    text = '';
  };
  for (let node = following(page, page); node; node = following(node, page)) {
    if (node.nodeType === 3) {
      // What stands further out than the text before it begins after the end of some element.
      if ((node.parentNode?.depth ?? 0) < depth && node.previousSibling?.nodeType === 1) {
        if (BLOCK.has(node.previousSibling.tag)) flush();
      }
      text += node.data;
      depth = node.parentNode?.depth ?? 0;
    } else if (BLOCK.has(node.tag) || node.tag === 'br') flush();
  }
  flush();
  return { title: title.replace(/\s+/g, ' ').trim(), markdown: paragraphs.join('\n\n') };
}
