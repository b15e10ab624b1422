import { readFileSync } from 'node:fs';
import { isCommand, isConjunction } from './clauses.ts';
import { hasAny, isCurrency, markTaken, type TaskPhrase } from './task-phrases.ts';

/** Tags of phrases that a plan need not express: the phrases connect others, or ask for something that all automations do. */
const FRAME: readonly string[] = JSON.parse(
  readFileSync(new URL('./frame-tags.json', import.meta.url), 'utf8'),
);
/** Tags of phrases that are always reported as not understood, even if they also have a tag of `FRAME`. */
const NAMED = ['no', 'but', 'until', 'unless'];
const MIN_NAME_LETTERS = 3;
const MAX_GROUPS = 20;
const MAX_SUBJECT_WORDS = 12;

interface Facts {
  readonly text: string;
  readonly pages: readonly string[];
  readonly missed: readonly { readonly start: number; readonly end: number }[];
  /** Without an address, a chat service that the task names gets nothing. */
  readonly sent: boolean;
}

const SERVICES =
  /^(?:slack\p{L}?|discord\p{L}?|(?:microsoft )?teams|ntfy|mattermost|слак|дискорд|スラック|ディスコード|webhook|вебхук|钉钉机器人|飞书机器人)(?: channel)?$/iu;

export function listUnreadParts(
  nodes: readonly TaskPhrase[],
  { text, pages, missed, sent }: Facts,
): string[] {
  const addresses = pages.map((page) => decoded(page).toLowerCase());
  const groups: TaskPhrase[][] = [];
  let open: TaskPhrase[] = [];
  for (const node of nodes) {
    const unsent = !sent && node.tags.has('send') && SERVICES.test(node.text);
    if (unsent || isMissing(node, addresses, nodes)) open.push(node);
    else if (open.length > 0 && !bridges(node)) {
      groups.push(open);
      open = [];
    }
  }
  if (open.length > 0) groups.push(open);
  const places = groups.map((group) => ({ start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0 }));
  const apart = places.filter(
    ({ start, end }) => !missed.some((one) => one.start <= start && end <= one.end),
  );
  return [...apart, ...missed]
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_GROUPS)
    .map(({ start, end }) =>
      text
        .slice(start, end)
        .replace(/[\ue000-\ue1ff]/g, '…')
        .trim(),
    );
}

function bridges(node: TaskPhrase): boolean {
  return (
    node.kind === 'word' &&
    !node.taken &&
    !isCommand(node) &&
    hasAny(node, 'f', 'by', 'at', 'per', 'and', 'about')
  );
}

function isMissing(node: TaskPhrase, addresses: readonly string[], nodes: readonly TaskPhrase[]): boolean {
  if (node.taken || node.kind === 'mark' || node.kind === 'page' || node.kind === 'target') return false;
  if (node.kind === 'number' || node.kind === 'time' || node.kind === 'quote' || node.kind === 'selector')
    return true;
  if (hasAny(node, ...NAMED)) return true;
  if (node.tags.has('more')) return !nodes.some((one) => one.tags.has('neg'));
  if (node.tags.has('or') || node.tags.has('nor') || (node.tags.has('neg') && !node.tags.has('f')))
    return true;
  if (
    isConjunction(node) ||
    [...node.tags].some((tag) => FRAME.includes(tag) || (isCurrency(tag) && node.kind === 'sign'))
  )
    return false;
  // A word from the address of a page is a name of this page.
  const word = node.text.toLowerCase();
  return !(
    node.tags.size === 0 &&
    word.length >= MIN_NAME_LETTERS &&
    addresses.some((page) => page.includes(word))
  );
}

function decoded(address: string): string {
  const { hostname, pathname } = new URL(address);
  try {
    return hostname + decodeURIComponent(pathname);
  } catch {
    return hostname + pathname;
  }
}

export function takeSearchWords(nodes: readonly TaskPhrase[]): string {
  const said = nodes.filter((node) => {
    if (node.kind === 'number') return !node.taken;
    if (node.kind !== 'word' || isConjunction(node)) return false;
    const names = hasAny(node, 'price', 'prices', 'headings', 'title', 'item', 'feed', 'links');
    const code = [...node.tags].some(isCurrency) && !node.taken;
    return node.tags.size === 0 || code || (names && !node.tags.has('f'));
  });
  const words = said.slice(0, MAX_SUBJECT_WORDS);
  markTaken(words);
  return words.map(({ text }) => text).join(' ');
}
