import { descendants, drop, HtmlElement, HtmlText } from './node.ts';

/** How sites call a box that says something aside, by what they call its kinds. */
const BOX =
  /(?:^|\s)(?:admonition|callout|markdown-alert|alert|theme-admonition|custom-block|custom-container|hint|notice|admonitionblock|infobox-note)(?=[\s_-]|$)/i;
const KIND =
  /(?:^|[\s_-])(note|info|information|tip|hint|important|warning|warn|caution|danger|error|success|question|faq|example|quote|abstract|summary|todo|bug|failure|attention|seealso)(?=[\s_-]|$)/gi;
const TITLE = /(?:^|[\s_-])(?:title|heading|admonition-title|summary|custom-block-title)(?=[\s_-]|$)/i;
/** Characters of a title. */
const MAX_TITLE_CHARS = 120;
/** Nodes that are read for the title of a box. */
const MAX_NODES = 40;

/**
 * Gives the boxes of a page that say something aside (admonitions, callouts, alerts) one form: a quote that opens with
 * its kind and title, `[!note] Title`, as GitHub and Obsidian write it.
 */
export function shapeCallouts(root: HtmlElement): void {
  const boxes: { readonly box: HtmlElement; readonly kind: string }[] = [];
  for (const node of descendants(root)) {
    const kind = node.nodeType === 1 ? kindOf(node) : undefined;
    if (kind !== undefined) boxes.push({ box: node as HtmlElement, kind });
  }
  for (const { box, kind } of boxes) {
    const title = takeTitle(box);
    if (!box.firstChild && title === '') continue;
    const quote = new HtmlElement('blockquote', {}, box.depth);
    const head = new HtmlElement('p', {}, box.depth + 1);
    head.appendChild(new HtmlText(`[!${kind}]${title && ` ${title}`}`));
    box.parentNode?.replaceChild(quote, box);
    quote.appendChild(head);
    for (const child of box.childNodes) {
      box.removeChild(child);
      quote.appendChild(child);
    }
  }
}

/** The kind of box that an element is; undefined for what is none. */
function kindOf({ tag, attributes }: HtmlElement): string | undefined {
  if (!/^(?:div|aside|section|blockquote|details|article)$/.test(tag)) return undefined;
  const names = (attributes.class ?? '').slice(0, 300);
  const named = attributes['data-callout'] ?? attributes['data-admonition-type'];
  if (named !== undefined && /^[\w-]{1,30}$/.test(named)) return named.toLowerCase();
  if (!BOX.test(names)) return undefined;
  const kinds = [...names.matchAll(KIND)].map(([, kind = '']) => kind.toLowerCase());
  return kinds.at(-1);
}

/** Takes the title of a box out of it. */
function takeTitle(box: HtmlElement): string {
  let nodes = 0;
  for (const node of descendants(box)) {
    if (++nodes > MAX_NODES) return '';
    if (node.nodeType === 3) {
      if (node.data.trim() !== '') return '';
      continue;
    }
    const titled = TITLE.test((node.attributes.class ?? '').slice(0, 200)) || node.tag === 'summary';
    const title = titled ? titleText(node) : undefined;
    if (title === undefined) continue;
    drop(node);
    return title;
  }
  return '';
}

/** The words of a title; undefined where there are too many. */
function titleText(element: HtmlElement): string | undefined {
  let text = '';
  let nodes = 0;
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES || text.length > MAX_TITLE_CHARS * 2) return undefined;
    if (node.nodeType === 3) text += node.data;
  }
  const title = text.replace(/\s+/g, ' ').trim();
  return title.length > MAX_TITLE_CHARS ? undefined : title;
}
