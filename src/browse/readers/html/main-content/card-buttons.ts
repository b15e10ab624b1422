import { pushTo } from '../../../../lib/push-to.ts';
import { descendants, type HtmlElement, removeNode } from '../parsing/node.ts';
import { isAlone } from '../parsing/relations.ts';
import { BLOCK_TAGS } from '../parsing/tags.ts';

const MAX_WORDS_CHARS = 25;
const MIN_PLACES = 4;
const MAX_NODES = 50;

export function dropCardButtons(root: HtmlElement): void {
  const byWords = new Map<string, HtmlElement[]>();
  const named = new Map<string, Set<string>>();
  for (const link of root.getElementsByTagName('a')) {
    const { href = '' } = link.attributes;
    const words = link.textContent.replace(/\s+/g, ' ').trim().toLowerCase();
    if (href === '' || href.startsWith('#') || words === '') continue;
    add(named, href, words);
    if (words.length > MAX_WORDS_CHARS || !/\p{L}/u.test(words)) continue;
    pushTo(byWords, words, link);
  }
  for (const alike of byWords.values()) {
    if (new Set(alike.map(({ attributes }) => attributes.href)).size < MIN_PLACES) continue;
    for (const link of alike) if ((named.get(link.attributes.href ?? '')?.size ?? 0) > 1) dropLine(link);
  }
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

function dropLine(link: HtmlElement): void {
  let line = link;
  for (let up = line.parentNode; up && !BLOCK_TAGS.has(line.tag); up = up.parentNode) {
    if (BLOCK_TAGS.has(up.tag) && !isOnlyIn(link, up)) break;
    line = up;
  }
  if (line !== link && isOnlyIn(link, line)) removeNode(line);
  else if (isAlone(link)) removeNode(link);
}

function isOnlyIn(link: HtmlElement, around: HtmlElement): boolean {
  let [chars, nodes] = [0, 0];
  for (const node of descendants(around)) {
    if (++nodes > MAX_NODES) return false;
    if (node.nodeType === 3) chars += node.data.trim().length;
    else if (node.tag === 'img') return false;
    if (chars > MAX_WORDS_CHARS * 2) return false;
  }
  return around.textContent.replace(/\s+/g, ' ').trim() === link.textContent.replace(/\s+/g, ' ').trim();
}
