import { isCountedFinding } from '../assessing/assess.ts';
import * as oscal from './oscal.ts';
import type { ReportData } from './report.ts';
import { formatRiskRow, groupRisks } from './risks.ts';

/** Writes what has to be corrected: problems, failed controls without a finding, and exceptions with their end. */
export async function writeOscalPlan(matter: ReportData): Promise<string> {
  const { id, scope, standards, findings, subjects } = matter.assessment;
  const uuid = (what: string) => oscal.computeOscalUuid(id, `plan ${what}`);
  const problems = groupRisks(standards, findings.filter(isCountedFinding), subjects.length > 1)
    .filter(({ controls }) => controls.length > 0)
    .map((risk) => {
      const [severity, title = '', where, fix = '', controls] = formatRiskRow(risk);
      return { title, why: `${severity}: ${where}. Against ${controls}.`, fix };
    });
  const failed = standards.flatMap(({ standard, controls }) =>
    controls
      .filter(({ status, found }) => status === 'fail' && found === 0)
      .map((one) => ({ title: `${standard.id} ${one.id} ${one.title}`, why: one.reason, fix: '' })),
  );
  const open = [...problems, ...failed].map(({ title, why, fix }, at) => ({
    ...oscal.describeOscal(uuid(`risk ${at}`), title, why),
    statement: oscal.formatOscalLine(why),
    status: 'open',
    remediations: fix
      ? [{ ...oscal.describeOscal(uuid(`fix ${at}`), 'What to do', fix), lifecycle: 'recommendation' }]
      : undefined,
  }));
  const excepted = standards.flatMap(({ standard, controls }) =>
    oscal.listOscalExceptions(matter.assessment, standard.id, controls),
  );
  // Judgements are observations of the results, and not of this document.
  const risks = [...open, ...excepted.map((one) => ({ ...one, 'related-observations': undefined }))];
  const items = risks.map(({ uuid: risk, title, description }) => ({
    ...oscal.describeOscal(uuid(`item ${risk}`), title, description),
    'related-risks': [{ 'risk-uuid': risk }],
  }));
  const system = { 'identifier-type': 'http://ietf.org/rfc/rfc4122', id: oscal.computeOscalUuid('', scope) };
  // OSCAL's schema demands an item.
  const nothing = oscal.describeOscal(uuid('nothing'), 'Nothing to correct', 'No control failed.');
  return oscal.writeOscal({
    'plan-of-action-and-milestones': {
      uuid: uuid('document'),
      metadata: oscal.createOscalMetadata(matter, 'Plan of action and milestones of'),
      'system-id': system,
      risks,
      'poam-items': items.length > 0 ? items : [nothing],
    },
  });
}
