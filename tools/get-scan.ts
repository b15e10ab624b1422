import { z } from 'zod';
import { defineOperation, optional } from '../src/operation.ts';
import { buildScanAnswer, SCAN_MEDIA_TYPES, scanAnswer, severity, writeScanReport } from './schemas/scan.ts';
import { scanText } from './schemas/scan-text.ts';

export const getScan = defineOperation({
  name: 'getScan',
  title: 'Read a security scan',
  description: 'Returns whether a scan has finished, and its findings, the worst first.',
  toolset: 'security',
  hasLargeAnswer: true,
  terse: 'output',
  essential: true,
  routes: ['GET /v1/scan/{scan_id}'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  types: SCAN_MEDIA_TYPES,
  input: z.object({
    scan_id: z.string().trim().min(1).max(100).describe('From scan'),
    severity,
    offset: optional(z.int().min(0).max(1_000_000), 'Findings to skip: next_offset of the last answer'),
    limit: optional(z.int().min(1).max(10_000), 'Findings. Default 25'),
  }),
  output: scanAnswer,
  view: 'findings',
  example: { scan_id: '3f1c5f0a9b7d4e2a8c6b1d0e' },
  async run({ scan_id, ...page }, ctx) {
    const room = await ctx.services.security();
    return buildScanAnswer(await room.readScan(ctx.caller.id, scan_id), page, ctx);
  },
  write: writeScanReport,
  render: scanText,
});
