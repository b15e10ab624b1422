/** `watch` runs at the monitor's interval, `survey` and `scan` at intervals that the operator sets. */
export const CHECK_CADENCES = ['watch', 'survey', 'scan'] as const;
export type CheckCadence = (typeof CHECK_CADENCES)[number];
