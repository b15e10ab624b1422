import { readFileSync } from 'node:fs';
import { decodePercent } from '../../lib/text/decode-percent.ts';
import { oneLine } from '../plans/fingerprint.ts';
import { MAX_PLAN_PAGES, type PlanDraft } from '../plans/plan.ts';
import { readAddresses } from './addresses.ts';
import { isCommand, isConjunction } from './clauses.ts';
import { listSimpleConditions, type SendCondition } from './condition.ts';
import { readConditions } from './read-conditions.ts';
import { readSchedule } from './read-schedule.ts';
import {
  collectUnknownWords,
  findExclusionBefore,
  getSpanText,
  hasAny,
  ignoreQuestionNegations,
  isCurrency,
  isCurrencyNode,
  isExclusion,
  isFiller,
  isPrice,
  isUnknownWord,
  isWithout,
  joinNumbersToNames,
  markTaken,
  parsePhrases,
  type TaskPhrase,
} from './task-phrases.ts';
import { findTurningParts, type TurningPart } from './turning-parts.ts';

export interface TaskReading extends PlanDraft {
  readonly subject: string;
  readonly notes: readonly string[];
  readonly unread: readonly string[];
  readonly unreadWords: readonly string[];
  /** Unread parts without which the task may mean the opposite. */
  readonly turning: readonly TurningPart[];
}

const OBSERVING =
  /^(?:watch|monitor|track|keep |follow|observ|beobacht|überwach|verfolg|behalt|im auge|surveill|suis|suivre|garde |vigil|sigue|segu|sorvegli|tieni|acompanh|vigi|fi(?:ca|que) |volg|bewaak|houd|hou|obserw|śled|pilnuj|monitor|след|отслеж|монитор|наблюд|監視|見張|見守|追跡|ウォッチ|モニター|监控|監控|监视|監視|监测|監測|关注|關注|跟踪|追踪|盯|留意)/iu;

export function readTask(task: string): TaskReading {
  const { pages, webhook, email, others, rest } = readAddresses(oneLine(task));
  const { nodes: plain, corrections } = parsePhrases(rest);
  const nodes = joinNumbersToNames(ignoreQuestionNegations(plain));
  const send = sendOf(nodes, webhook, email);
  const schedule = readSchedule(nodes);
  const selected = takeSelector(nodes);
  const topic = readTopic(nodes, rest);
  const conditions = readConditions(nodes, rest);
  const usual = conditions.when ?? usualWhen(nodes, schedule.runs !== undefined, pages);
  const when = withTopic(usual, topic, nodes.some(isWithout));
  const extract = selected ?? readExtraction(nodes, { when, pages, price: conditions.price, text: rest });
  const subject = pages.length === 0 ? takeSearchWords(nodes) : '';
  const unread = listUnreadParts(nodes, {
    text: rest,
    pages,
    missed: conditions.missed,
    sent: webhook !== undefined,
  });
  const unreadWords = unread.map(({ words }) => words);
  return {
    pages: [...pages],
    extract,
    when,
    send,
    ...(schedule.runs && { runs: schedule.runs }),
    subject,
    notes: [
      ...others.map(
        (other) =>
          `one automation sends to one place: nothing is sent to ${other}; create another automation for it`,
      ),
      ...schedule.notes,
    ],
    unread: [
      ...corrections.map(({ written, read }) => `"${written}" was read as "${read}"`),
      ...(unreadWords.length === 0
        ? []
        : [
            `not understood, so not part of it: ${unreadWords.map((words) => JSON.stringify(words)).join(', ')}`,
          ]),
    ],
    unreadWords,
    turning: [
      ...(pages.length > MAX_PLAN_PAGES ? [{ words: `${pages.length}`, kind: 'pages' } as const] : []),
      ...(send.kind === 'platform' || send.kind === 'knowledge' ? askedMail(nodes) : []),
      ...findTurningParts(nodes, unread),
    ],
  };
}

const askedMail = (nodes: readonly TaskPhrase[]): TurningPart[] =>
  nodes.filter((node) => node.tags.has('mailme')).map(({ text }) => ({ words: text, kind: 'mail' }));

