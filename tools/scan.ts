import { z } from 'zod';
import { badRequestError, forbiddenError } from '../src/errors.ts';
import { getFolderScanTerms, mayBeFolder, resolveRepository } from '../src/flows/client-folders.ts';
import { describeRepositoryOnlyOptions } from '../src/lib/repository-only-options.ts';
import { defineOperation, optional } from '../src/operation.ts';
import type { Contents } from '../src/security/types.ts';
import {
  buildScanAnswer,
  SCAN_MEDIA_TYPES,
  type ScanAnswer,
  scanAnswer,
  severity,
  writeScanReport,
} from './schemas/scan.ts';
import { scanText } from './schemas/scan-text.ts';

const input = z.object({
  repository: optional(z.string().trim().min(1).max(2000), 'Git URL, or a local folder such as .'),
  text: optional(z.string().min(1).max(2_000_000), 'Code instead'),
  file: optional(z.string().trim().min(1).max(500), 'Name of text, such as app.py'),
  package: optional(z.string().trim().min(1).max(500), 'Such as npm lodash@4.17.20'),
  agents: optional(z.boolean(), "Scan this machine's assistants"),
  branch: optional(z.string().trim().min(1).max(250), 'Branch, tag or commit'),
  options: z
    .object({
      deep_scan: optional(z.boolean(), 'Also data flow and history; slow'),
      include_dependencies: optional(z.boolean(), 'Also known holes in dependencies'),
    })
    .optional(),
  severity,
  baseline: optional(z.string().max(100), 'scan_id of an earlier scan whose findings are left out'),
  background: optional(z.boolean(), 'Answer at once; read it with getScan'),
});

export const scan = defineOperation({
  name: 'scan',
  title: 'Scan for vulnerabilities',
  description:
    'Scans a repository, folder, text or package for leaked keys, insecure code and vulnerable ' +
    'dependencies, and returns the worst with fixes. getScan returns more; use checkCompliance ' +
    'for standards.',
  toolset: 'security',
  essential: true,
  routes: ['POST /v1/scan'],
  effect: 'read',
  openWorld: true,
  scope: 'scan',
  long: ({ background }) => background !== true,
  types: SCAN_MEDIA_TYPES,
  input,
  unlisted: ['baseline'],
  output: scanAnswer,
  view: 'findings',
  example: { repository: 'https://git.example/shop.git', options: { deep_scan: false } },
  inFolders: ({ repository, text, package: named }) =>
    text === undefined && named === undefined && mayBeFolder(repository),
  async run(asked, ctx) {
    const { repository, branch, options = {}, baseline, background } = asked;
    const { caller, services, wishes, signal, progress } = ctx;
    const contents = contentsOf(asked);
    if (asked.agents && caller.via === 'http') throw forbiddenError(NOT_OF_SERVER);
    const isElsewhere = contents !== undefined || asked.agents === true;
    const place = isElsewhere ? '' : resolveRepository(repository, ctx);
    const room = await services.security();
    const request = {
      repository: place,
      // A text is always scanned deeply, because it has no git history that would take long.
      deep: contents ? 'text' in contents : options.deep_scan === true,
      dependencies: contents ? 'package' in contents : options.include_dependencies === true,
      branch,
    };
    const terms = {
      ...getFolderScanTerms(ctx),
      contents,
      assistantsIn: asked.agents ? ctx.folders : undefined,
      baseline: baseline !== undefined ? await room.baselineOfScan(caller.id, baseline) : undefined,
    };
    if (background || wishes.later)
      return buildScanAnswer(await room.startScan(caller.id, request, terms), asked, ctx);
    const watch = { signal, progress: ({ message }: { message: string }) => progress(message) };
    return buildScanAnswer(await room.scan(caller.id, request, terms, watch), asked, ctx);
  },
  laterAt: ({ data: { scan_id, status } }: ScanAnswer) =>
    status === 'queued' || status === 'running' ? `/v1/scan/${scan_id}` : undefined,
  stopJob: async ({ data: { scan_id } }, { caller, services }) =>
    (await services.security()).removeScan(caller.id, scan_id),
  write: writeScanReport,
  render: scanText,
});

const NOT_OF_SERVER =
  "agents reads the home folder of who runs Magpie, so no server does it for its callers: run `magpie scan --agents` on the assistants' machine";

function contentsOf({
  repository,
  text,
  file,
  agents,
  package: named,
  branch,
  options = {},
}: z.output<typeof input>): Contents | undefined {
  const given = Object.entries({ repository, text, package: named, agents: agents || undefined }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name]),
  );
  if (given.length > 1) {
    throw badRequestError(
      `scan takes one of repository, text, package and agents: ${given.join(' and ')} are given`,
    );
  }
  if (file !== undefined && text === undefined) {
    throw badRequestError('file is the name of text, which is not given');
  }
  if (text === undefined && named === undefined && !agents) return undefined;
  const problem = describeRepositoryOnlyOptions(
    agents ? 'agents' : text !== undefined ? 'a text' : 'a package',
    {
      branch,
      'options.deep_scan': options.deep_scan,
      'options.include_dependencies': options.include_dependencies,
    },
  );
  if (problem !== undefined) throw badRequestError(problem);
  if (agents) return undefined;
  return text !== undefined ? { text, file } : { package: named ?? '' };
}
