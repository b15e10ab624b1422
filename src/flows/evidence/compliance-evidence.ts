import type { Evidence, EvidencePart } from '../../compliance/types.ts';
import { AppError } from '../../errors.ts';
import type { Scan } from '../../security/types.ts';
import { type CheckContext, explainScopeError, monitorsOf, type ResolvedScope } from './compliance-scope.ts';
import { evidenceOfMonitor } from './monitor-evidence.ts';
import { evidenceOfScan, scanForEvidence } from './scan-evidence.ts';

const MAX_SCANS = 50;

/** Gathers the evidence of a repository, scan, monitor or `all`. Throws AppError. */
export async function gatherEvidence(
  scope: string,
  meant: ResolvedScope,
  ctx: CheckContext,
): Promise<Evidence> {
  if (meant.kind === 'all') return { scope: 'all', ...(await ofEverything(ctx)) };
  if (meant.kind === 'scan') return { scope, ...(await evidenceOfScan(meant.scan, ctx)) };
  if (meant.kind === 'monitor') {
    return { scope: meant.watched.id, ...evidenceOfMonitor(meant.watched, Date.now()) };
  }
  try {
    const { scan, part } = await scanForEvidence(meant.repository, ctx);
    return { scope: scan.request.repository, ...part };
  } catch (thrown) {
    ctx.signal.throwIfAborted();
    throw await explainScopeError(scope, thrown, ctx);
  }
}

async function ofEverything(ctx: CheckContext): Promise<EvidencePart> {
  const { caller, services } = ctx;
  const newest = new Map<string, Scan>();
  for (const scan of await (await services.security()).listScans(caller.id)) {
    const { repository } = scan.request;
    if (scan.state === 'completed' && newest.size < MAX_SCANS && !newest.has(repository))
      newest.set(repository, scan);
  }
  const parts = (await monitorsOf(ctx)).map((one) => evidenceOfMonitor(one, Date.now()));
  for (const scan of newest.values()) {
    ctx.progress(`reading what the scan of ${scan.request.repository} found`);
    parts.push(await evidenceOfScan(scan, ctx));
  }
  if (parts.length === 0) {
    throw new AppError(
      'bad_request',
      'scope is all, and there are no scans and no monitors yet: scan a repository or start a monitor first, or name a repository',
    );
  }
  return {
    subjects: parts.flatMap(({ subjects }) => subjects),
    findings: parts.flatMap(({ findings }) => findings),
    looks: parts.flatMap(({ looks }) => looks),
    practices: parts.flatMap(({ practices }) => practices),
    technologies: parts.flatMap(({ technologies = [] }) => technologies),
    judgements: parts.flatMap(({ judgements = [] }) => judgements),
  };
}
