import { lettersOf } from '../../../../lib/text/letters.ts';
import { type HtmlElement, removeNode } from '../parsing/node.ts';
import { plainText } from '../records/record-text.ts';
import { isCodeLabel, knownCodeLanguage } from './code-language.ts';
import LANGUAGES from './code-languages.json' with { type: 'json' };

const COPY =
  / ?(?:copy(?: code| to clipboard)?|copied!?|kopieren|copier|copiar|复制(?:代码)?|コピー(?:する)?)$/i;
const PLAIN = /^(?:plain ?text|text|code)$/i;
const SHOWN_NAMES: Readonly<Record<string, string>> = LANGUAGES.shown;
const LABEL_TAG = /^(?:div|span|p|header|figcaption|small|b|strong|em|label)$/;
const WRAPPER_TAG = /^(?:div|figure|section|span)$/;
const MAX_LEVELS = 3;
const MAX_LABEL_CHARS = 40;

export function takeCodeLabel(block: HtmlElement, language: string): string {
  const code = block.getElementsByTagName('code')[0];
  const inside = code ? takeBefore(code, block, language) : '';
  return inside || takeAround(block, language);
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
    const behind = after && isCodeLabel(after) ? labelOf(after, language) : undefined;
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
  return (
    LABEL_TAG.test(element.tag) &&
    plainText(element, 1) === '' &&
    element.getElementsByTagName('img').length === 0
  );
}
