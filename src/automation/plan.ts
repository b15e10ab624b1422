import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ }).max(2000);

/** What is extracted from a page. */
export const extract = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['text', 'links', 'prices', 'headings']) }),
  z.object({ kind: z.literal('selector'), selector: z.string().min(1).max(200) }),
]);

/** When to send: at every run, or when this becomes true. */
export const when = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['always', 'change']) }),
  z.object({ kind: z.enum(['word', 'gone']), word: z.string().min(1).max(100) }),
  z.object({ kind: z.enum(['below', 'above']), value: z.number().min(-1e12).max(1e12) }),
]);

/** Where it is sent; `platform` leaves it in the platform's own record of runs. */
export const send = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['platform', 'knowledge']) }),
  z.object({ kind: z.literal('webhook'), url: address }),
  z.object({ kind: z.literal('email'), to: z.email().max(254) }),
]);

/** Most pages of one automation. */
export const MAX_PAGES = 10;

/** What an automation is to do, as the rules or a model wrote it. Without pages, a search has to find one. */
export const draft = z.object({
  pages: z.array(address).max(MAX_PAGES),
  extract,
  when,
  send,
});
export type Draft = z.output<typeof draft>;

/** A draft whose pages are known. */
export interface Plan extends Draft {
  /** The user's own words, on one line. */
  readonly task: string;
}

/** Minutes between two runs: the contract's. */
export const INTERVAL_MINUTES = 15;

/** The plan in words, a line each. */
export function inWords({ pages, extract: what, when: then, send: to }: Plan): string[] {
  return [
    `pages: ${pages.join(' ')}`,
    `takes: ${what.kind === 'selector' ? `what matches ${what.selector}` : what.kind}`,
    `notifies: ${whenInWords(then, what.kind === 'prices' ? 'a price' : 'a number')}`,
    `sends to: ${sendInWords(to)}`,
    `runs: every ${INTERVAL_MINUTES} minutes`,
  ];
}

function whenInWords(then: Draft['when'], number: string): string {
  if (then.kind === 'word') return `when ${JSON.stringify(then.word)} appears`;
  if (then.kind === 'gone') return `when ${JSON.stringify(then.word)} disappears`;
  if ('value' in then) return `when ${number} goes ${then.kind} ${then.value}`;
  return then.kind === 'always' ? 'at every run' : 'when it has changed';
}

function sendInWords(to: Draft['send']): string {
  if (to.kind === 'webhook') return to.url;
  if (to.kind === 'email') return to.to;
  return to.kind === 'knowledge'
    ? 'the knowledge base'
    : 'the platform only, which keeps its runs; name an e-mail address or a web hook to be notified';
}
