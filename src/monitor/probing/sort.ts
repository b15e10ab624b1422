/** How often a check runs: `watch` at the monitor's interval, `survey` and `scan` at longer ones that the operator sets. */
export const SORTS = ['watch', 'survey', 'scan'] as const;
export type Sort = (typeof SORTS)[number];
