import type { ReportForm } from '../report.ts';

/** All of a check with its seal: what the other forms are written from, and what can be verified whole. */
export const jsonForm: ReportForm = {
  format: 'json',
  type: 'application/vnd.magpie.compliance+json',
  extension: 'json',
  async write({ assessment, seal, comparison }) {
    const report = {
      kind: 'magpie-compliance-report',
      format: 1,
      assessment,
      seal,
      comparison,
    };
    return `${JSON.stringify(report, null, 1)}\n`;
  },
};
