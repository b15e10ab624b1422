import { z } from 'zod';
import { defineOperation } from '../src/operation.ts';
import {
  answerOf,
  CYCLONEDX,
  SARIF,
  type ScanAnswer,
  scanAnswer,
  severity,
  writeScan,
} from './schemas/scan.ts';
import { scanText } from './schemas/scan-text.ts';

export const scan = defineOperation({
  name: 'scan',
  title: 'Scan a repository for vulnerabilities',
  description:
    'Check or audit the source code of a git or GitHub repository for security holes: leaked passwords and API ' +
    'keys, insecure code, vulnerable dependencies. Nothing in it is run. getScan returns more findings.',
  toolset: 'security',
  essential: true,
  routes: ['POST /v1/scan'],
  effect: 'read',
  openWorld: true,
  scope: 'scan',
  long: true,
  types: [SARIF, CYCLONEDX],
  input: z.object({
    repository: z.string().trim().min(1).max(2000).describe('Git URL, or an allowed folder'),
    branch: z.string().trim().min(1).max(250).optional().describe('Branch, tag or commit'),
    options: z
      .object({
        deep_scan: z.boolean().optional().describe('Data flow, and the whole history: slower'),
        include_dependencies: z.boolean().optional().describe('Lockfiles, against known advisories'),
      })
      .optional(),
    severity,
    baseline: z.string().max(100).optional().describe('scan_id whose findings do not count'),
    background: z.boolean().optional().describe('Answer at once; ask getScan later'),
  }),
  output: scanAnswer,
  example: { repository: 'https://git.example/shop.git', options: { deep_scan: false } },
  async run({ repository, branch, options = {}, baseline, background, ...page }, ctx) {
    const { caller, services, wishes, signal, progress } = ctx;
    const room = await services.security();
    const request = {
      repository,
      deep: options.deep_scan === true,
      dependencies: options.include_dependencies === true,
      branch,
    };
    const terms = {
      anyFolder: caller.via === 'cli',
      baseline: baseline !== undefined ? await room.baselineOfScan(caller.id, baseline) : undefined,
    };
    if (background || wishes.later)
      return answerOf(await room.startScan(caller.id, request, terms), page, ctx);
    const watch = { signal, progress: ({ message }: { message: string }) => progress(message) };
    return answerOf(await room.scan(caller.id, request, terms, watch), page, ctx);
  },
  laterAt: ({ data: { scan_id, status } }: ScanAnswer) =>
    status === 'queued' || status === 'running' ? `/v1/scan/${scan_id}` : undefined,
  write: writeScan,
  render: scanText,
});
