import { isInHeading, partOf, readElementNames } from '../visibility/page-parts.ts';
import {
  createElement,
  elementsIn,
  type HtmlElement,
  HtmlText,
  nextNode,
  removeNode,
  retag,
} from './node.ts';
import { shownSibling } from './relations.ts';
import { weightedLength } from './white-space.ts';

const LABEL = /^(?:label|legend)$/;
const FIELD = /^(?:input|select|textarea)$/;
const UNASKED = /^(?:hidden|submit|button|image|reset|search|password)$/i;
const CHOICE = /^(?:radio|checkbox)$/i;
/** Matches names of forms that help with a page and are not what it is for. */
const HELPER =
  /(?:^|[ -])(?:search|filters?|facets?|refine|sort|comments?|comment-?form|respond|reply|newsletter|subscri(?:be|ption)|log-?in|sign-?in|cart|variations?)(?=[ -]|$)/;
const BESIDE = /^(?:frame|related|comments)$/;
const UNCOUNTED = /^(?:nav|header|footer|aside|a|button|select|textarea|script|style|template|noscript|svg)$/;
/** Elements in which a label is a part of a line, or is an item already. */
const LINE = /^(?:li|td|th|dd|dt|a|h[1-6]|pre)$/;
const MIN_QUESTIONS = 3;
/** Minimum share of the text beside the form. Under several legends, the text may explain it at length. */
const [MIN_SHARE, MIN_GROUPED_SHARE] = [0.3, 0.05];
/** Maximum length of what a form says to its fields. Longer texts are those of an article with fields in it. */
const MAX_WORDS_CHARS = 200;
const MAX_OPTIONS = 10;
const MAX_FORMS = 30;
const SIDES = ['previousSibling', 'nextSibling'] as const;

/** Turns each form that its page is for into text: what it asks, and the choices that it offers. */
export function writeForms(root: HtmlElement, html: string): void {
  if (!/<(?:input|select|textarea)[\s>]/i.test(html)) return;
  // A form around the whole page is not what is asked, but the main part of the page may be.
  const isBox = (form: HtmlElement) => form.getElementsByTagName('h1').length === 0;
  const boxes = root.getElementsByTagName('form').slice(0, MAX_FORMS).filter(isBox);
  const main = [...elementsIn(root)].find(isMain);
  if (main?.getElementsByTagName('form').length === 0) boxes.push(main);
  for (const form of boxes) if (isAsked(form)) writeForm(form);
}

const isMain = ({ tag, attributes }: HtmlElement) =>
  tag === 'main' || tag === 'article' || attributes.role === 'main';
const isField = ({ tag }: HtmlElement) => FIELD.test(tag);
const isAnswered = ({ attributes }: HtmlElement) => !UNASKED.test(attributes.type ?? '');
/** True for a button that sends the form, and neither opens an answer nor is a word of a sentence. */
const isSender = (button: HtmlElement) =>
  /^(?:submit|reset)?$/i.test(button.attributes.type ?? '') &&
  button.attributes['aria-expanded'] === undefined &&
  !isInHeading(button) &&
  SIDES.every((side) => shownSibling(button, side)?.nodeType !== 3);
const isChoice = ({ attributes }: HtmlElement) => CHOICE.test(attributes.type ?? '');

/** True for a form with several questions that has much of the text in the main part of its page. */
function isAsked(form: HtmlElement): boolean {
  const fields = [...elementsIn(form)].filter((one) => isField(one) && isAnswered(one));
  if (new Set(fields.map((field) => field.attributes.name ?? field)).size < MIN_QUESTIONS) return false;
  const written = fields.filter((field) => field.tag !== 'select' && !isChoice(field));
  if (written.length < 2 && form.attributes.method?.toLowerCase() !== 'post') return false;
  let region: HtmlElement | undefined;
  for (let at: HtmlElement | null = form; at; at = at.parentNode) {
    if (at !== form && BESIDE.test(partOf(at))) return false;
    if (isMain(at) || at.tag === 'body' || !at.parentNode) region ??= at;
    else if (!region && HELPER.test(readElementNames(at))) return false;
  }
  const isGrouped = form.getElementsByTagName('legend').length > 1;
  return (
    charsIn(form, MAX_WORDS_CHARS) >= charsIn(region ?? form) * (isGrouped ? MIN_GROUPED_SHARE : MIN_SHARE)
  );
}

