import { type Addresses, escapeAddress } from './addresses.ts';
import { descendants, drop, type HtmlElement } from './node.ts';

/** Pictures that count visits, or that say nothing in words, are not written. */
export function writePicture(element: HtmlElement, addresses: Addresses): string {
  const { alt = '', title = '', width = '', height = '', 'data-caption': caption = '' } = element.attributes;
  if (/^[01](?:px)?$/.test(width.trim()) || /^[01](?:px)?$/.test(height.trim())) return '';
  const words = (text: string) => text.replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();
  const [said, under] = [words(alt), words(caption || title)];
  const text =
    said.length >= under.length && said.includes(under) ? said : under.includes(said) ? under : said;
  if (!text) return '';
  const address = addresses.picture(element);
  if (!address) return '';
  const more = caption && text !== under ? ` "${quotable(under)}"` : '';
  return `![${text}](${escapeAddress(address)}${more})`;
}

/** Without the marks that would end it too early, also for readers that look for the bracket alone. */
function quotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll('(', '[').replaceAll(')', ']');
}

/** A caption becomes its picture's, so that it is said once and where it belongs. */
export function captionPictures(root: HtmlElement): void {
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
    if (!picture || picture.attributes['data-caption'] !== undefined) continue;
    picture.attributes['data-caption'] = caption.textContent;
    if (caption.getElementsByTagName('img').length === 0) drop(caption);
  }
}
