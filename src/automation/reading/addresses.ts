import {
  APPEARANCE_WORDS,
  NOTIFYING_WORDS,
  PAGE_EVENT_WORDS,
  SENDING_WORDS,
  WEBHOOK_CALL_WORDS,
  WORDS_AFTER_WEBHOOK,
  WORDS_BEFORE_RECIPIENT,
} from './task-words.ts';
import { PAGE_MARK_CODE, RECIPIENT_MARK_CODE } from './tokens.ts';

/** Matches URLs. A Japanese or Chinese character ends a URL, except in a path such as `/wiki/東京`. */
const URLS =
  /https?:\/\/[^\s<>"'`|\\^{}…—，。、；）」』”’！？：\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+(?:(?<=\/[\w-]{1,40}\/)[\p{Script=Han}\p{Script=Katakana}ー]{1,100})?/giu;
const AFTER = /(?<![.,;:!?)\]*_~])[.,;:!?)\]*_~]+$/;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/gi;
/** Matches host names without a scheme, such as `example.com`. Only listed top-level domains count. */
const NAMES =
  /(?<![\p{L}\p{N}_@.-])(?:[\p{L}\p{N}-]{1,63}\.){1,4}(?:com|org|net|edu|gov|info|dev|app|shop|store|news|blog|site|online|cloud|tech|xyz|io|ai|co|me|tv|gg|de|at|ch|li|fr|es|pt|it|nl|be|lu|pl|uk|ie|eu|us|ca|mx|ar|cl|jp|cn|kr|br|ru|ua|in|au|nz|za|se|no|dk|fi|cz|hu|ro|gr|tr|example)(?![\p{L}\p{N}_@-])(?::\d{1,5})?(?:\/[^\s<>"'`]{0,1500})?/giu;
/** Matches IP addresses and `localhost` without a scheme. The URL guard decides whether they are allowed. */
const MACHINES =
  /(?<![\p{L}\p{N}_@.-])(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?![\p{L}\p{N}_@.-]*[\p{L}\p{N}_@])(?::\d{1,5})?(?:\/[^\s<>"'`]{0,1500})?/giu;
/** Matches URLs of web hooks and of other services that only receive data. */
const TAKES_IN =
  /^https?:\/\/(?:hooks?\.|[^/]*\.webhook\.|webhook\.|discord(?:app)?\.com\/api\/webhooks|ntfy\.sh\/)/i;
/** Matches URLs that may be web hooks, but also URLs of pages about web hooks. */
const NAMED_HOOK = /\/(?:web)?hooks?(?:[/?-]|$)/i;
const SENT_ON = /^\s{1,3}(?:to|nach|zu|an|à|vers|a|al|para|naar)\s{1,3}(?:(?:my|the)\s)?https?:/iu;
const STANDS_THERE = new RegExp(`^\\s(?:${APPEARANCE_WORDS})`, 'iu');
const CHARACTERS_BEFORE = 200;
const CHARACTERS_BEHIND = 40;
const ALSO = /^\s{0,3}(?:,\s{0,3})?(?:and|und|et|y|e|en|i|&|\+)\s{1,3}(?:(?:to|an|à|a)\s)?$/iu;

/** Extracts addresses. In `rest`, a private code point (`PAGE_MARK_CODE` or higher) replaces each address. */
export function readAddresses(text: string) {
  const task = text.replace(/[\ue000-\uf8ff]/g, ' ');
  const pages = new Set<string>();
  let webhook: string | undefined;
  const others = new Set<string>();
  let sent = 0;
  const withoutUrls = task.replace(URLS, ' ');
  const only = (task.match(URLS) ?? []).length + (withoutUrls.match(NAMES) ?? []).length === 1;
  let rest = task.replace(URLS, (found, at: number) => {
    const bare = withoutEnd(found);
    const url = URL.canParse(bare) ? withoutFragment(bare) : undefined;
    const before = task.slice(Math.max(0, at - CHARACTERS_BEFORE), at);
    if (url === undefined) return found;
    const behind = task.slice(at + found.length, at + found.length + CHARACTERS_BEHIND);
    const takes = WORDS_AFTER_WEBHOOK.test(behind) || (isTarget(url, before, only) && !SENT_ON.test(behind));
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
    else if (pathname !== '/' || ![...pages].some((page) => new URL(page).host === host)) pages.add(href);
    return `${markOf(href, pages)} ${found.slice(bare.length)}`;
  };
  rest = rest.replace(NAMES, named('https', true));
  // If the task has other pages, `1.2.3.4` counts as a version number and not as an address.
  rest = rest.replace(MACHINES, named('http', pages.size === 0));
  const unserved = webhook === undefined || email === undefined ? besides : [email, ...besides];
  return { pages: [...pages], others: [...others, ...unserved], webhook, email, rest };
}

/** Words that begin a condition. In `send mail if a.example changes`, `a.example` is not a recipient. */
const CONDITIONS = new Set(
  'if when whenever wenn falls sobald quand si lorsque cuando quando se als wanneer zodra gdy jeśli jeżeli если когда'.split(
    ' ',
  ),
);

function inClause(before: string): string {
  const words = before.split(' ');
  return words.slice(words.findLastIndex((word) => CONDITIONS.has(word.toLowerCase())) + 1).join(' ');
}

function markOf(address: string, pages: ReadonlySet<string>): string {
  const place = [...pages].indexOf(address);
  return ` ${String.fromCharCode(place < 0 ? RECIPIENT_MARK_CODE : PAGE_MARK_CODE + Math.min(place, 0xff))}`;
}

function isTarget(url: string, words: string, only: boolean): boolean {
  const before = inClause(words);
  const sends = SENDING_WORDS.test(before);
  if (TAKES_IN.test(url) || WEBHOOK_CALL_WORDS.test(before)) return true;
  if (NAMED_HOOK.test(url) && (sends || !only)) return true;
  if (PAGE_EVENT_WORDS.test(before) && (only || !sends)) return false;
  return (sends && WORDS_BEFORE_RECIPIENT.test(before)) || NOTIFYING_WORDS.test(before);
}

const isWaitedFor = (before: string, behind: string): boolean =>
  /["“„«`]/.test(before) || STANDS_THERE.test(behind);

export function withoutFragment(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

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
