import { shortText } from '../notes/note-marks.ts';
import type { HtmlElement } from '../parsing/node.ts';
import LANGUAGES from './code-languages.json' with { type: 'json' };

/** Matches classes such as `language-js`. `AHEAD`: a class before a language, such as `code` in `code js`. */
const LANGUAGE =
  /^(?:[a-z]{1,20}-)?(?:language|lang|highlight-source|highlight-text|highlight|sourcecode|source|src|brush|code|type|hljs|syntax)[-:](.+)$/i;
const AHEAD =
  /^(?:sourcecode|brush:|prettyprint|src|highlight|hljs|hl|chroma|codehilite|code|syntax|shiki|astro-code)$/i;
const NO_LANGUAGE =
  /^(?:none|no-?highlight|plain|plaintext|text|txt|auto|default|block|wrapper|container|toolbar|highlight|snippet|example|box|numbers?|line|lines|group|body|content|inner|area|header|fence|blocks?|basic|wrap|copy|javascript-error|output)$/i;
const KNOWN = new Set(LANGUAGES.known.flatMap((row) => row.split(' ')));
const ATTRIBUTES =
  'data-lang data-language data-code-language data-enlighter-language data-highlight-language language'.split(
    ' ',
  );
const MAX_LEVELS = 8;
const MAX_BESIDE = 6;

export function knownCodeLanguage(text: string): string {
  const name = text.trim().toLowerCase();
  return KNOWN.has(name) && !NO_LANGUAGE.test(name) ? name : '';
}

export function findCodeLanguage(pre: HtmlElement): string {
  const inner = pre.getElementsByTagName('code')[0];
  let named = (inner && languageIn(inner, true)) || languageIn(pre, true);
  let at: HtmlElement | null = pre;
  for (let level = 0; named === '' && level < MAX_LEVELS && at?.parentNode && isAlone(at); level++) {
    at = at.parentNode;
    named = languageIn(at, false);
  }
  return named;
}

/** Reads the language from attributes and classes. `lang` counts only on the code block itself (`own`). */
function languageIn({ attributes }: HtmlElement, own: boolean): string {
  for (const name of ATTRIBUTES) {
    const value = attributes[name] ?? '';
    if (isName(value)) return value.toLowerCase();
  }
  if (own && attributes.lang !== undefined && knownCodeLanguage(attributes.lang))
    return attributes.lang.toLowerCase();
  const classes = (attributes.class ?? '').slice(0, 500).split(/\s+/);
  const named = classes.map((one, i) => classLanguage(one, classes[i - 1] ?? '')).find(Boolean);
  if (named !== undefined) return named.toLowerCase();
  return own ? (classes.map(knownCodeLanguage).find((name) => name.length > 1) ?? '') : '';
}

function classLanguage(name: string, before: string): string {
  const said = (LANGUAGE.exec(name)?.[1] ?? '').replace(/;$/, '');
  if (isName(said) && (CERTAIN.test(name) || knownCodeLanguage(said) !== '')) return said;
  const next = name.replace(/;$/, '');
  if (before === 'brush:') return isName(next) ? next : '';
  return AHEAD.test(before) ? knownCodeLanguage(next) : '';
}

const CERTAIN = /^(?:language|lang|brush|highlight-source|src)[-:]/i;

const isName = (name: string): boolean => /^[\w+#.-]{1,30}$/.test(name) && !NO_LANGUAGE.test(name);

function isAlone(element: HtmlElement): boolean {
  for (const way of ['previousSibling', 'nextSibling'] as const) {
    let node = element[way];
    for (let steps = 0; node; steps++, node = node[way]) {
      if (steps > MAX_BESIDE) return false;
      if (node.nodeType === 3 ? node.data.trim() !== '' : shortText(node) === undefined && !isCodeLabel(node))
        return false;
    }
  }
  return true;
}

const LABEL_NAME =
  /(?:^|[\s_-])(?:header|title|toolbar|caption|filename|gutter|lang(?:uage)?|copy|actions?)(?=[\s_-]|$)/i;

export function isCodeLabel({ tag, attributes }: HtmlElement): boolean {
  return tag === 'figcaption' || LABEL_NAME.test((attributes.class ?? '').slice(0, 200));
}
