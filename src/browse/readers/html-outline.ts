import type { OutlineCause } from '../reading/page.ts';
import { escapeMarkdown } from './html/markdown/escape.ts';
import { decodeMailAddresses } from './html/parsing/mail-addresses.ts';
import { descendants, type HtmlElement, type HtmlNode } from './html/parsing/node.ts';
import { parseHtml } from './html/parsing/parse.ts';
import { placeStreamed } from './html/parsing/streamed.ts';
import { BLOCK_TAGS, HEADING_TAGS } from './html/parsing/tags.ts';
import { dropHiddenElements } from './html/visibility/drop-invisible.ts';
import { placeIconTexts } from './html/visibility/icon-texts.ts';
import { partOf } from './html/visibility/page-parts.ts';
import type { HtmlPage } from './html.ts';
import { oneLine, writeCodeFence } from './markdown.ts';

const WHY: Readonly<Record<OutlineCause, string>> = {
  time: 'the page takes too long to be judged as a whole',
  memory: 'the page takes too much memory to be judged as a whole',
  broken: 'the page is broken in a way that it cannot be judged as a whole',
};
const REDUCED =
  'this is all of its text with headings and lists, without links, and perhaps with some of its frame';
/** An element with over half of the page's text is not removed, even if its name suggests boilerplate. */
const MOST_SHARE = 0.5;

export function readOutline(html: string, cause: OutlineCause): HtmlPage {
  const page = parseHtml(html);
  const title = oneLine(page.getElementsByTagName('title')[0]?.textContent ?? '');
  decodeMailAddresses(page, html);
  placeStreamed(page);
  placeIconTexts(page);
  dropHiddenElements(page, true);
  countCharacters(page);
  const writer = new OutlineWriter(page.chars * MOST_SHARE);
  writer.write(page);
  return { title, markdown: writer.end(), reduced: `${WHY[cause]}: ${REDUCED}` };
}

function countCharacters(page: HtmlElement): void {
  const all: HtmlNode[] = [...descendants(page)];
  for (const node of all.reverse()) {
    const chars = node.nodeType === 3 ? node.data.length : node.chars;
    if (node.parentNode) node.parentNode.chars += chars;
  }
}

class OutlineWriter {
  readonly #most: number;
  readonly #blocks: string[] = [];
  #text = '';
  #mark = '';
  #lists = 0;
  #lastIsItem = false;

  constructor(most: number) {
    this.#most = most;
  }

  write(element: HtmlElement): void {
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) this.#text += node.data;
      else if (!this.#isFrame(node)) this.#element(node);
    }
  }

  end(): string {
    this.#flush();
    return this.#blocks.join('').trim();
  }

  #element(element: HtmlElement): void {
    const { tag } = element;
    if (tag === 'td' || tag === 'th') {
      if (element.previousSibling && this.#text.trim()) this.#text += ' | ';
      this.write(element);
    } else if (tag === 'pre') {
      this.#flush();
      this.#code(element.textContent);
    } else if (BLOCK_TAGS.has(tag)) this.#block(element);
    else {
      if (tag === 'br') this.#text += ' ';
      this.write(element);
    }
  }

  #block(element: HtmlElement): void {
    const { tag } = element;
    this.#flush();
    if (HEADING_TAGS.has(tag)) this.#mark = `${'#'.repeat(Number(tag[1]))} `;
    else if (tag === 'li') this.#mark = `${'  '.repeat(Math.max(0, Math.min(this.#lists, 20) - 1))}- `;
    else if (tag === 'blockquote') this.#mark = '> ';
    const list = tag === 'ul' || tag === 'ol';
    if (list) this.#lists++;
    this.write(element);
    if (list) this.#lists--;
    this.#flush();
    this.#mark = '';
  }

  #flush(): void {
    const text = escapeMarkdown(oneLine(this.#text));
    this.#text = '';
    if (text === '') return;
    const item = this.#mark.trimStart() === '- ';
    this.#add(`${this.#mark}${text}`, item);
    this.#mark = '';
  }

  #code(text: string): void {
    const code = text.replace(/^\n+/, '').trimEnd();
    if (code === '') return;
    this.#add(writeCodeFence(code, ''), false);
  }

  #add(block: string, item: boolean): void {
    if (this.#blocks.length > 0) this.#blocks.push(item && this.#lastIsItem ? '\n' : '\n\n');
    this.#blocks.push(block);
    this.#lastIsItem = item;
  }

  #isFrame(element: HtmlElement): boolean {
    if (element.chars === 0 || element.chars > this.#most) return false;
    if (element.tag === 'nav') return true;
    if (!BLOCK_TAGS.has(element.tag) || element.tag === 'time') return false;
    const part = partOf(element);
    return part === 'frame' || part === 'related';
  }
}
