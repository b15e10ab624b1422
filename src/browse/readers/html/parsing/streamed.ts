import { elementsIn, type HtmlElement, isWithin, removeNode } from './node.ts';

const MAX_SCRIPT_CHARS = 5_000_000;
/** React's moves: `$RC("B:0","S:0")` replaces element B:0 by S:0. `$RS("S:1","P:1")` replaces P:1 by S:1. */
const MOVE = /\$R([CRS])\("([\w:-]{1,40})","([\w:-]{1,40})"/g;

/** Moves content that React sent at the page's end to its place. Must precede removal of hidden elements. */
export function placeStreamed(root: HtmlElement): void {
  const moves: (readonly [string, string])[] = [];
  const places = new Map<string, HtmlElement>();
  let left = MAX_SCRIPT_CHARS;
  for (const node of elementsIn(root)) {
    const { id } = node.attributes;
    if (id !== undefined && /^(?:\w{0,20}[-:])?[BPS]:/.test(id)) places.set(id, node);
    if (node.tag !== 'script' || left <= 0) continue;
    const text = node.textContent.slice(0, left);
    left -= text.length;
    if (text.includes('$R'))
      for (const [, how, a = '', b = ''] of text.matchAll(MOVE)) moves.push(how === 'S' ? [b, a] : [a, b]);
  }
  for (const [to, from] of moves) place(places.get(to), places.get(from));
  placeByNumber(places);
}

function placeByNumber(places: ReadonlyMap<string, HtmlElement>): void {
  for (const [id, from] of places) {
    const [prefix = '', number] = id.split('S:');
    if (number === undefined || from.attributes.hidden === undefined) continue;
    place(places.get(`${prefix}P:${number}`) ?? places.get(`${prefix}B:${number}`), from);
  }
}

function place(to: HtmlElement | undefined, from: HtmlElement | undefined): void {
  if (!to?.parentNode || !from?.parentNode || isWithin(to, from)) return;
  const { parentNode: parent } = to;
  delete from.attributes.hidden;
  removeNode(from);
  parent.replaceChild(from, to);
}
