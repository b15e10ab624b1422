import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import {
  buildCheckAnswer,
  comparedCheckParameter,
  complianceAnswer,
  complianceText,
  jobAnswer,
  PREVIOUS_CHECK,
} from './schemas/compliance.ts';

export const getComplianceCheck = defineOperation({
  name: 'getComplianceCheck',
  title: 'Read a compliance check',
  description: 'Returns whether a compliance check has finished, and how its controls stand.',
  toolset: 'security',
  terse: 'output',
  essential: true,
  routes: ['GET /v1/compliance/check/{check_id}'],
  effect: 'read',
  openWorld: false,
  scope: 'scan',
  input: z.object({
    check_id: z.string().trim().min(1).max(100).describe('From checkCompliance'),
    since: comparedCheckParameter,
  }),
  unlisted: ['since'],
  output: complianceAnswer,
  view: 'compliance',
  example: { check_id: '3f1c5f0a9b7d4e2a8c6b1d0e' },
  async run({ check_id, since: earlier }, ctx) {
    const room = await ctx.services.compliance();
    if (earlier !== undefined && earlier !== PREVIOUS_CHECK) await room.readCheck(ctx.caller.id, earlier);
    const job = await room.readJob(ctx.caller.id, check_id);
    return job
      ? jobAnswer(job)
      : buildCheckAnswer(await room.readCheck(ctx.caller.id, check_id), earlier, ctx);
  },
  render: complianceText,
});
