import { toIsoDate } from '../../../../lib/time/written-date.ts';
import { createElement, descendants, elementsIn, HtmlElement, nextNode } from '../parsing/node.ts';
import { plainText } from '../records/record-text.ts';

const LINE = 'x-answer';
const MAX_NAME_CHARS = 60;
const DAY_CHARS = 10;
const ANSWER = /schema\.org\/Answer$/;
const OTHER = /schema\.org\/(?:Comment|Answer)$/;

/** Stores an answer's author, date and votes, because the box that shows them is removed as boilerplate. */
export function rememberAnswerAuthors(page: HtmlElement): void {
  for (const node of elementsIn(page)) {
    const { itemtype } = node.attributes;
    if (itemtype === undefined || !ANSWER.test(itemtype)) continue;
    const line = headOf(node);
    if (line !== '') node.attributes[LINE] = line;
  }
}

export function writeAnswerAuthors(root: HtmlElement): void {
  const answers = [...elementsIn(root)].filter((node) => node.attributes[LINE] !== undefined);
  for (const answer of answers) {
    const { [LINE]: line = '' } = answer.attributes;
    delete answer.attributes[LINE];
    const text = answer.textContent.trim();
    if (text === '') continue;
    const [name = '', ...rest] = line.split('\n');
    if (!text.startsWith(name)) {
      const strong = createElement('strong', answer.depth + 2, name);
      answer.prependChild(createElement('p', answer.depth + 1, strong, ['', ...rest].join(' · ')));
    }
    answer.prependChild(new HtmlElement('hr', {}, answer.depth + 1));
  }
}

function headOf(answer: HtmlElement): string {
  const { 'data-author-username': given = '', itemprop = '' } = answer.attributes;
  let [author, time, votes] = [given.slice(0, MAX_NAME_CHARS), '', ''];
  for (let node = nextNode(answer, answer); node; ) {
    const inside = node.nodeType === 3 || !OTHER.test(node.attributes.itemtype ?? '');
    const says = node.nodeType === 1 && inside ? node.attributes.itemprop : undefined;
    if (node.nodeType === 3 || says === undefined) {
      node = nextNode(node, answer, inside);
      continue;
    }
    if (says === 'author') author ||= nameIn(node);
    else if (says === 'upvoteCount') votes ||= textOf(node);
    else if (/^date(?:Created|Published)$/.test(says))
      time ||= (toIsoDate(node.attributes.datetime || textOf(node)) ?? '').slice(0, DAY_CHARS);
    node = nextNode(node, answer, inside);
  }
  if (author === '') return '';
  const accepted = /(?:^|\s)acceptedAnswer(?=\s|$)/.test(itemprop) ? '✔' : '';
  return [author, time, /^-?\d{1,6}$/.test(votes) ? `${votes} votes` : '', accepted]
    .filter(Boolean)
    .join('\n');
}

function nameIn(author: HtmlElement): string {
  for (const node of descendants(author))
    if (node.nodeType === 1 && node.attributes.itemprop === 'name') return textOf(node);
  return textOf(author);
}

function textOf(element: HtmlElement): string {
  const { content } = element.attributes;
  const text = content?.replace(/\s+/g, ' ').trim() ?? plainText(element, MAX_NAME_CHARS + 1);
  return text.length <= MAX_NAME_CHARS ? text : '';
}
