import { elementsIn, type HtmlElement } from './node.ts';

const MAX_CSS_CHARS = 400_000;
const ZERO = '0{0,20}(?:\\.0{1,20})?(?:px|em|rem|pt|%)? ?(?:;|!|$)';
const HIDING = new RegExp(
  `(?:^|;) ?(?:${[
    'display ?: ?none',
    'visibility ?: ?(?:hidden|collapse)',
    'content-visibility ?: ?hidden',
    `opacity ?: ?${ZERO}`,
    `(?:max-width|max-height) ?: ?${ZERO}`,
    '(?:left|top|right|bottom|text-indent|margin-left|margin-top) ?: ?-\\d{3}(?:\\d|em|rem|vw|vh|%)',
    'clip ?: ?rect\\( ?[01](?:px)?[ ,]{1,9}[01](?:px)?[ ,]{1,9}[01]',
    'clip-path ?: ?(?:inset\\( ?(?:50|100)%|circle\\( ?0|polygon\\( ?0(?:px|%)? ?(?:0(?:px|%)? ?)?\\))',
    'transform ?: ?(?:scale[xy]?\\( ?0 ?[),]|translate[xy]?\\( ?-\\d{3}(?:\\d|em|rem|vw|vh))',
    'color ?: ?(?:transparent|rgba\\([^)]{0,40}, ?0(?:\\.0{1,20})? ?\\))',
  ].join('|')})`,
  'i',
);
/** Matches font sizes of at most one pixel, which make text invisible. */
const TYPE = new RegExp(
  `(?:^|;) ?font-size ?: ?(?:${ZERO}|0{0,20}(?:\\.\\d{1,20})?(?:px|pt)|0{0,20}\\.0\\d{0,20}(?:em|rem)|1(?:\\.0{1,20})?px)`,
  'i',
);
const SIZE = new RegExp(`(?:^|;) ?(?:width|height) ?: ?${ZERO}`, 'i');
const CUT = /(?:^|;) ?overflow(?:-[xy])? ?: ?(?:hidden|clip)/i;
const COLOR = /(?:^|;) ?color ?: ?([^;!]+)/i;
const BACKGROUND = /(?:^|;) ?background(?:-color)? ?: ?([^;!]+)/i;
const NOT_DISPLAYED = /(?:^|;) ?display ?: ?none ?(?=;)/gi;
const DISPLAYED =
  /; ?display ?: ?(?:block|inline|inline-block|flow-root|flex|inline-flex|grid|inline-grid|list-item|contents|table|table-row|table-cell) ?(?:;|$)/i;

/** Removes `display: none` if a later `display` overrides it. Skips styles that are hard to parse. */
function withoutTakenBack(style: string): string {
  const plain = style.replace(/\([^()]{0,200}\)/g, '');
  if (/["'\\()[\]{}]|\/\*/.test(plain)) return style;
  const last = plain.toLowerCase().lastIndexOf('display');
  const shown = DISPLAYED.exec(plain.slice(Math.max(0, last - 2)));
  return shown && !/display ?: ?none ?!/i.test(plain) ? style.replace(NOT_DISPLAYED, '') : style;
}

export function isHiding(declarations: string): boolean {
  const style = oneSpaced(declarations);
  if (HIDING.test(style) && HIDING.test(withoutTakenBack(style))) return true;
  if (SIZE.test(style) && CUT.test(style)) return true;
  const color = COLOR.exec(style)?.[1];
  const background = color && BACKGROUND.exec(style)?.[1];
  return background ? plainColor(color) === plainColor(background) : false;
}

export const isSizeless = (declarations: string): boolean => TYPE.test(oneSpaced(declarations));

/** Collapses white space, because the patterns take linear time only for single spaces. */
const oneSpaced = (text: string): string => text.replace(/\s+/g, ' ');

function plainColor(color: string): string {
  const name = color.trim().toLowerCase().replace(/\s+/g, '');
  if (name === 'white') return '#ffffff';
  if (name === 'black') return '#000000';
  const [, r = '', g = '', b = ''] = /^#([\da-f])([\da-f])([\da-f])$/.exec(name) ?? [];
  if (r) return `#${r}${r}${g}${g}${b}${b}`;
  const parts = /^rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,1)?\)$/.exec(name);
  if (!parts) return name;
  return `#${parts
    .slice(1)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
}

export interface HidingRules {
  hides(element: HtmlElement): boolean;
  /** True if a rule sets the font size to zero. Sites do this to close gaps between child elements. */
  shrinks(element: HtmlElement): boolean;
}

interface Selectors {
  readonly hidden: Set<string>;
  readonly sizeless: Set<string>;
}

export function readHidingRules(root: HtmlElement): HidingRules {
  const found: Selectors = { hidden: new Set(), sizeless: new Set() };
  let left = MAX_CSS_CHARS;
  for (const node of elementsIn(root)) {
    if (node.tag !== 'style' || left <= 0) continue;
    const css = node.textContent.slice(0, left);
    left -= css.length;
    readSheet(css, found);
  }
  return {
    hides: (element) => isNamed(element, found.hidden),
    shrinks: (element) => isNamed(element, found.sizeless),
  };
}

function isNamed({ attributes }: HtmlElement, selectors: ReadonlySet<string>): boolean {
  if (selectors.size === 0) return false;
  const { id, class: names } = attributes;
  if (id !== undefined && selectors.has(`#${id}`)) return true;
  return names?.split(/\s+/).some((name) => selectors.has(`.${name}`)) ?? false;
}

