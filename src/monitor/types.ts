export type { MonitorDescription, MonitorHistoryDescription, MonitorSummary } from './describe-monitor.ts';
export type { MonitorService } from './monitor.ts';
export type * from './service-types.ts';
