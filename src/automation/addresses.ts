import { SEND, TOWARDS } from './task-words.ts';

/** Addresses in a task, by what they are for. */
export interface Addresses {
  /** Pages to fetch, each once, in the task's order. */
  readonly pages: readonly string[];
  /** Where something is to be sent. */
  readonly webhook?: string;
  readonly email?: string;
  /** The task without its addresses. */
  readonly rest: string;
}

const URLS = /https?:\/\/[^\s<>"'`|\\^{}，。、；）」』”’]+/giu;
/** What stands after an address in a sentence. */
const AFTER = /[.,;:!?)\]*_~]+$/;
const EMAIL = /[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/i;
/** Names without a scheme, of the endings that are seldom anything else. */
const NAMES =
  /(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|edu|gov|info|dev|app|shop|news|de|at|ch|fr|es|it|nl|be|pl|uk|eu|us|ca|jp|cn|kr|br|ru|in|se|no|dk|fi|cz|example)(?![\w@-])(?:\/[^\s<>"'`]{0,1500})?/gi;
/** Addresses that only take something in. */
const TAKES_IN =
  /^https?:\/\/(?:hooks?\.|[^/]*\.webhook\.|webhook\.|discord(?:app)?\.com\/api\/webhooks|ntfy\.sh\/)|\/(?:web)?hooks?(?:[/?-]|$)/i;
/** Characters before an address that are read for what it is for. */
const BEFORE = 200;

/**
 * Takes the addresses out of a task. One that something is sent to has a word of sending before it, and a word
 * such as "to" right before it; or it is a web hook by its looks. All patterns are linear.
 */
export function readAddresses(task: string): Addresses {
  const pages = new Set<string>();
  let [webhook, email]: [string | undefined, string | undefined] = [undefined, undefined];
  let rest = task.replace(URLS, (found, at: number) => {
    const bare = withoutEnd(found);
    const url = URL.canParse(bare) ? new URL(bare).href : undefined;
    const before = task.slice(Math.max(0, at - BEFORE), at);
    if (url === undefined) return found;
    if (webhook === undefined && (TAKES_IN.test(url) || (SEND.test(before) && TOWARDS.test(before)))) {
      webhook = url;
    } else pages.add(url);
    return ` ${found.slice(bare.length)}`;
  });
  email = EMAIL.exec(rest)?.[0];
  if (email !== undefined) rest = rest.replace(email, ' ');
  rest = rest.replace(NAMES, (found) => {
    const bare = withoutEnd(found);
    if (!URL.canParse(`https://${bare}`)) return found;
    pages.add(new URL(`https://${bare}`).href);
    return ` ${found.slice(bare.length)}`;
  });
  return {
    pages: [...pages],
    ...(webhook !== undefined && { webhook }),
    ...(email !== undefined && { email }),
    rest,
  };
}

/** Without the marks of the sentence; a bracket that the address opened itself stays. */
function withoutEnd(url: string): string {
  const bare = url.replace(AFTER, '');
  return url[bare.length] === ')' && bare.includes('(') ? `${bare})` : bare;
}
