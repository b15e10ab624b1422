import {
  createElement,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isWithin,
  nextNode,
  removeNode,
} from '../parsing/node.ts';
import { HEADING_TAGS } from '../parsing/tags.ts';
import { plainText } from '../records/record-text.ts';

const LABEL = 'x-tab';
const MAX_LABEL_CHARS = 60;
const HEADING_NODES = 12;
const MAX_LISTS = 100;
const MAX_PANELS = 1000;
const MAX_LEVELS = 3;
const TAB = /tab/i;
const PANEL =
  /(?:^|[\s_-])tab-?(?:pane|panel|content|block)(?=\s|$)|(?:^|\s)tabbed-(?:block|content)(?=\s|$)/i;
const LABELS = /(?:^|[\s_-])(?:tabbed-labels?|tab-?labels?)(?=\s|$)|^tabs$/i;

export function rememberTabLabels(root: HtmlElement): boolean {
  const { panels, lists, rows } = findPanels(root);
  if (panels.length + rows.length === 0) return false;
  const named = new Map<HtmlElement, string>();
  const tabs = panels.length > 0 ? collect(root) : undefined;
  for (const panel of panels) {
    const tab = tabs && tabOf(panel, tabs);
    const label = tab ? labelOf(tab) : '';
    if (label !== '') named.set(panel, label);
  }
  for (const list of lists.slice(0, MAX_LISTS)) nameInOrder(list, panels, named);
  for (const row of rows) nameByFields(row, named);
  // With fewer than two named panels there is nothing to choose, so no label is written.
  if (named.size < 2) return false;
  for (const [panel, label] of named) panel.attributes[LABEL] = label;
  return true;
}

export function putTabLabels(root: HtmlElement, noted: boolean): void {
  if (!noted) return;
  const panels = [...elementsIn(root)].filter((node) => node.attributes[LABEL] !== undefined);
  // Inner panels come first, because an inner panel may contain the label of the outer panel.
  for (const node of panels.reverse()) {
    const { [LABEL]: label = '' } = node.attributes;
    delete node.attributes[LABEL];
    // An empty label marks a row of tab labels, which is removed.
    if (label === '') removeNode(node);
    if (label === '' || node.textContent.trim() === '' || says(node, label)) continue;
    const strong = createElement('strong', node.depth + 2, label);
    node.prependChild(createElement('p', node.depth + 1, strong));
  }
}

/** Finds tab panels by class and role only. Few pages have tabs, and reading all attributes is slow. */
function findPanels(root: HtmlElement): {
  readonly panels: readonly HtmlElement[];
  readonly lists: readonly HtmlElement[];
  readonly rows: readonly HtmlElement[];
} {
  const panels: HtmlElement[] = [];
  const lists: HtmlElement[] = [];
  const rows: HtmlElement[] = [];
  for (const node of elementsIn(root)) {
    const { role, class: given } = node.attributes;
    if (role === 'tablist') lists.push(node);
    const names = given !== undefined && TAB.test(given) ? given.slice(0, 300) : '';
    if (panels.length < MAX_PANELS && (role === 'tabpanel' || (names !== '' && PANEL.test(names))))
      panels.push(node);
    if (names !== '' && LABELS.test(names)) rows.push(node);
  }
  return { panels, lists, rows };
}

function collect(root: HtmlElement) {
  const byId = new Map<string, HtmlElement>();
  const controls = new Map<string, HtmlElement>();
  for (const node of elementsIn(root)) {
    const { id, 'aria-controls': opens, href } = node.attributes;
    if (id !== undefined) byId.set(id, node);
    const target = opens ?? node.attributes['data-bs-target'] ?? node.attributes['data-target'] ?? href;
    if (target !== undefined && target.length < 200 && isTab(node))
      controls.set(target.replace(/^#/, ''), node);
  }
  return { byId, controls };
}

function isTab({ tag, attributes }: HtmlElement): boolean {
  if (attributes.role === 'tab') return true;
  return (
    /^(?:a|button)$/.test(tag) &&
    /^(?:tab|pill)$/.test(attributes['data-toggle'] ?? attributes['data-bs-toggle'] ?? '')
  );
}

function tabOf(
  { attributes }: HtmlElement,
  { byId, controls }: ReturnType<typeof collect>,
): HtmlElement | undefined {
  const { id, 'aria-labelledby': labelled } = attributes;
  const named = labelled === undefined ? undefined : byId.get(labelled.trim());
  if (named && (isTab(named) || named.tag === 'button')) return named;
  return id === undefined ? undefined : controls.get(id);
}

function nameInOrder(list: HtmlElement, panels: readonly HtmlElement[], named: Map<HtmlElement, string>) {
  const tabs = [...elementsIn(list)].filter((node) => node.attributes.role === 'tab');
  if (tabs.length < 2) return;
  let at = list.parentNode;
  for (let level = 0; at && level < MAX_LEVELS; level++, at = at.parentNode) {
    const around = at;
    const own = panels.filter((panel) => panel.attributes.role === 'tabpanel' && isWithin(panel, around));
    if (own.length === 0) continue;
    if (own.length === tabs.length && !own.some((panel) => named.has(panel)))
      own.forEach((panel, i) => {
        const label = labelOf(tabs[i]);
        if (label !== '') named.set(panel, label);
      });
    return;
  }
}

function nameByFields(row: HtmlElement, named: Map<HtmlElement, string>): void {
  const note = (panel: HtmlElement | undefined, tab: HtmlElement) => {
    const label = labelOf(tab);
    if (panel?.tag !== 'div' || label === '') return;
    named.set(panel, label);
    row.attributes[LABEL] = '';
  };
  if (row.tag === 'label') {
    note(nextOf(row), row);
    return;
  }
  const labels = row.children.filter(({ tag }) => tag === 'label');
  const panels = nextOf(row)?.children ?? [];
  if (labels.length > 1 && labels.length === panels.length)
    labels.forEach((label, i) => {
      note(panels[i], label);
    });
}

function nextOf(element: HtmlElement): HtmlElement | undefined {
  let node = element.nextSibling;
  while (node && (node.nodeType === 3 ? node.data.trim() === '' : node.tag === 'input'))
    node = node.nextSibling;
  return node?.nodeType === 1 ? node : undefined;
}

function labelOf(tab: HtmlElement | undefined): string {
  const label = tab ? plainText(tab, MAX_LABEL_CHARS + 1) : '';
  return label.length <= MAX_LABEL_CHARS ? label : '';
}

function says(panel: HtmlElement, label: string): boolean {
  const wanted = label.toLowerCase();
  // Below the label `Reviews (3)`, a heading `3 reviews` repeats the label.
  const count = /\((\d{1,6})\)$/.exec(label)?.[1];
  const isSaid = (text: string) =>
    text === wanted || (count !== undefined && text.split(/\D/).includes(count));
  let at: HtmlNode | null = nextNode(panel, panel);
  for (let nodes = 0; at && nodes < HEADING_NODES; nodes++, at = nextNode(at, panel)) {
    if (at.nodeType === 3) {
      if (at.data.trim() !== '') return at.data.trim().toLowerCase() === wanted;
    } else if (HEADING_TAGS.has(at.tag)) return isSaid(at.textContent.trim().toLowerCase());
  }
  return false;
}
