import { descendants, following, HtmlElement, type HtmlNode, HtmlText } from '../parsing/node.ts';
import { HEADING } from '../parsing/tags.ts';
import { plainText } from '../records/record-text.ts';

/** Where the label of a tab is kept on its panel while the main content is chosen. */
const LABEL = 'x-tab';
/** Characters of a label, and nodes at the beginning of a panel within which its own heading stands. */
const MAX_LABEL_CHARS = 60;
const HEADING_NODES = 12;
/** Lists of tabs, and panels, that are held against each other. */
const MAX_LISTS = 100;
const MAX_PANELS = 1000;
/** Levels from a row of labels to what holds it and the panels. */
const MAX_LEVELS = 3;

const TAB = /tab/i;
const PANEL =
  /(?:^|[\s_-])tab-?(?:pane|panel|content|block)(?=\s|$)|(?:^|\s)tabbed-(?:block|content)(?=\s|$)/i;
const LABELS = /(?:^|[\s_-])(?:tabbed-labels?|tab-?labels?)(?=\s|$)/i;

/**
 * Notes on the panels of tabs what their tabs are called, before controls are dropped: three ways to do one thing would read as steps.
 * The labels are put into the text after it is chosen, which does not go by them; whether there are any.
 */
export function noteTabs(root: HtmlElement): boolean {
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
  // What stands alone is not a choice.
  if (named.size < 2) return false;
  for (const [panel, label] of named) panel.attributes[LABEL] = label;
  return true;
}

/** Puts the labels that were noted, if there are any, over what is left of their panels. */
export function putTabLabels(root: HtmlElement, noted: boolean): void {
  if (!noted) return;
  const panels = [...descendants(root)].filter(
    (node): node is HtmlElement => node.nodeType === 1 && node.attributes[LABEL] !== undefined,
  );
  // The innermost first: a panel within another one may have its label.
  for (const node of panels.reverse()) {
    const { [LABEL]: label = '' } = node.attributes;
    delete node.attributes[LABEL];
    if (node.textContent.trim() === '' || says(node, label)) continue;
    const line = new HtmlElement('p', {}, node.depth + 1);
    const strong = new HtmlElement('strong', {}, node.depth + 2);
    strong.appendChild(new HtmlText(label));
    line.appendChild(strong);
    node.prependChild(line);
  }
}

interface Panels {
  readonly panels: readonly HtmlElement[];
  /** Elements with the role of a list of tabs. */
  readonly lists: readonly HtmlElement[];
  /** Rows of labels that switch fields of a form. */
  readonly rows: readonly HtmlElement[];
}

interface Tabs {
  readonly byId: ReadonlyMap<string, HtmlElement>;
  /** What names the id of a panel. */
  readonly controls: ReadonlyMap<string, HtmlElement>;
}

/** What can be tabs, by class and role alone: few pages have any, and every attribute that is asked of each element takes time. */
function findPanels(root: HtmlElement): Panels {
  const panels: HtmlElement[] = [];
  const lists: HtmlElement[] = [];
  const rows: HtmlElement[] = [];
  for (let node = following(root, root); node; node = following(node, root)) {
    if (node.nodeType !== 1) continue;
    const { role, class: given } = node.attributes;
    if (role === 'tablist') lists.push(node);
    const names = given !== undefined && TAB.test(given) ? given.slice(0, 300) : '';
    if (panels.length < MAX_PANELS && (role === 'tabpanel' || (names !== '' && PANEL.test(names))))
      panels.push(node);
    if (names !== '' && LABELS.test(names)) rows.push(node);
  }
  return { panels, lists, rows };
}

function collect(root: HtmlElement): Tabs {
  const byId = new Map<string, HtmlElement>();
  const controls = new Map<string, HtmlElement>();
  for (let node = following(root, root); node; node = following(node, root)) {
    if (node.nodeType !== 1) continue;
    const { id, 'aria-controls': opens, href } = node.attributes;
    if (id !== undefined) byId.set(id, node);
    const target = opens ?? node.attributes['data-bs-target'] ?? node.attributes['data-target'] ?? href;
    if (target !== undefined && target.length < 200 && isTab(node))
      controls.set(target.replace(/^#/, ''), node);
  }
  return { byId, controls };
}

/** Whether an element can be a tab: it is called one, or switches one. */
function isTab({ tag, attributes }: HtmlElement): boolean {
  if (attributes.role === 'tab') return true;
  return (
    /^(?:a|button)$/.test(tag) &&
    /^(?:tab|pill)$/.test(attributes['data-toggle'] ?? attributes['data-bs-toggle'] ?? '')
  );
}

function tabOf({ attributes }: HtmlElement, { byId, controls }: Tabs): HtmlElement | undefined {
  const { id, 'aria-labelledby': labelled } = attributes;
  const named = labelled === undefined ? undefined : byId.get(labelled.trim());
  if (named && (isTab(named) || named.tag === 'button')) return named;
  return id === undefined ? undefined : controls.get(id);
}

/** Tabs without ids name the panels beside them in their order. */
function nameInOrder(
  list: HtmlElement,
  panels: readonly HtmlElement[],
  named: Map<HtmlElement, string>,
): void {
  const tabs = [...descendants(list)].filter(
    (node): node is HtmlElement => node.nodeType === 1 && node.attributes.role === 'tab',
  );
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

/** Labels of fields that a style sheet makes tabs of: each stands before its panel, or all of them in a row before all of these. */
function nameByFields(row: HtmlElement, named: Map<HtmlElement, string>): void {
  const note = (panel: HtmlElement | undefined, tab: HtmlElement) => {
    const label = labelOf(tab);
    if (panel && panel.tag === 'div' && label !== '') named.set(panel, label);
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

function isWithin(element: HtmlElement, around: HtmlElement): boolean {
  for (let at: HtmlElement | null = element; at && at.depth >= around.depth; at = at.parentNode)
    if (at === around) return true;
  return false;
}

function labelOf(tab: HtmlElement | undefined): string {
  const label = tab ? plainText(tab, MAX_LABEL_CHARS + 1) : '';
  return label.length <= MAX_LABEL_CHARS ? label : '';
}

/** Whether a panel opens with a heading that says what its tab says. */
function says(panel: HtmlElement, label: string): boolean {
  const wanted = label.toLowerCase();
  let at: HtmlNode | null = following(panel, panel);
  for (let nodes = 0; at && nodes < HEADING_NODES; nodes++, at = following(at, panel)) {
    if (at.nodeType === 3) {
      if (at.data.trim() !== '') return at.data.trim().toLowerCase() === wanted;
    } else if (HEADING.has(at.tag)) return at.textContent.trim().toLowerCase() === wanted;
  }
  return false;
}
