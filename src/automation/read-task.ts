import { AppError } from '../errors.ts';
import { readAddresses } from './addresses.ts';
import { oneLine } from './fingerprint.ts';
import { limitIn, withoutLimits } from './numbers.ts';
import { type Draft, INTERVAL_MINUTES, MAX_PAGES } from './plan.ts';
import {
  APPEARS,
  BY_HOW_MUCH,
  CHANGE,
  COMMANDS,
  CONDITION,
  CONTAINS,
  EVERY_RUN,
  GONE,
  HEADINGS,
  KNOWLEDGE,
  LINKS,
  MAIL,
  NEWS,
  NO_WORD,
  NOTIFYING,
  PRICES,
  RHYTHM,
  SELECTOR,
  SEND,
  TAGS,
  WATCHING,
} from './task-words.ts';

/** A task as the rules read it. */
export interface Reading extends Draft {
  /** What the task is about, for the search when it names no page. */
  readonly subject: string;
  /** Parts of the task that no automation can do, whether rules or a model write its plan. */
  readonly notes: readonly string[];
  /** What the rules could not read. */
  readonly unread: readonly string[];
}

/** Something in the quotation marks of any language. */
const QUOTED = /["“”„«»`「『‹]([^"“”„«»`「」『』‹›]{1,200})["“”«»`」』›]/u;
const CONTAINED = new RegExp(
  `(?:${CONTAINS})\\s{0,3}(?:(?:the |a )?(?:words?|phrase)\\s{1,3})?(?!${NO_WORD})([\\p{L}\\p{N}][\\p{L}\\p{N}-]{1,60})`,
  'iu',
);
const APPEARING = new RegExp(
  `(?!${NO_WORD})(?<![\\p{L}\\p{N}.%@-])([\\p{L}\\p{N}][\\p{L}\\p{N}.%@-]{0,60})\\s(?:${APPEARS})`,
  'iu',
);
const HAS_CONTAINS = new RegExp(CONTAINS, 'iu');
/** A word in quotation marks to wait for: `watch it for "50% off"`. */
const WAITS_FOR = /(?<![\p{L}])(?:for|nach)\s{1,3}["“„«]/iu;
const OTHER_RHYTHM = new RegExp(RHYTHM, 'iu');
const EACH_RHYTHM = new RegExp(RHYTHM, 'giu');
/** What is to be done, in place of what it is about. */
const ORDERS = new RegExp(`${COMMANDS.source}|${SEND.source}|${KNOWLEDGE.source}`, 'giu');
const AMOUNT_OF_CHANGE = new RegExp(BY_HOW_MUCH, 'iu');
/** A selector without quotation marks: a class or an id, after a blank. */
const BARE_SELECTOR = /(?:^|\s)((?:[a-z][a-z0-9]{0,15})?[.#][a-z_][\w-]{0,60})(?=[\s,;:.!?]|$)/i;
/** The same where the task has no word for it: an element with a class or an id, `text of #main`, or `<h2>`. */
const PLAIN_SELECTOR = new RegExp(
  `(?<![\\w/.@-])((?:${TAGS})[.#][a-z_][\\w-]{0,60})(?![\\w(])|(?<!\\w)(?:text|content|inhalt|texte?) (?:of|from|von|de) (#[a-z_][\\w-]{0,60})|<(${TAGS})>`,
  'i',
);

/** Words of a query to the search. */
const MAX_SUBJECT_WORDS = 12;

/**
 * Reads a task by rules, without a model. AppError `bad_request` where it names more pages than one automation
 * takes, or wants mail and names no address.
 */
export function readTask(task: string): Reading {
  const { pages, webhook, email, others, rest } = readAddresses(oneLine(task));
  if (pages.length > MAX_PAGES) {
    throw new AppError(
      'bad_request',
      `q names ${pages.length} pages: one automation takes at most ${MAX_PAGES}; make several`,
    );
  }
  const selector = selectorIn(rest);
  const words = selector === undefined ? rest : rest.replace(selector, ' ');
  const send: Draft['send'] =
    webhook !== undefined
      ? { kind: 'webhook', url: webhook }
      : email !== undefined
        ? { kind: 'email', to: email }
        : { kind: KNOWLEDGE.test(words) ? 'knowledge' : 'platform' };
  if (send.kind !== 'email' && send.kind !== 'webhook' && MAIL.test(words)) {
    throw new AppError(
      'bad_request',
      'q asks for mail and names no address to write to: say it, as in "email ada@example.com when ..."',
    );
  }
  const when = whenIn(words);
  const [rhythm] = OTHER_RHYTHM.exec(words) ?? [];
  return {
    pages: [...pages],
    extract: selector !== undefined ? { kind: 'selector', selector } : { kind: kindIn(words) },
    when,
    send,
    subject: subjectOf(words),
    notes: [
      ...others.map(
        (other) =>
          `one automation sends to one place: nothing is sent to ${other}; create another automation for it`,
      ),
      ...(rhythm === undefined
        ? []
        : [
            `"${rhythm}" is not available: automations run every ${INTERVAL_MINUTES} minutes; the platform can change that`,
          ]),
    ],
    unread: unreadIn(words, when),
  };
}

function selectorIn(text: string): string | undefined {
  if (!SELECTOR.test(text)) {
    const [, element, id, tag] = PLAIN_SELECTOR.exec(text) ?? [];
    return element ?? id ?? tag;
  }
  const after = text.slice(SELECTOR.exec(text)?.index ?? 0);
  return (QUOTED.exec(after)?.[1] ?? BARE_SELECTOR.exec(text)?.[1])?.trim() || undefined;
}

function kindIn(text: string): 'text' | 'links' | 'prices' | 'headings' {
  if (PRICES.test(text)) return 'prices';
  if (LINKS.test(text)) return 'links';
  return HEADINGS.test(text) ? 'headings' : 'text';
}

function whenIn(text: string): Draft['when'] {
  if (AMOUNT_OF_CHANGE.test(text)) return { kind: 'change' };
  const limit = limitIn(text);
  if (limit) return limit;
  const word = wordIn(text);
  if (word !== undefined) return { kind: GONE.test(text) ? 'gone' : 'word', word };
  if (EVERY_RUN.test(text)) return { kind: 'always' };
  // "Tell me every hour" is at every run, and "tell me" alone when there is news.
  const news = CHANGE.test(text) || WATCHING.test(text) || (NOTIFYING.test(text) && !OTHER_RHYTHM.test(text));
  return { kind: news ? 'change' : 'always' };
}

function wordIn(text: string): string | undefined {
  const quoted = QUOTED.exec(text)?.[1]?.trim();
  const named = HAS_CONTAINS.test(text) || GONE.test(text) || WAITS_FOR.test(text);
  const appearing = APPEARING.exec(text);
  const isNews = appearing && NEWS.test(text.slice(0, appearing.index));
  const word = (named && quoted) || (!isNews && appearing?.[1]) || CONTAINED.exec(text)?.[1];
  return word && word.length <= 100 ? word : undefined;
}

function unreadIn(text: string, when: Draft['when']): string[] {
  if (AMOUNT_OF_CHANGE.test(text)) return ['amounts of change are not compared: it notifies of every change'];
  if (when.kind === 'below' || when.kind === 'above') {
    return when.value > 0 && /(?<![\p{L}\p{N}])[-−]\d/u.test(text)
      ? ['signs before numbers are not read: every number counts as positive']
      : [];
  }
  const guessed = when.kind === 'always' || (when.kind === 'change' && !CHANGE.test(text));
  if (!guessed || !CONDITION.test(text)) return [];
  const moment = when.kind === 'always' ? 'at every run: say "when it changes", ' : 'at every change: say ';
  return [
    `no condition was understood, so it notifies ${moment}'contains "..."', or below or above a number`,
  ];
}

function subjectOf(text: string): string {
  const about = withoutLimits(text)
    .replace(EACH_RHYTHM, ' ')
    .replace(ORDERS, ' ')
    .replace(/[^\p{L}\p{N}.+#-]+/gu, ' ');
  const words = about.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.slice(0, MAX_SUBJECT_WORDS).join(' ');
}
