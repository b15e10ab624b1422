import { partOf, readElementNames } from '../visibility/page-parts.ts';
import {
  createElement,
  elementsIn,
  type HtmlElement,
  HtmlText,
  isWithin,
  nextNode,
  removeNode,
} from './node.ts';
import { retag } from './roles.ts';
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
const MIN_SHARE = 0.3;
/** Below several legends, a form needs only this share of the text, which may explain it at length. */
const MIN_GROUPED_SHARE = 0.05;
const MAX_OPTIONS = 10;
const MAX_FORMS = 30;

/** Turns each form that its page is for into text: what it asks, and the choices that it offers. */
export function writeForms(root: HtmlElement, html: string): void {
  if (!/<(?:input|select|textarea)[\s>]/i.test(html)) return;
  // A form around the whole page is not what is asked, but the main part of the page may be.
  const isBox = (form: HtmlElement) => form.getElementsByTagName('h1').length === 0;
  const boxes = root.getElementsByTagName('form').slice(0, MAX_FORMS).filter(isBox);
  const main = [...elementsIn(root)].find(isMain);
  if (main && !boxes.some((box) => isWithin(box, main))) boxes.push(main);
  for (const form of boxes) if (isAsked(form)) writeForm(form);
}

const isMain = ({ tag, attributes }: HtmlElement) =>
  tag === 'main' || tag === 'article' || attributes.role === 'main';
const isChoice = ({ attributes }: HtmlElement) => CHOICE.test(attributes.type ?? '');

/** True for a form with several questions that has much of the text in the main part of its page. */
function isAsked(form: HtmlElement): boolean {
  const fields = [...elementsIn(form)].filter(
    ({ tag, attributes }) => FIELD.test(tag) && !UNASKED.test(attributes.type ?? ''),
  );
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
  return charsIn(form) >= charsIn(region ?? form) * (isGrouped ? MIN_GROUPED_SHARE : MIN_SHARE);
}

function charsIn(root: HtmlElement): number {
  let chars = 0;
  for (let node = nextNode(root, root); node; ) {
    chars += weightedLength(node.nodeType === 3 ? node.data : FIELD.test(node.tag) ? labelOf(node) : '');
    node = nextNode(node, root, node.nodeType === 3 || !UNCOUNTED.test(node.tag));
  }
  return chars;
}

const labelOf = ({ attributes }: HtmlElement) => attributes['aria-label'] ?? attributes.placeholder ?? '';

function writeForm(form: HtmlElement): void {
  const fields = [...elementsIn(form)].filter(({ tag }) => FIELD.test(tag) || tag === 'button');
  const byId = new Map(fields.map((field) => [field.attributes.id, field]));
  const labelled = new Set<HtmlElement | undefined>();
  let choices: HtmlElement | undefined;
  for (let node = nextNode(form, form); node; ) {
    const isLabel = node.nodeType === 1 && LABEL.test(node.tag);
    const next = nextNode(node, form, !isLabel);
    if (node.nodeType === 3) choices = node.data.trim() === '' ? choices : undefined;
    else if (isLabel) {
      const own = [...elementsIn(node)].find(({ tag }) => FIELD.test(tag));
      const field = byId.get(node.attributes.for ?? '') ?? own;
      labelled.add(field);
      choices = writeLabel(node, form, field && isChoice(field) ? (choices ?? 'first') : undefined);
    }
    node = next;
  }
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
  if (isInLine) return undefined;
  const made = retag(label, choices ? 'li' : label.tag === 'legend' ? 'dt' : 'p');
  if (!choices) return undefined;
  const list = choices === 'first' ? createElement('ul', label.depth) : choices;
  if (choices === 'first') made.parentNode?.replaceChild(list, made);
  else removeNode(made);
  list.appendChild(made);
  return list;
}

/** Removes a field, or puts what it alone says in its place: the options of a choice, or a label in an attribute. */
function replaceField(field: HtmlElement, isLabelled: boolean): void {
  const { tag, attributes } = field;
  const { readonly, type = '' } = attributes;
  if (readonly !== undefined || attributes['aria-controls'] !== undefined || !field.parentNode) return;
  const options = field.getElementsByTagName('option').filter((option) => option.attributes.value !== '');
  const words = options.length <= MAX_OPTIONS ? options.map((option) => option.textContent.trim()) : [];
  const own = isLabelled || tag === 'button' || UNASKED.test(type) ? '' : labelOf(field);
  const text = [own, words.join(' · ')].filter(Boolean).join(': ');
  if (text) field.parentNode.insertBefore(createElement('p', field.depth, text), field);
  else if (isChoice(field) && !isLabelled)
    field.parentNode.insertBefore(createElement('br', field.depth), field);
  removeNode(field);
}