const ANYWHERE = /^\s*@(?:media\s+(?:only\s+)?(?:screen|all)\s*|layer\b[^{;]*)$/i;

interface Sheet {
  readonly css: string;
  depth: number;
  from: number;
  selector: string;
}

const [SLASH, STAR, OPENING, CLOSING, SEMICOLON] = [0x2f, 0x2a, 0x7b, 0x7d, 0x3b];

function readSheet(css: string, found: Selectors): void {
  const sheet: Sheet = { css, depth: 0, from: 0, selector: '' };
  for (let at = 0; at < css.length; at++) {
    const code = css.charCodeAt(at);
    if (code === SLASH && css.charCodeAt(at + 1) === STAR) {
      const end = css.indexOf('*/', at + 2);
      if (end < 0) return;
      if (css.slice(sheet.from, at).trim() === '') sheet.from = end + 2;
      at = end + 1;
    } else if (code === OPENING) openBlock(sheet, at);
    else if (code === CLOSING) closeBlock(sheet, at, found);
    else if (code === SEMICOLON && sheet.depth === 0) sheet.from = at + 1;
  }
}

function openBlock(sheet: Sheet, at: number): void {
  if (sheet.depth === 0) sheet.selector = sheet.css.slice(sheet.from, at);
  // Rules inside `@media screen`, `@media all` or `@layer` apply like rules outside of any block.
  if (sheet.depth > 0 || !ANYWHERE.test(sheet.selector)) sheet.depth++;
  sheet.from = at + 1;
}

function closeBlock(sheet: Sheet, at: number, found: Selectors): void {
  if (sheet.depth === 1) judge(sheet.selector, sheet.css.slice(sheet.from, at), found);
  sheet.depth = Math.max(0, sheet.depth - 1);
  sheet.from = at + 1;
}

function judge(selectors: string, declarations: string, { hidden, sizeless }: Selectors): void {
  if (selectors.trimStart().startsWith('@')) return;
  // Only selectors with a single name count, such as `.ad`. Selectors such as `.ad .box` are ignored.
  const names = selectors.split(',').flatMap((selector) => ONE_NAME.exec(selector)?.[1] ?? []);
  if (names.length === 0) return;
  const hiding = isHiding(declarations);
  const small = isSizeless(declarations);
  const showing = !hiding && /(?:^|;)\s*(?:display|visibility|opacity)\s*:/i.test(declarations);
  for (const name of names) {
    if (hiding) hidden.add(name);
    else if (showing) hidden.delete(name);
    if (small) sizeless.add(name);
  }
}

const ONE_NAME = /^\s*(?:[a-z]+\d?)?([.#][\w-]+)\s*$/i;
