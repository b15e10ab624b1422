import type { PageContent } from '../reading/page.ts';
import { fragmentToMarkdown } from './fragment.ts';
import { oneLine } from './markdown.ts';
import { childrenOf, findByPath, isElement, textOf, type XmlElement } from './xml.ts';

/** Matches names of facts that describe the window of the program. */
const WINDOW = /^(?:expansionState|vertScrollState|window\w{1,20})$/;
const MARKUP = /<\/?[a-z][^<>]{0,2000}>|&[a-z#][\w]{1,30};/i;

/** Converts an outline (OPML 2.0) to nested lists: a line for each text, with its note and attributes below it. */
export function readOutline(top: XmlElement, base: string): PageContent {
  const head = childrenOf(top, 'head').flatMap(({ children }) => children.filter(isElement));
  const title = oneLine(textOf(findByPath(top, 'head', 'title')));
  const facts = head.flatMap((fact) => {
    const value = oneLine(textOf(fact));
    return value === '' || fact.name === 'title' || WINDOW.test(fact.name) ? [] : [`${fact.name}: ${value}`];
  });
  const items = childrenOf(top, 'body').flatMap((body) => childrenOf(body, 'outline'));
  const lines = items.flatMap((item) => itemLines(item, base));
  return { title, markdown: [facts.join('\n'), lines.join('\n')].filter(Boolean).join('\n\n') };
}

function itemLines(item: XmlElement, base: string): string[] {
  const { text = item.attributes.title ?? '', title = text, _note, _complete, ...facts } = item.attributes;
  const read = (html: string) =>
    (MARKUP.test(html) ? fragmentToMarkdown(html.replaceAll('\n', '<br>'), base) : html).trim();
  const rest = { ...(title !== text && { title }), ...facts };
  const more = Object.entries(rest).flatMap(([name, value]) =>
    name.includes(':') || value.trim() === '' ? [] : [`${name}: ${value.trim()}`],
  );
  const box = _complete === undefined ? '' : `[${_complete === 'true' ? 'x' : ' '}] `;
  const own = [read(text), read(_note ?? ''), ...more].filter(Boolean).join('\n').split('\n');
  const inner = childrenOf(item, 'outline').flatMap((one) => itemLines(one, base));
  return [...own, ...inner].map((line, at) => (at === 0 ? `- ${box}${line}` : `  ${line}`.trimEnd()));
}
