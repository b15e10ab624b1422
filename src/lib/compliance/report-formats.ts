import files from './report-formats.json' with { type: 'json' };

export type ComplianceReportFormat = keyof typeof files;

/** JSON reports have their own type: other answers use `application/json`. `ending` comes after the dot. */
export const REPORT_FILES: Readonly<
  Record<ComplianceReportFormat, Readonly<Record<'name' | 'type' | 'ending', string>>>
> = files;

export const REPORT_FORMATS = Object.keys(files) as ComplianceReportFormat[];

export const reportFileName = (check: string, format: ComplianceReportFormat): string =>
  `compliance-${check}.${REPORT_FILES[format].ending}`;