function charsIn(root: HtmlElement, most = Number.POSITIVE_INFINITY): number {
  let chars = 0;
  for (let node = nextNode(root, root); node; ) {
    const length = weightedLength(node.nodeType === 3 ? node.data : isField(node) ? labelOf(node) : '');
    chars += length > most ? 0 : length;
    node = nextNode(node, root, node.nodeType === 3 || !UNCOUNTED.test(node.tag));
  }
  return chars;
}

const labelOf = ({ attributes }: HtmlElement) => attributes['aria-label'] ?? attributes.placeholder ?? '';

function writeForm(form: HtmlElement): void {
  const fields = [...elementsIn(form)].filter(isField);
  const byId = new Map(fields.map((field) => [field.attributes.id, field]));
  const labelled = new Set<HtmlElement | undefined>();
  let choices: HtmlElement | undefined;
  for (let node = nextNode(form, form); node; ) {
    const isLabel = node.nodeType === 1 && LABEL.test(node.tag);
    const next = nextNode(node, form, !isLabel);
    if (node.nodeType === 3) choices = node.data.trim() === '' ? choices : undefined;
    else if (isLabel) {
      const field = byId.get(node.attributes.for ?? '') ?? [...elementsIn(node)].find(isField);
      labelled.add(field);
      choices = writeLabel(node, form, field && isChoice(field) ? (choices ?? 'first') : undefined);
    }
    node = next;
  }
  const senders = form.tag === 'form' ? form.getElementsByTagName('button').filter(isSender) : [];
  for (const sender of senders) removeNode(sender);
  for (const field of fields) replaceField(field, labelled.has(field));
  if (form.tag === 'form') retag(form, 'section').names = '';
}

/** Makes a label a paragraph, or an item of a list of choices, which it returns. */
function writeLabel(label: HtmlElement, form: HtmlElement, choices: HtmlElement | 'first' | undefined) {
  let isInLine = label.textContent.trim() === '';
  for (let at = label.parentNode; at && at !== form; at = at.parentNode) {
    // A name such as `date` says here which answer is meant, and not which part of a page the box is.
    at.names = '';
    isInLine ||= LINE.test(at.tag);
  }
  if (isInLine) label.appendChild(new HtmlText(' '));
  const made = isInLine ? label : retag(label, choices ? 'li' : label.tag === 'legend' ? 'dt' : 'p');
  if (isInLine || !choices) return undefined;
  const list = choices === 'first' ? createElement('ul', label.depth) : choices;
  if (choices === 'first') made.parentNode?.insertBefore(list, made);
  removeNode(made);
  list.appendChild(made);
  return list;
}

/** Removes a field, or puts what it alone says in its place: the options of a choice, or a label in an attribute. */
function replaceField(field: HtmlElement, isLabelled: boolean): void {
  const { readonly, 'aria-controls': opened } = field.attributes;
  if (readonly !== undefined || opened !== undefined || !field.parentNode) return;
  const options = field.getElementsByTagName('option').filter((option) => option.attributes.value !== '');
  const words = options.length <= MAX_OPTIONS ? options.map((option) => option.textContent.trim()) : [];
  const own = isLabelled || !isAnswered(field) ? '' : labelOf(field);
  const text = [own, words.join(' · ')].filter(Boolean).join(': ');
  const isBreak = text === '' && isChoice(field) && !isLabelled;
  if (text || isBreak)
    field.parentNode.insertBefore(createElement(isBreak ? 'br' : 'p', field.depth, text), field);
  removeNode(field);
}
