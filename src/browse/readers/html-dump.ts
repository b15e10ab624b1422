import { withoutInvisible } from './hidden.ts';

/** Elements open at once beyond which a page is read as plain text. */
const DEPTH = 200;

/** Elements that close by themselves, or have no content. */
const FLAT = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd option tr td th thead tbody tfoot'.split(
    ' ',
  ),
);

/** Whether elements stand in one another deeper than the page's libraries can follow; one cheap pass. */
export function nestsTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (FLAT.has(name.toLowerCase())) continue;
    depth = slash ? Math.max(0, depth - 1) : depth + 1;
    if (depth > DEPTH) return true;
  }
  return false;
}

const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'svg']);
const BREAKS = new Set(
  'p div li tr br h1 h2 h3 h4 h5 h6 section article ul ol table blockquote pre dt dd'.split(' '),
);

/** All text of a page in paragraphs, with no tree built: for pages that no library can hold. */
export async function dump(html: string): Promise<{ title: string; markdown: string }> {
  const { Parser } = await import('htmlparser2');
  let [text, title, unread, inTitle] = ['', '', 0, false];
  const parser = new Parser({
    onopentagname(name) {
      if (UNREAD.has(name)) unread++;
      if (name === 'title') inTitle = true;
      if (BREAKS.has(name)) text += '\n\n';
    },
    ontext(data) {
      if (inTitle) title += data;
      else if (unread === 0) text += data;
    },
    onclosetag(name) {
      if (UNREAD.has(name)) unread = Math.max(0, unread - 1);
      if (name === 'title') inTitle = false;
    },
  });
  parser.end(html);
  const paragraphs = withoutInvisible(text)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
  return { title: title.trim(), markdown: paragraphs.filter(Boolean).join('\n\n') };
}
