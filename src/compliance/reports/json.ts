import { formatSeal, type ReportData } from './report.ts';

export async function writeJsonReport({ assessment, key, comparison }: ReportData): Promise<string> {
  const report = {
    kind: 'magpie-compliance-report',
    format: 2,
    seal: formatSeal(key),
    assessment,
    comparison,
  };
  return `${JSON.stringify(report, null, 1)}\n`;
}
