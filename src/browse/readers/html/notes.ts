import { descendants, type HtmlElement } from './node.ts';

/** Footnotes of a page: the links that refer to them, and the elements that hold them. */
export interface Notes {
  /** By link, the label of the note that it refers to. */
  readonly references: ReadonlyMap<HtmlElement, string>;
  /** By element, the label of the note that it is. */
  readonly bodies: ReadonlyMap<HtmlElement, string>;
}

const LABEL = /^[[(]?([\p{L}\p{N}*†‡§]{1,4}|note \d{1,3})[\])]?$/u;
const HOLDERS = /^(?:li|p|div|dd|aside|td|section)$/;

/** A link in raised type, or one that calls itself a reference, to a place on the page that is there. */
export function findNotes(root: HtmlElement): Notes {
  const wanted = new Map<string, { links: HtmlElement[]; label: string }>();
  const places = new Map<string, HtmlElement>();
  for (const node of descendants(root)) {
    if (node.nodeType !== 1) continue;
    const { id, href } = node.attributes;
    if (id !== undefined && HOLDERS.test(node.tag)) places.set(id, node);
    if (node.tag !== 'a' || !href?.startsWith('#') || href.length < 2 || !isReference(node)) continue;
    const label = LABEL.exec(node.textContent.trim())?.[1];
    if (label === undefined) continue;
    const target = decode(href.slice(1));
    const known = wanted.get(target);
    if (known) known.links.push(node);
    else wanted.set(target, { links: [node], label: label.replaceAll(' ', '') });
  }
  const references = new Map<HtmlElement, string>();
  const bodies = new Map<HtmlElement, string>();
  const labels = new Set<string>();
  for (const [id, { links, label }] of wanted) {
    const body = places.get(id);
    if (!body || labels.has(label)) continue;
    labels.add(label);
    bodies.set(body, label);
    for (const link of links) references.set(link, label);
  }
  return { references, bodies };
}

function isReference(link: HtmlElement): boolean {
  const { role, rel, class: names = '' } = link.attributes;
  if (role === 'doc-noteref' || rel === 'footnote' || /noteref|footnote-?ref/i.test(names)) return true;
  if (link.firstChild?.nodeType === 1 && link.firstChild.tag === 'sup') return true;
  for (let at = link.parentNode; at && at.depth > link.depth - 3; at = at.parentNode) {
    if (at.tag === 'sup') return true;
  }
  return false;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
