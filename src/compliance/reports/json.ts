import { formatSeal, type ReportForm } from './report.ts';

export const jsonForm: ReportForm = {
  format: 'json',
  type: 'application/vnd.magpie.compliance+json',
  extension: 'json',
  async write({ assessment, key, comparison }) {
    const report = {
      kind: 'magpie-compliance-report',
      format: 2,
      seal: formatSeal(key),
      assessment,
      comparison,
    };
    return `${JSON.stringify(report, null, 1)}\n`;
  },
};
