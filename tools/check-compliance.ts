import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import { gatherEvidence } from './compliance-evidence.ts';
import {
  answerOf,
  complianceAnswer,
  complianceText,
  PREVIOUS,
  scope,
  standards,
} from './compliance-schema.ts';

export const checkCompliance = defineOperation({
  name: 'checkCompliance',
  title: 'Check compliance',
  description:
    'Holds a repository (it is scanned), scans or monitors against standards such as pci-dss or soc-2.',
  toolset: 'security',
  essential: true,
  routes: ['POST /v1/compliance/check'],
  effect: 'read',
  openWorld: true,
  scope: 'scan',
  long: true,
  input: z.object({
    standards: standards.describe('Names, or all'),
    scope: scope.describe('Repository, scan_id, infrastructure_id, all'),
    since: z.string().max(100).optional().describe('Earlier check_id to compare with, or previous'),
  }),
  unlisted: ['since'],
  output: complianceAnswer,
  example: { standards: ['owasp-top-10', 'slsa'], scope: 'https://git.example/shop.git' },
  async run(input, ctx) {
    const { caller, services, progress } = ctx;
    const room = await services.compliance();
    // Before the scan, which may take minutes.
    const ids = room.idsOf(input.standards);
    if (input.since !== undefined && input.since !== PREVIOUS) room.get(caller.id, input.since);
    const evidence = await gatherEvidence(input.scope, ctx);
    progress('holding what was found against the standards');
    return answerOf(await room.check(caller.id, ids, evidence), input.since, ctx);
  },
  render: complianceText,
});
