import { isConjunction } from './clauses.ts';
import {
  collectUnknownWords,
  findExclusionBefore,
  getSpanText,
  hasAny,
  isFiller,
  isUnknownWord,
  markTaken,
  type TaskPhrase,
} from './task-phrases.ts';

const MAX_TOPICS = 10;
const LISTED = ['item', 'new', 'feed', 'headings'];

export interface TaskTopic {
  readonly about: string[];
  readonly every: boolean;
  readonly without?: true;
}

export function readTopic(nodes: readonly TaskPhrase[], text: string): TaskTopic | undefined {
  const span = (run: readonly TaskPhrase[]) => getSpanText(text, run);
  for (const [at, node] of nodes.entries()) {
    if (node.taken || !hasList(nodes, at)) continue;
    if (node.tags.has('aboutEnd')) {
      const run = collectUnknownWords(nodes, at - 1, -1);
      if (run.length === 0) continue;
      markTaken([...run, node]);
      return { about: [span(run)], every: false };
    }
    const isPlain = node.tags.has('about') && !hasAny(node, 'f', 'above', 'contain');
    const isPreposition =
      node.tags.has('about') && LISTED.some((tag) => nodes.slice(0, at).some((one) => one.tags.has(tag)));
    if (!isPlain && !isPreposition) continue;
    // In `articles not about football`, the words after `about` exclude articles.
    const denied = findExclusionBefore(nodes, at, 3);
    const first = topicAt(nodes, at + 1);
    if (first.length === 0) continue;
    if (denied === undefined) return further(nodes, first, span);
    if (!nodes.some(({ tags }) => tags.has('item') || tags.has('feed'))) continue;
    markTaken([nodes[denied] as TaskPhrase, node]);
    return { ...further(nodes, first, span), every: false, without: true };
  }
  return besideItem(nodes, span);
}

function besideItem(nodes: readonly TaskPhrase[], span: (run: readonly TaskPhrase[]) => string) {
  const fresh = nodes.findIndex((node) => node.tags.has('new') && !node.taken);
  const item = nodes.findIndex((node) => node.tags.has('item') && !node.taken);
  if (fresh < 0 || item < 0 || Math.abs(item - fresh) > 4) return undefined;
  const between = collectUnknownWords(nodes, Math.min(fresh, item) + 1, 1).filter(
    (node) => nodes.indexOf(node) < Math.max(fresh, item),
  );
  const run = between.length > 0 ? between : collectUnknownWords(nodes, Math.max(fresh, item) + 1, 1);
  if (run.length === 0 || run.length > 4) return undefined;
  return further(nodes, run, span);
}

function further(
  nodes: readonly TaskPhrase[],
  first: readonly TaskPhrase[],
  span: (run: readonly TaskPhrase[]) => string,
): { readonly about: string[]; readonly every: boolean } {
  const runs = [first];
  let every = false;
  markTaken(first);
  for (let at = nodes.indexOf(first.at(-1) as TaskPhrase) + 1; runs.length < MAX_TOPICS; ) {
    const joint = nodes[at];
    if (!joint || !isConjunction(joint)) break;
    const next = topicAt(nodes, at + 1);
    const last = next.at(-1);
    if (!last) break;
    every ||= joint.tags.has('and');
    markTaken([joint, ...next]);
    runs.push(next);
    at = nodes.indexOf(last) + 1;
  }
  return {
    about: runs.map((run) => (run[0]?.kind === 'quote' ? run[0].text : span(run)).slice(0, 100)),
    every,
  };
}

function topicAt(nodes: readonly TaskPhrase[], at: number): TaskPhrase[] {
  const named = nodes[at];
  const isName = named?.kind === 'word' && named.text.charAt(0) !== named.text.charAt(0).toLowerCase();
  if (isName && nodes[at - 1] && isConjunction(nodes[at - 1] as TaskPhrase)) return [named];
  let first = at;
  while (
    nodes[first] &&
    isFiller(nodes[first] as TaskPhrase) &&
    !isUnknownWord(nodes[first] as TaskPhrase) &&
    first < at + 3
  )
    first++;
  const node = nodes[first];
  if (node?.kind === 'quote' || (node?.kind === 'selector' && first > at - 1 && node.text.startsWith('#')))
    return [node];
  return collectUnknownWords(nodes, at, 1);
}

function hasList(nodes: readonly TaskPhrase[], at: number): boolean {
  const node = nodes[at] as TaskPhrase;
  return node.tags.has('about') || (node.tags.has('aboutEnd') && nodes.length > 1);
}
