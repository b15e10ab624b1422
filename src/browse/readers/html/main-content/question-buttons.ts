import { createElement, elementsIn, type HtmlElement, isWithin } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { HEADING_TAGS } from '../parsing/tags.ts';
import { plainText } from '../records/record-text.ts';

const QUESTION = 'x-question';
const MIN_QUESTION_CHARS = 6;
const MAX_QUESTION_CHARS = 300;
const MIN_ANSWER_CHARS = 20;
const MAX_BUTTONS = 1000;
const MAX_LEVELS = 3;
const MAX_FRAME_LEVELS = 60;
const MAX_ANSWER_LINKS = 0.7;

const CONTROL =
  /^(?:show|read|see|view|load|expand|collapse|toggle|open|close|hide|more|less|menu|search|filter|sort|share|copy|download|add|buy|sign|log|subscribe|on this page|in this article|table of contents|contents|learn more|mehr|weiter|weniger|anzeigen|öffnen|schließen|menü|voir|lire|afficher|plus|fermer|ver|leer|mostrar|más|cerrar|meer|lees|toon|sluit|ещё|еще|показать|закрыть|меню|もっと|続き|閉じる|更多|展开|收起|菜单)(?![\p{L}])/iu;

/** Stores each question on a button with the answer that it opens. Must precede `dropHiddenElements()`. */
export function rememberQuestions(root: HtmlElement): boolean {
  const buttons: HtmlElement[] = [];
  const byId = new Map<string, HtmlElement>();
  for (const node of elementsIn(root)) {
    const { id } = node.attributes;
    if (id !== undefined && !byId.has(id)) byId.set(id, node);
    if (node.tag === 'button' && isOpener(node) && buttons.length < MAX_BUTTONS) buttons.push(node);
  }
  const judged = new Set<HtmlElement>();
  let found = false;
  for (const button of buttons) {
    const question = plainText(button, MAX_QUESTION_CHARS + 1);
    if (!isQuestion(question) || isInFrame(button)) continue;
    const answer = byId.get(button.attributes['aria-controls']?.trim() ?? '') ?? answerAfter(button);
    if (!answer || judged.has(answer)) continue;
    judged.add(answer);
    if (isWithin(button, answer) || !isAnswer(answer)) continue;
    answer.attributes[QUESTION] = question;
    found = true;
  }
  return found;
}

export function insertButtonQuestions(root: HtmlElement, noted: boolean): void {
  if (!noted) return;
  for (const node of [root, ...elementsIn(root)]) {
    const { [QUESTION]: question } = node.attributes;
    if (question === undefined) continue;
    delete node.attributes[QUESTION];
    if (node.textContent.trim() === '' || isSaid(node, question)) continue;
    const strong = createElement('strong', node.depth + 2, question);
    node.prependChild(createElement('p', node.depth + 1, strong));
  }
}

function isOpener({ attributes, parentNode }: HtmlElement): boolean {
  if (parentNode && (HEADING_TAGS.has(parentNode.tag) || /^(?:dt|summary)$/.test(parentNode.tag)))
    return false;
  return (
    attributes['aria-expanded'] !== undefined ||
    attributes['aria-controls'] !== undefined ||
    /accordion|faq|collaps|toggle|question/i.test(
      `${attributes.class ?? ''} ${attributes['data-toggle'] ?? ''}`,
    )
  );
}

function isQuestion(text: string): boolean {
  if (text.length > MAX_QUESTION_CHARS) return false;
  if (/[?？؟]$/.test(text)) return true;
  const isDense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{4}/u.test(text);
  return (text.length >= MIN_QUESTION_CHARS || isDense) && /\p{L}/u.test(text) && !CONTROL.test(text);
}

function isInFrame(button: HtmlElement): boolean {
  let at = button.parentNode;
  for (let level = 0; at && level < MAX_FRAME_LEVELS; level++, at = at.parentNode) {
    if (/^(?:nav|footer|form|menu)$/.test(at.tag)) return true;
    if (/^(?:navigation|contentinfo|menubar|toolbar|tablist|dialog)$/.test(at.attributes.role ?? ''))
      return true;
    if (at.tag === 'header' && at.parentNode?.parentNode === null) return true;
  }
  return false;
}

function answerAfter(button: HtmlElement): HtmlElement | undefined {
  let at = button;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const next = shownSibling(at, 'nextSibling');
    if (next) return next.nodeType === 1 ? next : undefined;
    const { parentNode: parent } = at;
    if (!parent || plainText(parent, MAX_QUESTION_CHARS + 1) !== plainText(button, MAX_QUESTION_CHARS + 1))
      return undefined;
    at = parent;
  }
  return undefined;
}

function isAnswer(element: HtmlElement): boolean {
  const { tag, attributes } = element;
  if (/^(?:nav|form|dialog|menu|button|h[1-6]|input|select)$/.test(tag)) return false;
  if (/^(?:dialog|alertdialog|menu|navigation|tooltip|search|tabpanel|listbox)$/.test(attributes.role ?? ''))
    return false;
  const text = element.textContent.trim().length;
  const linked = element
    .getElementsByTagName('a')
    .reduce((sum, link) => sum + link.textContent.trim().length, 0);
  const isDense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{4}/u.test(element.textContent);
  return (
    (text >= MIN_ANSWER_CHARS || isDense || /^\P{L}*\p{L}+[.!]/u.test(element.textContent)) &&
    linked <= text * MAX_ANSWER_LINKS
  );
}

function isSaid(answer: HtmlElement, question: string): boolean {
  const begin = answer.textContent
    .slice(0, MAX_QUESTION_CHARS * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return begin.startsWith(question);
}
