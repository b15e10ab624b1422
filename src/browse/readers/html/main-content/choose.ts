import { elementsIn, type HtmlElement, isWithin, nextNode } from '../parsing/node.ts';
import { mainContentCertainty, readElementNames } from '../visibility/page-parts.ts';

/** If a child has at least this share of the prose, the search for the main content goes on in the child. */
const MOST_SHARE = 0.8;
/** Minimum share of the prose for an element named as main content, for each certainty from 0 to 3. */
const ENOUGH = [1, 0.5, 0.35, 0.15] as const;
/** An ancestor named as main content is preferred if its prose is at most this many times the element's. */
const LITTLE_MORE_RATIO = 1.25;

/** `certainty` (0 to 3) says how clearly the markup names `root` as the main content. */
export interface MainContentChoice {
  readonly root: HtmlElement;
  readonly certainty: number;
  readonly sameNamed: number;
}

interface Region {
  readonly element: HtmlElement;
  readonly sure: number;
}

/** Finds the main content by prose and by names. `countText()` must have run before. */
export function chooseRoot(page: HtmlElement): MainContentChoice {
  let at = page;
  for (let best = richest(at); best && best.prose >= at.prose * MOST_SHARE; best = richest(at)) at = best;
  const named = findNamed(page);
  const around = namedAround(at, page);
  const inside = namedInside(around?.element ?? at, named);
  const best = inside && inside.sure >= (around?.sure ?? 0) ? inside : around;
  return best ? widened(best, named, page) : { root: at, certainty: 0, sameNamed: 1 };
}

const HOLDERS =
  /^(?:html|div|article|main|section|body|td|tr|tbody|table|form|center|fieldset|details|span|font|aside|header|x-.*|[a-z]+-[a-z-]*)$/;

function richest(element: HtmlElement): HtmlElement | undefined {
  let best: HtmlElement | undefined;
  for (const child of element.children) {
    if (child.prose > (best?.prose ?? 0) && child.part === '' && HOLDERS.test(child.tag)) best = child;
  }
  return best;
}

function findNamed(page: HtmlElement): Region[] {
  const named: Region[] = [];
  for (let node = nextNode(page, page), inside = true; node; node = nextNode(node, page, inside)) {
    inside = node.nodeType === 3 || (node.prose > 0 && node.part === '');
    if (node.nodeType === 3 || !inside) continue;
    const sure = mainContentCertainty(node);
    if (sure > 0) named.push({ element: node, sure });
  }
  return named;
}

function namedAround(element: HtmlElement, page: HtmlElement): Region | undefined {
  for (let at: HtmlElement | null = element; at && at !== page; at = at.parentNode) {
    if (at.prose > element.prose * LITTLE_MORE_RATIO) return undefined;
    const sure = mainContentCertainty(at);
    if (sure > 0) return { element: at, sure };
  }
  return undefined;
}

function namedInside(around: HtmlElement, named: readonly Region[]): Region | undefined {
  let best: Region | undefined;
  for (const one of named) {
    const { element, sure } = one;
    if (element.prose < around.prose * (ENOUGH[sure] ?? 1) || !isWithin(element, around)) continue;
    if (!best || sure > best.sure || (sure === best.sure && element.prose >= best.element.prose * 0.9))
      best = one;
  }
  return best;
}

function widened({ element, sure }: Region, named: readonly Region[], page: HtmlElement): MainContentChoice {
  const name = kindName(element);
  let [root, alike] = [element, 0];
  for (const other of named) {
    if (kindName(other.element) !== name) continue;
    alike++;
    while (!isWithin(other.element, root) && root !== page && root.parentNode) root = root.parentNode;
  }
  return { root, certainty: sure, sameNamed: alike };
}

const INGREDIENTS = /(?:^|[ -])ingredients?(?=[ -]|$)/;
/** Minimum characters of an ingredients list. The main content is extended to contain the list. */
const MIN_LIST_CHARS = 30;
const MAX_TIMES = 2;
const RECIPE = /(?:^|[ -])recipe/;

export function withIngredients(
  choice: MainContentChoice,
  page: HtmlElement,
  recipe: boolean,
): MainContentChoice {
  if (!recipe && !RECIPE.test(readElementNames(choice.root))) return choice;
  let list: HtmlElement | undefined;
  for (const node of elementsIn(page)) {
    if (node.chars < MIN_LIST_CHARS || !INGREDIENTS.test(readElementNames(node))) continue;
    if (isWithin(node, choice.root)) return choice;
    list ??= node;
  }
  if (!list) return choice;
  let { root } = choice;
  while (!isWithin(list, root) && root !== page && root.parentNode) root = root.parentNode;
  return root === page || root.prose > choice.root.prose * MAX_TIMES ? choice : { ...choice, root };
}

/** Returns tag and class without digits, because pages number the parts of a text, as in `part-1`. */
function kindName({ tag, attributes }: HtmlElement): string {
  return `${tag} ${(attributes.class ?? '').replace(/\d+/g, '')}`;
}
