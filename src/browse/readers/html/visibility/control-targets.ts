import { descendants, type HtmlElement } from '../parsing/node.ts';
import { weightedLength } from '../parsing/white-space.ts';

/** How an element is hidden. `faint`: by its opacity or visibility. `spoken`: only screen readers read it. */
export type HidingMethod = 'sure' | 'faint' | 'sheet' | 'name' | 'spoken' | 'aria';

export interface ControlTargets {
  readonly controlledIds: Set<string>;
  readonly visibleIds: Set<string>;
}

const NAMING = /^(?:aria-controls|data-(?:target|bs-target|toggle|tab|definition))$/;

export function recordControlTargets(
  { controlledIds, visibleIds }: ControlTargets,
  { attributes }: HtmlElement,
): void {
  for (const name in attributes) {
    const value = attributes[name] as string;
    if (name === 'id') visibleIds.add(value);
    else if (value.length > 200) continue;
    else if (name === 'href') {
      if (value.startsWith('#') && value.length > 1) controlledIds.add(value.slice(1));
    } else if (NAMING.test(name))
      for (const one of value.split(/\s+/)) controlledIds.add(one.replace(/^#/, ''));
  }
}

/** Maximum levels between a control and the element it opens, and maximum nodes of a control. */
const MAX_LEVELS = 2;
const MAX_NODES = 60;
const MAX_LABEL_CHARS = 300;
const MOST_LINKED = 0.7;

export function isOpened(element: HtmlElement, { controlledIds, visibleIds }: ControlTargets): boolean {
  const { id, role, 'aria-labelledby': label } = element.attributes;
  if (
    /^(?:dialog|alertdialog|menu|navigation|tooltip|search)$/.test(role ?? '') ||
    element.attributes['aria-modal']
  )
    return false;
  if (element.tag === 'nav' || element.tag === 'form') return false;
  if (role !== 'tabpanel' && linkedShare(element) > MOST_LINKED) return false;
  if (id !== undefined && controlledIds.has(id)) return true;
  if (label?.split(/\s+/).some((one) => visibleIds.has(one))) return true;
  if (role === 'tabpanel' || PANEL.test(element.attributes.class ?? '') || isNoteInPlace(element))
    return true;
  return isBehindControl(element);
}

const PANEL =
  /(?:^|[\s_-])(?:tab-?(?:pane|panel)|(?:accordion|faq|toggle|collaps\w{1,8})[_-]{0,2}(?:item[_-]{1,2})?(?:answer|body|content|panel|text|inner))(?=\s|$)/i;

const NOTE_NAME = /foot-?note|side-?note/i;

function isNoteInPlace({ tag, attributes, parentNode }: HtmlElement): boolean {
  return (
    tag === 'span' &&
    parentNode?.tag === 'span' &&
    NOTE_NAME.test(attributes.class ?? '') &&
    NOTE_NAME.test(parentNode.attributes.class ?? '')
  );
}

function isBehindControl(element: HtmlElement): boolean {
  let at = element;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const { parentNode: parent } = at;
    if (!parent || parent.tag === 'form') return false;
    const before = shownBefore(at);
    if (before) return isControlling(before) || parent.attributes['data-callout-fold'] !== undefined;
    if (parent.controls > 0) return true;
    at = parent;
  }
  return false;
}

function shownBefore(element: HtmlElement): HtmlElement | undefined {
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (node.nodeType === 1 && (node.controls > 0 || node.textContent.trim() !== '')) return node;
  }
  return undefined;
}

function isControlling(element: HtmlElement): boolean {
  let nodes = 0;
  if (element.tag === 'form') return false;
  let found = isControl(element);
  for (const node of descendants(element)) {
    if (++nodes > MAX_NODES) return false;
    if (node.nodeType !== 1) continue;
    if (node.tag === 'form') return false;
    found ||= isControl(node);
  }
  return found && element.textContent.length < MAX_LABEL_CHARS;
}

function isControl({ tag, controls, attributes }: HtmlElement): boolean {
  return (
    controls > 0 ||
    tag === 'summary' ||
    attributes['aria-expanded'] !== undefined ||
    /^(?:button|tab)$/.test(attributes.role ?? '')
  );
}

function linkedShare(element: HtmlElement): number {
  let [all, linked] = [1, 0];
  for (const node of descendants(element)) {
    if (node.nodeType === 3) all += weightedLength(node.data);
    else if (node.tag === 'a' && node.attributes.href !== undefined)
      linked += weightedLength(node.textContent);
  }
  return linked / all;
}