function sendOf(
  nodes: readonly TaskPhrase[],
  webhook: string | undefined,
  email: string | undefined,
): PlanDraft['send'] {
  // In `20 kb`, `kb` is a unit of size and not the knowledge base.
  const knowledge = nodes.filter((node, at) => node.tags.has('kb') && nodes[at - 1]?.kind !== 'number');
  for (const node of nodes) if (node.tags.has('mailme')) node.taken = true;
  if (webhook !== undefined || email !== undefined) {
    for (const node of nodes) if (node.tags.has('mail')) node.taken = true;
  }
  if (webhook !== undefined) return { kind: 'webhook', url: webhook };
  if (email !== undefined) return { kind: 'email', to: email };
  for (const node of knowledge) node.taken = true;
  return { kind: knowledge.length > 0 ? 'knowledge' : 'platform' };
}

function takeSelector(nodes: readonly TaskPhrase[]): PlanDraft['extract'] | undefined {
  const code = nodes.find((node, at) => node.kind === 'selector' && !isLeftOut(nodes, at));
  const named = nodes.findIndex(
    (node) =>
      node.tags.has('sel') &&
      /css|sele[ck]|séle|element|élém|elemen|要素|セレ|选择|選擇|元素|элемент|селектор/iu.test(node.text),
  );
  const quoted =
    named < 0
      ? undefined
      : nodes
          .slice(named + 1, named + 4)
          .find((node) => node.kind === 'quote' && looksLikeSelector(node.text));
  const node = quoted ?? code;
  if (!node) return undefined;
  node.taken = true;
  return { kind: 'selector', selector: node.text };
}

/** True for a selector that the task excludes: `ignore everything in #ads`, `#adsは無視して`. */
function isLeftOut(nodes: readonly TaskPhrase[], at: number): boolean {
  const behind = nodes.slice(at + 1, at + 4).find((node) => !isFiller(node));
  if (behind?.verbLast && behind.tags.has('skip')) return true;
  if (findExclusionBefore(nodes, at, 5) !== undefined) return true;
  // One unknown word may come before the selector, as in `ignore everything in #ads`.
  const before = nodes.slice(Math.max(0, at - 5), at).reverse();
  const stop = before.findIndex(({ kind }) => kind === 'page' || kind === 'mark');
  return (stop < 0 ? before : before.slice(0, stop)).some(
    (node) => node.tags.has('skip') && isExclusion(node),
  );
}

