import { lettersOf } from '../../../../lib/text/letters.ts';
import { descendants, type HtmlElement, type HtmlNode, isWithin, removeNode } from '../parsing/node.ts';
import { shownSibling } from '../parsing/relations.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';
import { plainText } from '../records/record-text.ts';
import { isCodeLabel, knownCodeLanguage } from './code-language.ts';
import LANGUAGES from './code-languages.json' with { type: 'json' };

const COPY_WORDS = `(?:${LANGUAGES.copy.join('|')})[!.…]?`;
const COPY = new RegExp(` ?${COPY_WORDS}$`, 'iu');
const ONLY_COPY = new RegExp(`^(?:\\s{0,9}${COPY_WORDS}\\s{0,9}){1,3}$`, 'iu');
const COPY_NAME =
  /(?:^|[\s_-])(?:copy-?(?:btn|button|code|icon|label|link|to)|(?:btn|button|code)-?copy|(?:zero)?clipboard\w{0,12})(?=[\s_-]|$)/i;
const PLAIN = /^(?:plain ?text|text|code)$/i;
const SHOWN_NAMES: Readonly<Record<string, string>> = LANGUAGES.shown;
const LABEL_TAG = /^(?:div|span|p|header|figcaption|small|b|strong|em|label)$/;
const WRAPPER_TAG = /^(?:div|figure|section|span)$/;
const BOX_TAG = /^(?:div|figure|section|span|td|tr|tbody|table)$/;
const MAX_LEVELS = 3;
const MAX_BOX_LEVELS = 6;
const MAX_BESIDE = 8;
const MAX_LABEL_CHARS = 40;

export function takeCodeLabel(block: HtmlElement, language: string): string {
  dropCopyLabels(block);
  const code = block.getElementsByTagName('code')[0];
  const inside = code ? takeBefore(code, block, language) : '';
  return inside || takeAround(block, language);
}

/** Removes the labels of buttons that copy the code. They stand in its box, not in a text. */
function dropCopyLabels(block: HtmlElement): void {
  let box = block;
  while (box.parentNode && block.depth - box.depth < MAX_BOX_LEVELS && isBoxOf(box.parentNode, box))
    box = box.parentNode;
  const labels: HtmlNode[] = [];
  for (const node of descendants(box)) {
    const isWords = node.nodeType === 3 && ONLY_COPY.test(node.data) && !isWithin(node, block);
    if (node.nodeType === 3 ? isWords && isApart(node, box) : isCopyButton(node, block)) labels.push(node);
  }
  for (const label of labels) removeNode(label);
}

/** True if `parent` holds little more than `box`, which has the code. */
function isBoxOf(parent: HtmlElement, box: HtmlElement): boolean {
  if (!BOX_TAG.test(parent.tag)) return false;
  let [chars, nodes] = [0, 0];
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (node === box) continue;
    chars += node.nodeType === 3 ? node.data.trim().length : plainText(node, MAX_BOX_CHARS + 1).length;
    if (chars > MAX_BOX_CHARS || ++nodes > MAX_BESIDE) return false;
  }
  return true;
}

const MAX_BOX_CHARS = 80;

/** True for a button that its class names. A class of the code itself, or of its box, means something else. */
function isCopyButton(element: HtmlElement, block: HtmlElement): boolean {
  const {
    class: names = '',
    'data-clipboard-text': text,
    'data-clipboard-target': target,
  } = element.attributes;
  if (text === undefined && target === undefined && !COPY_NAME.test(names.slice(0, 200))) return false;
  if (/^(?:pre|code)$/.test(element.tag) || isWithin(block, element)) return false;
  const label = plainText(element, MAX_LABEL_CHARS + 1);
  return label.length <= MAX_LABEL_CHARS && label !== plainText(block, MAX_LABEL_CHARS + 1);
}

/** True if no other words stand beside a text in its line. */
function isApart(text: HtmlNode, box: HtmlElement): boolean {
  for (let at = text; at.parentNode && at !== box; at = at.parentNode) {
    for (const side of ['previousSibling', 'nextSibling'] as const)
      if (shownSibling(at, side)?.nodeType === 3) return false;
    if (at.nodeType === 1 && BLOCK_TAGS.has(at.tag)) break;
  }
  return true;
}

function takeBefore(code: HtmlElement, block: HtmlElement, language: string): string {
  let found = '';
  for (let at = code; at !== block && at.parentNode; at = at.parentNode) {
    for (let before = shown(at, 'previousSibling'); before; before = shown(at, 'previousSibling')) {
      const named = labelOf(before, language);
      if (named === undefined) break;
      found ||= named;
      removeNode(before);
    }
  }
  return found;
}

function takeAround(block: HtmlElement, language: string): string {
  let at = block;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const [before, after] = [shown(at, 'previousSibling'), shown(at, 'nextSibling')];
    const named = before && labelOf(before, language);
    if (before && named !== undefined && (named !== '' || isCodeLabel(before) || before.tag !== 'p')) {
      removeNode(before);
      return named;
    }
    const isLabel = after && (isCodeLabel(after) || ONLY_COPY.test(plainText(after, MAX_LABEL_CHARS + 1)));
    const behind = isLabel ? labelOf(after, language) : undefined;
    if (after && behind !== undefined) {
      removeNode(after);
      return behind;
    }
    const { parentNode: parent } = at;
    if (before || !parent || !WRAPPER_TAG.test(parent.tag)) return '';
    at = parent;
  }
  return '';
}

/** Returns the language in a label, '' for a label without language, undefined if there is no label. */
function labelOf(element: HtmlElement, language: string): string | undefined {
  if (!LABEL_TAG.test(element.tag)) return undefined;
  const text = plainText(element, MAX_LABEL_CHARS + 1);
  if (text === '' || text.length > MAX_LABEL_CHARS) return undefined;
  const name = text.replace(COPY, '');
  if (name === '' || (PLAIN.test(name) && element.tag !== 'p')) return '';
  const known = SHOWN_NAMES[name.toLowerCase()] ?? knownCodeLanguage(name);
  if (language === '') return known === '' ? undefined : known;
  return known === language || lettersOf(name) === lettersOf(language) || isAlias(known, language)
    ? language
    : undefined;
}

const ALIASES = LANGUAGES.aliases.map((names) => names.split(' '));

function isAlias(one: string, other: string): boolean {
  return one !== '' && ALIASES.some((names) => names.includes(one) && names.includes(other));
}

function shown(from: HtmlElement, way: 'previousSibling' | 'nextSibling'): HtmlElement | undefined {
  let node = from[way];
  while (node && (node.nodeType === 3 ? node.data.trim() === '' : isEmpty(node))) node = node[way];
  return node?.nodeType === 1 ? node : undefined;
}

function isEmpty(element: HtmlElement): boolean {
  if (!LABEL_TAG.test(element.tag)) return false;
  for (const node of descendants(element))
    if (node.nodeType === 3 ? node.data.trim() !== '' : node.tag === 'img') return false;
  return true;
}
