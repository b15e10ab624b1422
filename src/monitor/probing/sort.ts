/** How often a check runs: `watch` at the monitor's own interval, `survey` and `scan` at longer ones of the operator's. */
export const SORTS = ['watch', 'survey', 'scan'] as const;
export type Sort = (typeof SORTS)[number];
