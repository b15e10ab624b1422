import { oneLine } from '../../markdown.ts';
import { descendants, type HtmlElement, removeNode } from '../parsing/node.ts';
import { isWithinAny } from '../parsing/relations.ts';
import { asksSomething } from '../visibility/misnamed-boxes.ts';
import { asksForBrowser } from './boilerplate-lines.ts';

const BOX = /^(?:div|section|aside|form|dialog|[a-z]+-[a-z-]*)$/;
const TEXT = /^(?:main|article)$/;
const MAX_CONSENT_CHARS = 1500;
const MAX_BROWSER_CHARS = 500;
const MIN_PROSE_CHARS = 80;
const COOKIES =
  /cookies|kakor|kolačić|çerez|süti|куки|кукі|\bRGPD\b|\bGDPR\b|\bDSGVO\b|ciastecz|evästei|쿠키|クッキー|کوکی/iu;
const PRICE = /\p{Sc}\s?\d|\d\s?\p{Sc}/u;
/** Matches what is said of a visitor's browser in any language: JavaScript, or two browsers by name. */
const BROWSERS =
  /JavaScript|browsehappy|(?:Chrome|Firefox|Edge|Safari|Explorer).{1,200}(?:Chrome|Firefox|Edge|Safari|Explorer)/;

/** Drops notices on cookies and on browsers beside the text of a page, which may be shorter than they are. */
export function dropNotices(page: HtmlElement, title: string): void {
  const isTold = (element: HtmlElement) => element.textContent.trim() !== '';
  let text = [...page.getElementsByTagName('h1'), ...page.getElementsByTagName('main')].find(isTold);
  if (!text || [title, text.textContent.slice(0, 300)].some((one) => COOKIES.test(one) || BROWSERS.test(one)))
    return;
  for (let up = text.parentNode; up; up = up.parentNode) if (TEXT.test(up.tag)) text = up;
  const isMarked = TEXT.test(text.tag);
  const notices = new Set<HtmlElement>();
  for (let at = text; at.parentNode; at = at.parentNode) {
    const { children } = at.parentNode;
    const place = children.indexOf(at);
    for (const [i, box] of children.entries())
      if (i !== place && isNotice(box, isMarked || i < place)) notices.add(box);
  }
  if (notices.size > 0 && hasProseBeside(page, notices)) for (const notice of notices) removeNode(notice);
}

function isNotice(box: HtmlElement, apart: boolean): boolean {
  if (!BOX.test(box.tag) || ['h1', 'article'].some((tag) => box.getElementsByTagName(tag).length > 0))
    return false;
  const text = oneLine(box.textContent);
  if (text.length <= MAX_CONSENT_CHARS && COOKIES.test(text) && !PRICE.test(text) && asksSomething(box))
    return true;
  return apart && text.length <= MAX_BROWSER_CHARS && BROWSERS.test(text) && asksForBrowser(text);
}

function hasProseBeside(page: HtmlElement, notices: ReadonlySet<HtmlElement>): boolean {
  for (const node of descendants(page))
    if (node.nodeType === 3 && node.data.trim().length >= MIN_PROSE_CHARS && !isWithinAny(node, notices))
      return true;
  return false;
}
