import { z } from 'zod';
import { type CommandContext, defineCommand } from '../../command.ts';
import { AppError } from '../../errors.ts';
import type { Scan, ScanCounts } from '../../security/types.ts';
import { booleanFlag, choiceFlag } from '../flags.ts';
import { chooseScanFormat, printScan, SCAN_FORMATS } from './scan-output.ts';

export const listScans = defineCommand({
  name: 'scans',
  effect: ({ remove }) => (remove ? 'destroy' : 'read'),
  summary: 'Lists your scans, shows one again, or removes it.',
  description:
    'Lists your scans, the newest first, with how they ended and what was found. With an id it writes that scan ' +
    'again in any format, or removes it with --remove.',
  words: ['id'],
  input: z.object({
    id: z.string().min(1).max(100).optional().describe('Id of a scan.'),
    format: choiceFlag(SCAN_FORMATS).describe(
      `How the scan is written: ${SCAN_FORMATS.join(', ')}; table when left out, json with --json.`,
    ),
    remove: booleanFlag.describe('Removes the scan and its findings.'),
  }),
  examples: [
    ['magpie scans', 'all of them'],
    ['magpie scans 3f1c5f0a9b7d4e2a8c6b1d0e --format sarif', 'one of them, for another program'],
    ['magpie scans 3f1c5f0a9b7d4e2a8c6b1d0e --remove', 'forgets it'],
  ],
  async run({ id, format, remove }, ctx) {
    const { caller, services, print, json } = ctx;
    const written = chooseScanFormat(format, ctx);
    const room = await services.security();
    if (id === undefined && (remove || format !== undefined)) {
      throw new AppError(
        'bad_request',
        `${remove ? '--remove' : `--format ${format}`} takes the id of a scan: magpie scans lists them`,
      );
    }
    if (id !== undefined && remove) {
      await room.removeScan(caller.id, id);
      await print(json ? JSON.stringify({ removed: id }) : `The scan ${id} is removed.`);
    } else if (id !== undefined) {
      await printScan(await room.readScan(caller.id, id), written, ctx);
    } else await printList(await room.listScans(caller.id), ctx);
    return 'done';
  },
});

async function printList(scans: readonly Scan[], { print, json }: CommandContext): Promise<void> {
  if (json) return print(JSON.stringify(scans));
  if (scans.length === 0) return print('No scan is kept. magpie scan <repository> makes one.');
  for (const { id, state, createdAt, request, counts, reason, progress } of scans) {
    const { repository, branch } = request;
    const when = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
    const worst = counts ? countsText(counts) : (reason ?? progress?.message ?? '');
    await print(
      `${id}  ${when}  ${state.padEnd(9)}  ${repository}${branch ? ` at ${branch}` : ''}  ${worst}`,
    );
  }
}

function countsText({ suppressed, ...severities }: ScanCounts): string {
  const named = Object.entries(severities).filter(([, count]) => count > 0);
  const told = named.map(([name, count]) => `${count} ${name}`);
  if (suppressed > 0) told.push(`${suppressed} suppressed`);
  return told.join(', ') || 'nothing found';
}
