import { z } from 'zod';
import { handleComplianceChecks, runCheck } from '../src/flows/evidence/run-check.ts';
import { defineOperation } from '../src/operation.ts';
import {
  attestations,
  buildCheckAnswer,
  type ComplianceAnswer,
  comparedCheckParameter,
  complianceAnswer,
  complianceCheckPath,
  complianceScopeParameter,
  complianceText,
  jobAnswer,
  PREVIOUS_CHECK,
  standards,
} from './schemas/compliance.ts';

export const checkCompliance = defineOperation({
  name: 'checkCompliance',
  title: 'Check compliance',
  description:
    'Checks a repository, scan or monitor against standards such as PCI DSS, SOC 2 or NIS 2: ' +
    'which controls pass or fail. generateComplianceReport writes the report.',
  toolset: 'security',
  terse: 'output',
  essential: true,
  routes: ['POST /v1/compliance/check'],
  effect: 'read',
  openWorld: true,
  scope: 'scan',
  long: true,
  input: z.object({
    standards: standards.describe('Such as soc-2, or all'),
    scope: complianceScopeParameter.describe('Repository (URL, folder), scan_id, infrastructure_id, or all'),
    since: comparedCheckParameter,
    attestations,
  }),
  unlisted: ['since', 'attestations'],
  output: complianceAnswer,
  view: 'compliance',
  example: { standards: ['owasp-top-10', 'slsa'], scope: 'https://git.example/shop.git' },
  inFolders: ({ scope: asked }) => typeof asked === 'string' && /^(?:\.|\/|file:)/i.test(asked.trim()),
  async run(input, ctx) {
    // Reports an unknown check in `since` before the scan, which may take minutes.
    if (input.since !== undefined && input.since !== PREVIOUS_CHECK) {
      await (await ctx.services.compliance()).readCheck(ctx.caller.id, input.since);
    }
    const outcome = await runCheck(input, ctx);
    return 'job' in outcome ? jobAnswer(outcome.job) : buildCheckAnswer(outcome.assessment, input.since, ctx);
  },
  handleJobs: handleComplianceChecks,
  laterAt: ({ data: { check_id, status } }: ComplianceAnswer) =>
    status === 'running' ? complianceCheckPath(check_id) : undefined,
  stopJob: async ({ data: { check_id } }, { caller, services }) =>
    (await services.compliance()).removeCheck(caller.id, check_id),
  render: complianceText,
});
