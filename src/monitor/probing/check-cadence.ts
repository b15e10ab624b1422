/** How often checks run: `watch` at the monitor's interval, `survey` and `scan` at configured intervals. */
export const CHECK_CADENCES = ['watch', 'survey', 'scan'] as const;
export type CheckCadence = (typeof CHECK_CADENCES)[number];
