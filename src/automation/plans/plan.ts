import { z } from 'zod';
import { conditionSchema, whenInWords } from '../reading/condition.ts';
import { runsInWords, runsSchema, USUAL_RUNS } from './schedule.ts';

export { RUN_INTERVAL_MINUTES as DEFAULT_INTERVAL_MINUTES } from './schedule.ts';

const address = z.url({ protocol: /^https?$/ }).max(2000);

/** What to extract. `prices` means the price of the page's product, or all prices with `all`. */
export const planExtractionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['text', 'links', 'headings', 'title', 'items']) }),
  z.object({
    kind: z.literal('prices'),
    all: z.boolean().optional(),
    of: z.string().min(1).max(100).optional(),
  }),
  z.object({ kind: z.literal('selector'), selector: z.string().min(1).max(200) }),
]);

export const planDeliverySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['platform', 'knowledge']) }),
  z.object({ kind: z.literal('webhook'), url: address }),
  z.object({ kind: z.literal('email'), to: z.email().max(254) }),
]);

export const MAX_PLAN_PAGES = 10;

export const draftSchema = z.object({
  pages: z.array(address).max(MAX_PLAN_PAGES),
  extract: planExtractionSchema,
  when: conditionSchema,
  send: planDeliverySchema,
  runs: runsSchema.optional(),
});
export type PlanDraft = z.output<typeof draftSchema>;

export interface AutomationPlan extends PlanDraft {
  readonly task: string;
}

export function describePlan(plan: AutomationPlan): string[] {
  const { pages, extract: what, when: then, send: to, runs: times = USUAL_RUNS } = plan;
  return [
    `pages: ${pages.join(' ')}`,
    `takes: ${extractInWords(what)}`,
    `notifies: ${whenInWords(then, what.kind === 'prices' ? (what.all ? 'a price' : 'the price') : 'a number')}`,
    `sends to: ${sendInWords(to)}`,
    `runs: ${runsInWords(times)}`,
  ];
}

function extractInWords(what: PlanDraft['extract']): string {
  if (what.kind === 'selector') return `what matches ${what.selector}`;
  if (what.kind === 'title') return "the page's title";
  if (what.kind === 'items') return 'the items of its feed or list';
  if (what.kind !== 'prices') return what.kind;
  if (what.of !== undefined) return `the price of ${JSON.stringify(what.of)}`;
  return what.all ? 'all prices' : "the product's price";
}

function sendInWords(to: PlanDraft['send']): string {
  if (to.kind === 'webhook') return to.url;
  if (to.kind === 'email') return to.to;
  return to.kind === 'knowledge'
    ? 'the knowledge base'
    : 'the platform only, which keeps its runs; name an e-mail address or a web hook to be notified';
}
