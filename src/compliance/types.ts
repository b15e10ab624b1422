/** What tools, flows, commands and the server know of this room: types alone. */

export type {
  Assessment,
  AssessmentName,
  ControlResult,
  StandardResult,
  Status,
  StatusCounts,
} from './assessment.ts';
export type { Compliance, ComplianceOptions, Gather, Report } from './compliance.ts';
export type { Job } from './job.ts';
