import { lettersOf } from '../../../../lib/text/letters.ts';
import { isBoilerplateLine } from '../main-content/boilerplate-lines.ts';
import { REFERENCE_TAG } from '../notes/notes.ts';
import { type AddressResolver, escapeAddress } from '../parsing/addresses.ts';
import { EMBED_TAG } from '../parsing/embeds.ts';
import { descendants, elementsIn, type HtmlElement, removeNode } from '../parsing/node.ts';
import { readElementNames } from '../visibility/page-parts.ts';

/** Matches an emoji. Many sites show an emoji as a picture with the emoji as alt text. */
const EMOJI =
  /^(?:\p{RI}\p{RI}|(?!\p{ASCII})\p{Extended_Pictographic})(?:[\p{Extended_Pictographic}\p{EMod}\p{RI}]|\ufe0f|\u200d){0,20}$/u;

/** Writes a picture. `caption` is the caption's Markdown if the caption has links, and otherwise empty. */
export function writePicture(element: HtmlElement, addresses: AddressResolver, caption: string): string {
  if (isTiny(element)) return '';
  const text = wordsOf(element, caption.replace(/\s+/g, ' ').trim());
  if (EMOJI.test(text)) return text;
  const address = text ? addresses.picture(element) : undefined;
  if (address === undefined && !element.attributes.alt?.trim() && isBoilerplateLine(text, 0)) return '';
  if (!address && caption) return `![${text}]`;
  return !address ? writePictureWords(text) : `![${text}](${escapeAddress(address)})`;
}

function isTiny({ attributes: { width = '', height = '' } }: HtmlElement): boolean {
  return [width, height].some((size) => /^[01](?:px)?$/.test(size.trim()));
}

export function writePictureWords(description: string): string {
  const words = oneLine(description);
  return words && !isEmptyWord(words) ? `![${words}]` : '';
}

const MIN_WORDS_CHARS = 12;
const COUNTED = /\b(?:stars?|rating|icon)\b/i;

export function dropRepeatedPictures(root: HtmlElement): void {
  const repeated: HtmlElement[] = [];
  let said = new Set<string>();
  for (const node of descendants(root)) {
    const ends = node.nodeType === 3 ? node.data.trim() !== '' : /^t[dh]$/.test(node.tag);
    if (ends && said.size > 0) said = new Set();
    if (node.nodeType === 3 || node.tag !== 'img' || node.attributes[EMBED_TAG] !== undefined) continue;
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

function wordsOf({ attributes }: HtmlElement, linked = ''): string {
  const { alt = '', title = '', 'data-caption': caption = '' } = attributes;
  const said = [alt, caption, title].map(oneLine).filter((text) => text !== '' && !isEmptyWord(text));
  const [words = '', other = ''] = said;
  if (said.length > 0 && linked && !alt.trim()) return linked;
  if (said.length < 2 || other !== oneLine(caption)) return words;
  const [own, captioned] = [lettersOf(words), lettersOf(other)];
  if (captioned.startsWith(own)) return linked || other;
  if (own.includes(captioned) && !linked) return words;
  return `${words.replace(/[.:;,–—-]$/, '').trimEnd()} – ${linked || other}`;
}

const isEmptyWord = (text: string): boolean => NOTHING.test(text) || FILE_NAME.test(text);

function isTelling(caption: HtmlElement, { attributes: { alt = '' } }: HtmlElement): boolean {
  if (alt.trim() === '' || isEmptyWord(oneLine(alt))) return true;
  const linked = caption.getElementsByTagName('a').reduce((sum, { chars }) => sum + chars, 0);
  if (caption.controls > 0 || linked > caption.chars / 2) return false;
  return !isBoilerplateLine(oneLine(caption.textContent), 0);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();

/** Moves captions into pictures, to write each caption once. Captions of code, tables and quotes stay. */
export function moveCaptionsIntoPictures(root: HtmlElement): void {
  const captions: HtmlElement[] = [];
  for (const node of descendants(root)) {
    if (node.nodeType === 3 || (node.part !== 'caption' && node.tag !== 'figcaption')) continue;
    if (isPictureBox(node)) node.part = '';
    else captions.push(node);
  }
  const pictures = new Map<HtmlElement, HtmlElement | undefined>();
  for (const caption of captions) {
    const frame = frameOf(caption);
    if (!frame) continue;
    if (!pictures.has(frame)) pictures.set(frame, pictureIn(frame));
    const picture = pictures.get(frame);
    const isFree = picture && picture.attributes['data-caption'] === undefined;
    if (isFree && caption.chars < MAX_CAPTION_CHARS && frame.chars <= MAX_FRAME_CHARS)
      giveCaption(picture, caption, frame);
    else if (isText(caption, frame, picture)) caption.part = '';
  }
}

const MAX_CAPTION_CHARS = 2000;
const MAX_FRAME_CHARS = 4000;
const MAX_LEVELS = 4;

function frameOf({ tag, parentNode: parent }: HtmlElement): HtmlElement | null {
  let at = tag === 'figcaption' ? parent : null;
  for (let level = 0; at && level < MAX_LEVELS && at.tag !== 'figure'; level++) at = at.parentNode;
  return at?.tag === 'figure' ? at : parent;
}

/** Returns the picture or embed of a caption, or undefined if several figures share the caption. */
function pictureIn(frame: HtmlElement): HtmlElement | undefined {
  let picture: HtmlElement | undefined;
  for (const node of elementsIn(frame)) {
    if (node.tag === 'figure' && frame.tag === 'figure') return undefined;
    if (node.tag === EMBED_TAG || (node.tag === 'img' && !isTiny(node))) picture ??= node;
  }
  return picture;
}

/** True if the caption belongs to the page's text, and is not just the name of a photographer. */
function isText(caption: HtmlElement, frame: HtmlElement, picture: HtmlElement | undefined): boolean {
  if (frame.tag === 'figure' && caption.tag === 'figcaption') return true;
  const names = picture ? '' : readElementNames(caption);
  return (frame.tag === 'figure' ? /caption/ : /caption-text|wp-caption/).test(names);
}

/** True for an element that is named as a caption but also contains the picture. */
function isPictureBox(element: HtmlElement): boolean {
  const isNamed = element.tag !== 'figcaption' && /caption|photo|image/.test(readElementNames(element));
  return isNamed && element.getElementsByTagName('img').some((picture) => !isTiny(picture));
}

function giveCaption(picture: HtmlElement, caption: HtmlElement, frame: HtmlElement): void {
  const isAlone = caption.getElementsByTagName('img').length === 0;
  const isLinked = isAlone && picture.tag === 'img' && hasOwnLink(caption, picture);
  if (isLinked || isTelling(caption, picture)) picture.attributes['data-caption'] = caption.textContent;
  if (!isAlone) return;
  if (isLinked) {
    picture.source = caption;
    for (const mark of caption.getElementsByTagName(REFERENCE_TAG)) removeNode(mark);
    // Subtracts the caption from the box's counts, because a box full of links would be taken for a menu.
    frame.chars -= caption.chars;
    frame.linkChars -= caption.linkChars;
  }
  removeNode(caption);
}

/** True if the caption has a link that the picture does not have. In teasers, both have the same link. */
function hasOwnLink(caption: HtmlElement, { parentNode: around }: HtmlElement): boolean {
  const addresses = caption.getElementsByTagName('a').map(({ attributes }) => attributes.href ?? '#');
  return (
    addresses.some((href) => !/^(?:#|javascript:)/i.test(href)) &&
    !addresses.includes(around?.attributes.href ?? '') &&
    caption.controls === 0
  );
}
