import { lettersOf } from '../../../../lib/text/letters.ts';
import { isBoilerplateLine } from '../main-content/boilerplate-lines.ts';
import { type AddressResolver, escapeAddress } from '../parsing/addresses.ts';
import { descendants, type HtmlElement, type HtmlNode, removeNode } from '../parsing/node.ts';

/** Matches an emoji. Many sites show an emoji as a picture with the emoji as alt text. */
const EMOJI =
  /^(?:\p{RI}\p{RI}|(?!\p{ASCII})\p{Extended_Pictographic})(?:[\p{Extended_Pictographic}\p{EMod}\p{RI}]|\ufe0f|\u200d){0,20}$/u;

export function writePicture(element: HtmlElement, addresses: AddressResolver): string {
  const { width = '', height = '' } = element.attributes;
  if (/^[01](?:px)?$/.test(width.trim()) || /^[01](?:px)?$/.test(height.trim())) return '';
  const text = wordsOf(element);
  if (EMOJI.test(text)) return text;
  const address = text ? addresses.picture(element) : undefined;
  if (address === undefined) return '';
  return address === '' ? writeWords(text) : `![${text}](${escapeAddress(address)})`;
}

/** Writes the description of a picture without address, as in Office files; '' if it describes nothing. */
export function writeWords(description: string): string {
  const words = oneLine(description);
  return words && !isEmptyWord(words) ? `![${words}]` : '';
}

const MIN_WORDS_CHARS = 12;
const COUNTED = /\b(?:stars?|rating|icon)\b/i;

/** Removes a picture if a picture with the same description directly precedes, except in table cells. */
export function dropRepeatedPictures(root: HtmlElement): void {
  const repeated: HtmlElement[] = [];
  let said = new Set<string>();
  for (const node of descendants(root)) {
    const ends = node.nodeType === 3 ? node.data.trim() !== '' : /^t[dh]$/.test(node.tag);
    if (ends && said.size > 0) said = new Set();
    if (node.nodeType === 3 || node.tag !== 'img') continue;
    const words = wordsOf(node).toLowerCase();
    if (words.length < MIN_WORDS_CHARS || COUNTED.test(words)) continue;
    const key = words.replace(/\d+/g, '');
    if (said.has(key)) repeated.push(node);
    said.add(key);
  }
  for (const picture of repeated) removeNode(picture);
}

const NOTHING = /^(?:null|undefined|none|nan)$/i;
const FILE_NAME = /^[^\s/]{1,200}\.(?:jpe?g|png|gif|webp|avif|svg|bmp|heic|tiff?)$/i;

function wordsOf({ attributes }: HtmlElement): string {
  const { alt = '', title = '', 'data-caption': caption = '' } = attributes;
  const said = [alt, caption, title].map(oneLine).filter((text) => text !== '' && !isEmptyWord(text));
  const [words = '', other = ''] = said;
  if (said.length < 2 || other !== oneLine(caption)) return words;
  const [own, captioned] = [lettersOf(words), lettersOf(other)];
  if (captioned.startsWith(own)) return other;
  return own.includes(captioned) ? words : `${words.replace(/[.:;,–—-]$/, '').trimEnd()} – ${other}`;
}

function isEmptyWord(text: string): boolean {
  return NOTHING.test(text) || FILE_NAME.test(text);
}

/** True if a caption adds to the alt text. Photo credits and rows of controls do not. */
function isTelling(caption: HtmlElement, { attributes: { alt = '' } }: HtmlElement): boolean {
  if (alt.trim() === '' || isEmptyWord(oneLine(alt))) return true;
  if (caption.controls > 0 || caption.linkChars > caption.chars / 2) return false;
  return !isBoilerplateLine(oneLine(caption.textContent), 0);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();
}

/** Moves captions into pictures, so that each is written once. Captions of code, tables and quotes stay. */
export function moveCaptionsIntoPictures(root: HtmlElement): void {
  const captions: HtmlElement[] = [];
  for (const node of descendants(root)) {
    if (node.nodeType === 1 && (node.part === 'caption' || node.tag === 'figcaption') && node.chars < 600)
      captions.push(node);
  }
  const pictures = new Map<HtmlElement, HtmlElement | undefined>();
  for (const caption of captions) {
    const { parentNode: frame } = caption;
    if (!frame || frame.chars > 4000) continue;
    if (!pictures.has(frame)) pictures.set(frame, frame.getElementsByTagName('img')[0]);
    const picture = pictures.get(frame);
    if (!picture && frame.tag === 'figure' && holdsText(frame)) caption.part = '';
    if (picture && picture.attributes['data-caption'] === undefined) giveCaption(picture, caption);
  }
}

function giveCaption(picture: HtmlElement, caption: HtmlElement): void {
  if (isTelling(caption, picture)) picture.attributes['data-caption'] = caption.textContent;
  if (caption.getElementsByTagName('img').length === 0) removeNode(caption);
}

function holdsText(figure: HtmlElement): boolean {
  return figure.children.some(({ tag, firstChild }) => {
    return (
      /^(?:pre|table|blockquote|dl|ul|ol|x-formula)$/.test(tag) ||
      (tag === 'div' && /^(?:pre|table)$/.test(tagOf(firstChild)))
    );
  });
}

function tagOf(node: HtmlNode | null): string {
  let at = node;
  while (at?.nodeType === 3 && at.data.trim() === '') at = at.nextSibling;
  return at?.nodeType === 1 ? at.tag : '';
}