const looksLikeSelector = (text: string): boolean => /^[\w.#[\]="'*:>~+ ()-]{1,200}$/.test(text);

function usualWhen(
  nodes: readonly TaskPhrase[],
  hasSchedule: boolean,
  pages: readonly string[],
): SendCondition {
  const every = nodes.filter((node) => node.tags.has('always'));
  for (const node of every) node.taken = true;
  if (every.length > 0) return { kind: 'always' };
  const observes = nodes.some((node) => node.tags.has('watch') && OBSERVING.test(node.text));
  const notifies = nodes.some(
    (node) => node.tags.has('notify') && !node.tags.has('f') && !node.tags.has('above'),
  );
  if (!observes && !(notifies && !hasSchedule)) return { kind: 'always' };
  const lists = nodes.some((node) => node.tags.has('item') || node.tags.has('feed')) || pages.some(isFeed);
  return { kind: lists && !nodes.some((node) => node.tags.has('price')) ? 'new' : 'change' };
}

export const isFeed = (address: string): boolean =>
  /(?:\.(?:rss|atom|xml|rdf)|\/(?:feed|rss|atom|feeds)\/?|\/feed\.json)(?:\?|$)/i.test(address);

function withoutGone(when: SendCondition): SendCondition {
  if (when.kind !== 'all') return when;
  const [fresh, ...others] = [...when.of].sort((a, b) => Number(b.kind === 'new') - Number(a.kind === 'new'));
  const without = others.flatMap((one) => (one.kind === 'gone' ? [one.word] : []));
  return fresh?.kind === 'new' && without.length === others.length ? { ...fresh, without } : when;
}

function withTopic(when: SendCondition, topic: TaskTopic | undefined, leaves: boolean): SendCondition {
  if (!topic) return leaves ? withoutGone(when) : when;
  const about = topic.without
    ? { without: topic.about }
    : { about: topic.about, ...(topic.every && { every: true }) };
  if (when.kind === 'change' || when.kind === 'always') return { kind: 'new', ...about };
  const singles = listSimpleConditions(when);
  const fresh = singles.filter((single) => single.kind === 'new');
  for (const single of fresh) Object.assign(single, about);
  if (fresh.length > 0) return withoutGone(when);
  if (topic.without) return when;
  const without = singles.flatMap((single) => (single.kind === 'gone' ? [single.word] : []));
  if (without.length === singles.length) return { kind: 'new', ...about, without };
  return singles.length === 1 ? { kind: 'all', of: [{ kind: 'new', ...about }, ...singles] } : when;
}

interface Hints {
  readonly when: SendCondition;
  readonly pages: readonly string[];
  readonly price: boolean;
  readonly text: string;
}

function readExtraction(
  nodes: readonly TaskPhrase[],
  { when, pages, price, text }: Hints,
): PlanDraft['extract'] {
  const singles = listSimpleConditions(when);
  const compares = singles.some(({ kind }) => kind === 'compare');
  const money = singles.some((one) => 'currency' in one && one.currency !== undefined);
  const unlabelled = singles.every((one) => !('of' in one) || one.of === undefined);
  const prices = nodes.filter(isPrice);
  if (price || compares || (money && unlabelled)) {
    markTaken(prices);
    markTaken(nodes.filter((node) => node.tags.has('item') || (node.tags.has('new') && price)));
    const all =
      nodes.some((node) => node.tags.has('prices')) ||
      nodes.some(
        (node, at) =>
          node.tags.has('any') && nodes[at + 1] !== undefined && isPrice(nodes[at + 1] as TaskPhrase),
      );
    const product = all || compares || pages.length === 0 ? undefined : productOf(nodes, prices, text);
    return { kind: 'prices', ...(all && { all: true }), ...(product !== undefined && { of: product }) };
  }
  for (const kind of ['links', 'headings', 'title'] as const) {
    const named = nodes.filter((node) => node.tags.has(kind));
    if (named.length === 0) continue;
    markTaken(named);
    if (kind === 'links' || kind === 'headings') markTaken(nodes.filter((node) => node.tags.has('item')));
    return { kind };
  }
  const isNew = singles.some(({ kind }) => kind === 'new');
  const lists = nodes.filter((node) => node.tags.has('item') || node.tags.has('feed'));
  const untaken = lists.filter((node) => !node.taken && !node.tags.has('f') && !node.tags.has('send'));
  if (isNew || (singles.every(({ kind }) => kind === 'always' || kind === 'change') && untaken.length > 0)) {
    markTaken(lists);
    return { kind: 'items' };
  }
  return { kind: 'text' };
}

function productOf(nodes: readonly TaskPhrase[], prices: readonly TaskPhrase[], text: string) {
  for (const price of prices) {
    const at = nodes.indexOf(price);
    const run = [collectUnknownWords(nodes, at + 1, 1), beforePrice(nodes, at)].find(
      (one) => one.length > 0 && one.every((node) => !node.taken) && !qualifies(nodes, one),
    );
    if (!run) continue;
    markTaken(run);
    return text.slice(run[0]?.start, run.at(-1)?.end).slice(0, 100);
  }
  const limit = nodes.findIndex(
    (node) =>
      node.taken && node.tags.has('below') && /cost|kost|coût|cuest|cust|стоит|cheap/i.test(node.text),
  );
  const run = limit < 0 ? [] : beforeVerb(nodes, limit);
  if (run.length === 0) return undefined;
  markTaken(run);
  return text.slice(run[0]?.start, run.at(-1)?.end).slice(0, 100);
}

/** Words for a price that may follow a product's name, as in `the iPhone 16 price`, `iPhoneの価格`. */
const NAME_FIRST = /price|pricing|preis|prijs|fare|rate|quote|価格|値段|料金|金額|运|价|價|费|費/iu;
const VERBS = /cost|kost|coût|cout|cuest|cust|koszt|стои|retail|vale|vaut/iu;

function beforePrice(nodes: readonly TaskPhrase[], at: number): TaskPhrase[] {
  const { text } = nodes[at] as TaskPhrase;
  if (VERBS.test(text)) return beforeVerb(nodes, at);
  if (!NAME_FIRST.test(text)) return [];
  const run = beforeVerb(nodes, at);
  const between = nodes.slice(nodes.indexOf(run.at(-1) as TaskPhrase) + 1, at);
  return between.every((node) => /^(?:の|的|'s|’s)$/u.test(node.text)) ? run : [];
}

/** True if the words follow a currency, as `nuevos` in `100 pesos nuevos`. They do not name a product. */
function qualifies(nodes: readonly TaskPhrase[], [first]: readonly TaskPhrase[]): boolean {
  const before = nodes[nodes.indexOf(first as TaskPhrase) - 1];
  return before !== undefined && isCurrencyNode(before);
}

function beforeVerb(nodes: readonly TaskPhrase[], verb: number): TaskPhrase[] {
  for (let at = verb - 1; at >= 0; at--) {
    const node = nodes[at] as TaskPhrase;
    if (isUnknownWord(node) && !node.taken) return collectUnknownWords(nodes, at, -1);
    if (node.kind !== 'page' && !isFiller(node)) return [];
  }
  return [];
}

/** Phrases with these tags (such as `and`, `watch`) may be ignored without a message to the user. */
const FRAME: readonly string[] = JSON.parse(
  readFileSync(new URL('./frame-tags.json', import.meta.url), 'utf8'),
);
/** An ignored phrase with one of these tags is reported to the user, even if it also has a tag of `FRAME`. */
const NAMED = ['no', 'but', 'until', 'unless'];
const MIN_NAME_LETTERS = 3;
const MAX_GROUPS = 20;
const MAX_SUBJECT_WORDS = 12;
const PAGE_PARTS = ['price', 'prices', 'headings', 'title', 'item', 'feed', 'links'];

interface TaskFacts {
  readonly text: string;
  readonly pages: readonly string[];
  readonly missed: readonly { readonly start: number; readonly end: number }[];
  /** True if the task has a web hook. Without a web hook, names of chat services are not understood. */
  readonly sent: boolean;
}

const SERVICES =
  /^(?:slack\p{L}?|discord\p{L}?|(?:microsoft )?teams|ntfy|mattermost|слак|дискорд|スラック|ディスコード|webhook|вебхук|钉钉机器人|飞书机器人)(?: channel)?$/iu;

function listUnreadParts(nodes: readonly TaskPhrase[], { text, pages, missed, sent }: TaskFacts) {
  const addresses = pages.map((page) => {
    const { hostname, pathname } = new URL(page);
    return `${hostname}${decodePercent(pathname)}`.toLowerCase();
  });
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
    .map(({ start, end }) => ({
      start,
      end,
      words: text
        .slice(start, end)
        .replace(/[\ue000-\ue1ff]/g, '…')
        .trim(),
    }));
}

const bridges = (node: TaskPhrase): boolean =>
  node.kind === 'word' &&
  !node.taken &&
  !isCommand(node) &&
  hasAny(node, 'f', 'by', 'at', 'per', 'and', 'about');

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
  // A word that is part of a page's address counts as a name of the page.
  const word = node.text.toLowerCase();
  return !(
    node.tags.size === 0 &&
    word.length >= MIN_NAME_LETTERS &&
    addresses.some((page) => page.includes(word))
  );
}

function takeSearchWords(nodes: readonly TaskPhrase[]): string {
  const said = nodes.filter((node) => {
    if (node.kind === 'number') return !node.taken;
    if (node.kind !== 'word' || isConjunction(node)) return false;
    const names = hasAny(node, ...PAGE_PARTS);
    const code = [...node.tags].some(isCurrency) && !node.taken;
    return node.tags.size === 0 || code || (names && !node.tags.has('f'));
  });
  // Words such as `price` alone name no page.
  if (said.every((node) => node.kind === 'word' && hasAny(node, ...PAGE_PARTS))) return '';
  const words = said.slice(0, MAX_SUBJECT_WORDS);
  markTaken(words);
  return words.map(({ text }) => text).join(' ');
}

const MAX_TOPICS = 10;
const LISTED = ['item', 'new', 'feed', 'headings'];

interface TaskTopic {
  readonly about: string[];
  readonly every: boolean;
  readonly without?: true;
}

function readTopic(nodes: readonly TaskPhrase[], text: string): TaskTopic | undefined {
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
