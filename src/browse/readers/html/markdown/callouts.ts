import { FOOTNOTE_TAG } from '../notes/notes.ts';
import { createElement, descendants, type HtmlElement, moveChildren, removeNode } from '../parsing/node.ts';

const BOX =
  /(?:^|\s)(?:[a-z]{1,12}-)?(?:admonition|callout|markdown-alert|alert|custom-block|custom-container|hint|notice|admonitionblock|infobox-note|notecard|aside|information-macro|message-box|blockquote-tag|template-box)(?=[\s_-]|$)/i;
const INNER = /[-_](?:body|content|title|heading|icon|inner|text|wrapper)$/i;
const BARE =
  /^\s*(?:is-)?(note|tip|hint|important|warning|caution|danger|attention|seealso|notice)(?:\s+(?:notranslate|hint|box|no_toc|\w{0,3}clear\w{0,3}))?\s*$/i;
const PANEL = /(?:^|\s)panel-(warning|danger|success)(?=\s|$)/i;
/** Matches the kind in a class such as `callout-tip`. Counts only on some platforms, such as Confluence. */
const OWN_KIND =
  /(?:admonition|callout|alert|aside|hint|macro|notecard)[-_]{1,2}(note|info|information|tip|hint|important|warning|caution|danger|error|success)(?=\s|$)/i;
const KIND =
  /(?:^|[\s_-])(note|info|information|tip|hint|important|warning|warn|caution|danger|error|success|question|faq|example|quote|abstract|summary|todo|bug|failure|attention|seealso)(?=[\s_-]|$)/gi;
const TITLE =
  /(?:^|[\s_-])(?:title|heading|admonition-title|summary|custom-block-title)(?=[\s_-]|$)|admonitionHeading/i;
const MAX_TITLE_CHARS = 120;
const MAX_NODES = 40;

/** Tag of a callout's sign, for example `[!note]`. The sign is already Markdown and is not escaped. */
export const CALLOUT_SIGN_TAG = 'x-sign';

export function normalizeCallouts(root: HtmlElement): void {
  const boxes: { readonly box: HtmlElement; readonly kind: string }[] = [];
  const notes = around(root.getElementsByTagName(FOOTNOTE_TAG));
  for (const node of descendants(root)) {
    const kind = node.nodeType === 1 && !notes.has(node) ? kindOf(node) : undefined;
    if (kind !== undefined) boxes.push({ box: node as HtmlElement, kind });
  }
  for (const { box, kind } of boxes) {
    const title = takeTitle(box) || takeLabel(box, kind);
    if (!box.firstChild && title === '') continue;
    const sign = createElement(CALLOUT_SIGN_TAG, box.depth + 2, `[!${kind}]`);
    const head = createElement('p', box.depth + 1, sign, title && ` ${title}`);
    const quote = createElement('blockquote', box.depth, head);
    box.parentNode?.replaceChild(quote, box);
    moveChildren(box, quote);
  }
}

function around(elements: readonly HtmlElement[]): ReadonlySet<HtmlElement> {
  const found = new Set<HtmlElement>();
  for (const element of elements) {
    for (let at: HtmlElement | null = element; at && !found.has(at); at = at.parentNode) found.add(at);
  }
  return found;
}

function kindOf({ tag, attributes }: HtmlElement): string | undefined {
  if (!/^(?:div|aside|section|blockquote|details|article|p)$/.test(tag)) return undefined;
  const names = (attributes.class ?? '').slice(0, 300);
  const named = attributes['data-callout'] ?? attributes['data-admonition-type'];
  if (named !== undefined && /^[\w-]{1,30}$/.test(named)) return named.toLowerCase();
  const bare = BARE.exec(names)?.[1] ?? PANEL.exec(names)?.[1];
  if (bare !== undefined) return bare.toLowerCase().replace('notice', 'note');
  if (tag === 'p') return undefined;
  if (attributes.role === 'note') return 'note';
  const box = names.split(/\s+/).find((name) => BOX.test(name));
  if (box === undefined || INNER.test(box)) return undefined;
  const kinds = [...names.matchAll(KIND)].map(([, kind = '']) => kind.toLowerCase());
  const own = OWN_KIND.exec(names)?.[1]?.toLowerCase();
  return own !== undefined && /theme-|confluence|starlight/.test(names) ? own : kinds.at(-1);
}

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
    removeNode(node);
    return title;
  }
  return '';
}

function takeLabel(box: HtmlElement, kind: string): string {
  let nodes = 0;
  for (const node of descendants(box)) {
    if (++nodes > MAX_NODES) return '';
    if (node.nodeType === 3) {
      if (node.data.trim() !== '') return '';
    } else if (/^(?:b|strong)$/.test(node.tag)) {
      const label = (titleText(node) ?? '').replace(/\s?[:.!]$/, '');
      if (label.toLowerCase() !== kind) return '';
      const { nextSibling: after } = node;
      if (after?.nodeType === 3) after.data = after.data.replace(/^\s*:\s*/, '');
      removeNode(node);
      return label;
    }
  }
  return '';
}

function titleText(element: HtmlElement): string | undefined {
  let [text, nodes] = ['', 0];
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES || text.length > MAX_TITLE_CHARS * 2) return undefined;
    if (node.nodeType === 3) text += node.data;
  }
  const title = text.replace(/\s+/g, ' ').trim();
  return title.length > MAX_TITLE_CHARS ? undefined : title;
}
