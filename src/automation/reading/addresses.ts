import { APPEARS, AS_HOOK, CALLS, HAPPENS_TO, REACHED, SEND, TOWARDS } from './task-words.ts';
import { PAGE_MARK, TARGET_MARK } from './tokens.ts';

/** Addresses in a task, by their purpose. */
export interface Addresses {
  /** Pages to fetch, each once, in the task's order. */
  readonly pages: readonly string[];
  /** Where something is to be sent. */
  readonly webhook?: string;
  readonly email?: string;
  /** Further targets. */
  readonly others: readonly string[];
  /** The task with a mark in place of each address: `PAGE_MARK` and the page's place in the list, or `TARGET_MARK`. */
  readonly rest: string;
}

/** Japanese and Chinese have no blank behind an address; their characters are part of one only as the name of a page. */
const URLS =
  /https?:\/\/[^\s<>"'`|\\^{}…—，。、；）」』”’！？：\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+(?:(?<=\/[\w-]{1,40}\/)[\p{Script=Han}\p{Script=Katakana}ー]{1,100})?/giu;
/** What stands after an address in a sentence. */
const AFTER = /(?<![.,;:!?)\]*_~])[.,;:!?)\]*_~]+$/;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/gi;
/** Names without a scheme, of the endings that are seldom anything else. */
const NAMES =
  /(?<![\p{L}\p{N}_@.-])(?:[\p{L}\p{N}-]{1,63}\.){1,4}(?:com|org|net|edu|gov|info|dev|app|shop|store|news|blog|site|online|cloud|tech|xyz|io|ai|co|me|tv|gg|de|at|ch|li|fr|es|pt|it|nl|be|lu|pl|uk|ie|eu|us|ca|mx|ar|cl|jp|cn|kr|br|ru|ua|in|au|nz|za|se|no|dk|fi|cz|hu|ro|gr|tr|example)(?![\p{L}\p{N}_@-])(?::\d{1,5})?(?:\/[^\s<>"'`]{0,1500})?/giu;
/** Addresses of machines, which no search would find: they are refused or allowed like others. */
const MACHINES =
  /(?<![\p{L}\p{N}_@.-])(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?![\p{L}\p{N}_@.-]*[\p{L}\p{N}_@])(?::\d{1,5})?(?:\/[^\s<>"'`]{0,1500})?/giu;
/** Addresses that only take something in. */
const TAKES_IN =
  /^https?:\/\/(?:hooks?\.|[^/]*\.webhook\.|webhook\.|discord(?:app)?\.com\/api\/webhooks|ntfy\.sh\/)/i;
/** Addresses that may take something in: a page may be about hooks. */
const NAMED_HOOK = /\/(?:web)?hooks?(?:[/?-]|$)/i;
/** Behind an address that is sent itself: `post <page> to <hook>`. */
const SENT_ON = /^\s{1,3}(?:to|nach|zu|an|à|vers|a|al|para|naar)\s{1,3}(?:(?:my|the)\s)?https?:/iu;
const STANDS_THERE = new RegExp(`^\\s(?:${APPEARS})`, 'iu');
/** Characters before and behind an address that are read for its purpose. */
const CHARACTERS_BEFORE = 200;
const CHARACTERS_BEHIND = 40;

/** Between two addresses that are one list. */
const ALSO = /^\s{0,3}(?:,\s{0,3})?(?:and|und|et|y|e|en|i|&|\+)\s{1,3}(?:(?:to|an|à|a)\s)?$/iu;

/** Takes the addresses out of a task, and separates pages from targets. All patterns are linear. */
export function readAddresses(text: string): Addresses {
  const task = text.replace(/[\ue000-\uf8ff]/g, ' ');
  const pages = new Set<string>();
  let webhook: string | undefined;
  const others = new Set<string>();
  /** Where the last address that something is sent to ends. */
  let sent = 0;
  const withoutUrls = task.replace(URLS, ' ');
  const only = (task.match(URLS) ?? []).length + (withoutUrls.match(NAMES) ?? []).length === 1;
  let rest = task.replace(URLS, (found, at: number) => {
    const bare = withoutEnd(found);
    const url = URL.canParse(bare) ? withoutFragment(bare) : undefined;
    const before = task.slice(Math.max(0, at - CHARACTERS_BEFORE), at);
    if (url === undefined) return found;
    const behind = task.slice(at + found.length, at + found.length + CHARACTERS_BEHIND);
    const takes = AS_HOOK.test(behind) || (isTarget(url, before, only) && !SENT_ON.test(behind));
    const also = webhook !== undefined && (TAKES_IN.test(url) || ALSO.test(task.slice(sent, at)));
    if (also && url !== webhook) others.add(url);
    else if (webhook === undefined && takes) webhook = url;
    else if (!also) pages.add(url);
    if (also || url === webhook) sent = at + bare.length;
    return `${markOf(url, pages)} ${found.slice(bare.length)}`;
  });
  const mailboxes = new Set<string>();
  rest = rest.replace(EMAIL, (found, at: number, all: string) => {
    if (
      isWaitedFor(
        all.slice(Math.max(0, at - 1), at),
        all.slice(at + found.length, at + found.length + CHARACTERS_BEHIND),
      )
    )
      return found;
    mailboxes.add(found);
    return `${markOf(found, pages)} `;
  });
  const [email, ...besides] = mailboxes;
  const named = (scheme: string, pagesToo: boolean) => (found: string, at: number, all: string) => {
    const bare = withoutEnd(found);
    const url = `${scheme}://${bare}`;
    if (!URL.canParse(url)) return found;
    const { href, host, pathname } = new URL(url);
    if (webhook === undefined && isTarget(href, all.slice(Math.max(0, at - CHARACTERS_BEFORE), at), only))
      webhook = href;
    else if (!pagesToo) return found;
    // A site that is named beside one of its pages is not another page.
    else if (pathname !== '/' || ![...pages].some((page) => new URL(page).host === host)) pages.add(href);
    return `${markOf(href, pages)} ${found.slice(bare.length)}`;
  };
  rest = rest.replace(NAMES, named('https', true));
  // Beside a page, four numbers are a version.
  rest = rest.replace(MACHINES, named('http', pages.size === 0));
  // A web hook goes before mail.
  const unserved = webhook === undefined || email === undefined ? besides : [email, ...besides];
  return {
    pages: [...pages],
    others: [...others, ...unserved],
    webhook,
    email,
    rest,
  };
}

/** Words that begin a condition: what is sent before them goes to no address behind them. */
const CONDITIONS = new Set(
  'if when whenever wenn falls sobald quand si lorsque cuando quando se als wanneer zodra gdy jeśli jeżeli если когда'.split(
    ' ',
  ),
);

/** What stands before an address since the last word like `when`. */
function inClause(before: string): string {
  const words = before.split(' ');
  return words.slice(words.findLastIndex((word) => CONDITIONS.has(word.toLowerCase())) + 1).join(' ');
}

/** What stands in the task in place of an address. */
function markOf(address: string, pages: ReadonlySet<string>): string {
  const place = [...pages].indexOf(address);
  return ` ${String.fromCharCode(place < 0 ? TARGET_MARK : PAGE_MARK + Math.min(place, 0xff))}`;
}

/**
 * Whether something is sent to this address: its form is that of a web hook, or the words before it say so. The only
 * address of a task is a page when it may be one ("tell me of changes to ...").
 */
function isTarget(url: string, words: string, only: boolean): boolean {
  const before = inClause(words);
  const sends = SEND.test(before);
  if (TAKES_IN.test(url) || CALLS.test(before)) return true;
  if (NAMED_HOOK.test(url) && (sends || !only)) return true;
  if (HAPPENS_TO.test(before) && (only || !sends)) return false;
  return (sends && TOWARDS.test(before)) || REACHED.test(before);
}

/** Whether the text between these is one to wait for, as in `when "ada@x.example" appears`. */
function isWaitedFor(before: string, behind: string): boolean {
  return /["“„«`]/.test(before) || STANDS_THERE.test(behind);
}

/** A fragment leads to a place in the same page. */
export function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** Without the marks of the sentence; a bracket that the address opened itself stays, as that of an IPv6 address. */
function withoutEnd(url: string): string {
  const bare = url.replace(AFTER, '');
  const next = url.charAt(bare.length);
  const opened = next === ')' ? bare.includes('(') : next === ']' && opensBracket(bare);
  return opened ? bare + next : bare;
}

function opensBracket(url: string): boolean {
  const at = url.lastIndexOf('//[');
  return at >= 0 && !url.includes(']', at);
}
