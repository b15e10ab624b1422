import { omitUndefined } from '../../../../lib/omit-undefined.ts';
import { createElement, elementsIn, HtmlElement, type HtmlNode, moveChildren, removeNode } from './node.ts';
import { MAX_HTML_DEPTH, parseHtml } from './parse.ts';
import { readHidingRules } from './styles.ts';

const MAX_SHADOW_ROOTS = 10_000;
const MAX_SRCDOC_CHARS = 2_000_000;
const MAX_FRAMES = 100;
const MAX_LISTED = 1000;

/** Replaces each shadow root by its content, with the host's children in the slots, as browsers do. */
export function placeShadowRoots(root: HtmlElement, html: string): void {
  if (!/shadowroot/i.test(html)) return;
  const templates = [...elementsIn(root)].filter(isShadowRoot);
  // Handles inner roots before outer roots, so that an element moves only once on each level.
  for (const template of templates.slice(0, MAX_SHADOW_ROOTS).reverse()) placeShadowRoot(template);
  limitDepth(root);
}

/** Moves too deeply nested elements up to an allowed level. Keeps their order and takes linear time. */
function limitDepth(root: HtmlElement): void {
  let [node, depth] = [root.firstChild, 1];
  while (node) {
    if (node.nodeType === 1 && depth > MAX_HTML_DEPTH) {
      moveOut(node);
      depth--;
    }
    if (node.firstChild) {
      node = node.firstChild;
      depth++;
      continue;
    }
    for (; node !== root && !node.nextSibling; depth--) node = node.parentNode ?? root;
    node = node.nextSibling;
  }
}

function moveOut(first: HtmlElement): void {
  const parent = first.parentNode;
  const outer = parent?.parentNode;
  if (!parent || !outer) return;
  const after = parent.nextSibling;
  for (let node: HtmlNode | null = first; node; ) {
    const next: HtmlNode | null = node.nextSibling;
    parent.removeChild(node);
    if (after) outer.insertBefore(node, after);
    else outer.appendChild(node);
    node = next;
  }
}

function isShadowRoot({ tag, attributes, parentNode }: HtmlElement): boolean {
  const mode = attributes.shadowrootmode ?? attributes.shadowroot;
  return tag === 'template' && parentNode !== null && /^(?:open|closed)$/i.test(mode?.trim() ?? '');
}

function placeShadowRoot(template: HtmlElement): void {
  const { parentNode: host } = template;
  if (!host) return;
  host.removeChild(template);
  dropHiddenInside(template);
  const given = Map.groupBy(host.childNodes, (node) => (node.nodeType === 1 && node.attributes.slot) || '');
  for (const child of host.childNodes) host.removeChild(child);
  for (const slot of template.getElementsByTagName('slot')) {
    const name = slot.attributes.name ?? '';
    const own = given.get(name);
    given.delete(name);
    if (own?.some((node) => node.nodeType === 1 || node.data.trim() !== '')) {
      for (const child of slot.childNodes) slot.removeChild(child);
      for (const child of own) slot.appendChild(child);
    }
  }
  moveChildren(template, host);
}

/** Removes elements that the styles of a shadow root hide. These styles have no effect outside of it. */
function dropHiddenInside(template: HtmlElement): void {
  const rules = readHidingRules(template);
  const dropped = [...elementsIn(template)].filter((node) => node.tag === 'style' || rules.hides(node));
  for (const node of dropped) removeNode(node);
}

export function placeFrames(root: HtmlElement, html: string): void {
  if (!/<frame|srcdoc/i.test(html)) return;
  const { frames, framesets } = framesIn(root);
  let [chars, documents, shown] = [MAX_SRCDOC_CHARS, 0, 0];
  for (const frame of frames) {
    const { srcdoc = '', src = '', name, title, class: classes, id, style, hidden } = frame.attributes;
    if (frame.tag === 'iframe') {
      chars -= srcdoc.length;
      const sizes = [frame.attributes.width, frame.attributes.height];
      if (chars < 0 || sizes.some((size = '') => /^[01](?:px)?$/.test(size)) || ++documents > MAX_FRAMES)
        continue;
      const box = new HtmlElement('div', omitUndefined({ class: classes, id, style, hidden }), frame.depth);
      const inner = parseHtml(srcdoc);
      dropHiddenInside(inner);
      moveChildren(inner, box);
      frame.parentNode?.replaceChild(box, frame);
    } else if (src.trim() !== '' && ++shown <= MAX_FRAMES) {
      const link = createElement('a', frame.depth + 1, title ?? name ?? src);
      link.attributes.href = src;
      outermostFrameset(frame)?.appendChild(createElement('p', frame.depth, link));
    }
  }
  for (const node of framesets) if (node.parentNode?.tag !== 'frameset') unwrap(node);
}

function framesIn(root: HtmlElement): Record<'frames' | 'framesets', readonly HtmlElement[]> {
  const [frames, framesets]: [HtmlElement[], HtmlElement[]] = [[], []];
  for (const node of elementsIn(root)) {
    if (node.tag === 'frameset') framesets.push(node);
    else if (node.tag === 'frame' || (frames.length < MAX_LISTED && hasDocument(node))) frames.push(node);
  }
  return { frames, framesets };
}

function hasDocument({ tag, attributes }: HtmlElement): boolean {
  return tag === 'iframe' && (attributes.srcdoc ?? '').trim() !== '';
}

function outermostFrameset(frame: HtmlElement): HtmlElement | undefined {
  let found: HtmlElement | undefined;
  for (let at = frame.parentNode; at; at = at.parentNode) if (at.tag === 'frameset') found = at;
  return found;
}

function unwrap(frameset: HtmlElement): void {
  const box = new HtmlElement('div', {}, frameset.depth);
  for (const child of frameset.childNodes)
    if (child.nodeType === 1 && child.tag === 'p') {
      frameset.removeChild(child);
      box.appendChild(child);
    }
  frameset.parentNode?.replaceChild(box, frameset);
}
