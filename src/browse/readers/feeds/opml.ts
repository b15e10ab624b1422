import type { PageContent } from '../../reading/page.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { oneLine } from '../markdown.ts';
import { childrenOf, findByPath, isElement, textOf, type XmlElement } from '../xml.ts';

/** Matches names of facts that describe the window of the program. */
const WINDOW = /^(?:expansionState|vertScrollState|window\w{1,20})$/;
/** Maximum levels that are indented, because deep lists would multiply the size of the text. */
const MAX_INDENTS = 20;
const MARKUP = /<\/?[a-z][^<>]{0,2000}>|&[a-z#][\w]{1,30};/i;

/** Converts an outline (OPML 2.0) to nested lists: a line for each text, with its note and attributes below it. */
export function readOutline(top: XmlElement, base: string): PageContent {
  const head = childrenOf(top, 'head').flatMap(({ children }) => children.filter(isElement));
  const title = oneLine(textOf(findByPath(top, 'head', 'title')));
  const facts = head.flatMap((fact) => {
    const value = oneLine(textOf(fact));
    return value === '' || fact.name === 'title' || WINDOW.test(fact.name) ? [] : [`${fact.name}: ${value}`];
  });
  const lines: string[] = [];
  for (const body of childrenOf(top, 'body'))
    for (const item of childrenOf(body, 'outline')) addItem(item, base, 0, lines);
  return { title, markdown: [facts.join('\n'), lines.join('\n')].filter(Boolean).join('\n\n') };
}

function addItem(item: XmlElement, base: string, depth: number, lines: string[]): void {
  const { text = item.attributes.title ?? '', title = text, _note, _complete, ...facts } = item.attributes;
  const read = (html: string) =>
    (MARKUP.test(html) ? fragmentToMarkdown(html.replaceAll('\n', '<br>'), base) : html).trim();
  const rest = { ...(title !== text && { title }), ...facts };
  const more = Object.entries(rest).flatMap(([name, value]) =>
    name.includes(':') || value.trim() === '' ? [] : [`${name}: ${value.trim()}`],
  );
  const box = _complete === undefined ? '' : `[${_complete === 'true' ? 'x' : ' '}] `;
  const own = [read(text), read(_note ?? ''), ...more].filter(Boolean).join('\n').split('\n');
  const indent = '  '.repeat(Math.min(depth, MAX_INDENTS));
  for (const [at, line] of own.entries())
    lines.push(`${indent}${at === 0 ? `- ${box}` : '  '}${line}`.trimEnd());
  for (const one of childrenOf(item, 'outline')) addItem(one, base, depth + 1, lines);
}
