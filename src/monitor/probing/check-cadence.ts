/** How often checks run: `watch` at the monitor's interval, others at intervals that the operator sets. */
export const CHECK_CADENCES = ['watch', 'survey', 'scan'] as const;
export type CheckCadence = (typeof CHECK_CADENCES)[number];
