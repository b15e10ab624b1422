import { isAbsolute } from 'node:path';
import type { AttestationsFileResult, EvidencePart } from '../../compliance/types.ts';
import { asAppError } from '../../errors.ts';
import { describeUnscannedLanguages } from '../../lib/unscanned-languages.ts';
import type { Scan, ScanReport, Tree } from '../../security/types.ts';
import { getFolderScanTerms, resolveRepository } from '../client-folders.ts';
import type { ComplianceCheckContext } from './compliance-scope.ts';

interface TreeSeen {
  readonly practices: EvidencePart['practices'];
  readonly attestations?: AttestationsFileResult | undefined;
  readonly technologies?: EvidencePart['technologies'];
  readonly unread?: readonly string[];
  readonly trouble?: string;
}

const SHALLOW: Readonly<Record<string, string>> = {
  secrets: 'the history, since the scan is not a deep one',
  source: 'data flows between functions, since the scan is not a deep one',
};

const ABOUT: Readonly<Record<string, string>> = {
  history: 'secrets',
  languages: 'source',
  links: 'dependencies',
  lockfiles: 'dependencies',
  'unread-configuration': 'infrastructure',
  advisories: 'dependencies',
};
const ABOUT_ALL_CODE: ReadonlySet<string> = new Set(
  'large-files limits unreadable submodules lfs links languages unread-code'.split(' '),
);
const UNKNOWN = 'whether it has code in languages that are not read is not known';
const NOTHING_KNOWN = 'advisories';

export async function scanForEvidence(
  named: string,
  ctx: ComplianceCheckContext,
): Promise<{ scan: Scan; part: EvidencePart }> {
  const repository = resolveRepository(named, ctx);
  const { caller, services, signal, progress } = ctx;
  let seen: TreeSeen = { practices: [], trouble: 'the scan ended before they were checked' };
  const scan = await (await services.security()).scan(
    caller.id,
    { repository, deep: true, dependencies: true },
    {
      ...getFolderScanTerms(ctx),
      async use(tree, stop) {
        progress('reading the practices of the repository');
        seen = await readTree(tree, repository, ctx, stop);
      },
    },
    { signal, progress: ({ message }) => progress(message) },
  );
  return { scan, part: await partOf(scan, seen, ctx) };
}

export async function evidenceOfScan(scan: Scan, ctx: ComplianceCheckContext): Promise<EvidencePart> {
  return partOf(scan, await readCommit(scan, ctx), ctx);
}

async function readCommit({ request, report }: Scan, ctx: ComplianceCheckContext): Promise<TreeSeen> {
  const { caller, services, signal } = ctx;
  const commit = report?.commit;
  if (commit === undefined) {
    const why = `${request.repository} is not under git, so that what it held at the scan is not known`;
    return { practices: [], trouble: `${why}: check it by its path` };
  }
  const asked = { repository: request.repository, branch: commit, deep: request.deep };
  const terms = getFolderScanTerms(ctx);
  try {
    const security = await services.security();
    return await security.readTree(caller.id, asked, terms, signal, async (tree, stop) => {
      if (tree.commit !== commit) throw new Error('a branch has the name of the commit');
      return readTree(tree, request.repository, ctx, stop);
    });
  } catch (thrown) {
    signal.throwIfAborted();
    const why = asAppError(thrown).message;
    return { practices: [], trouble: `the scan's commit ${commit} cannot be read: ${why}` };
  }
}

async function readTree(
  tree: Tree,
  subject: string,
  ctx: ComplianceCheckContext,
  signal: AbortSignal,
): Promise<TreeSeen> {
  const byPath = new Map(tree.files.map((file) => [file.path, file]));
  try {
    const commits = await tree.signatures?.(signal);
    const view = {
      files: [...byPath.keys()],
      async read(path: string) {
        const file = byPath.get(path);
        return file && new TextDecoder().decode(await tree.read(file));
      },
      commits,
    };
    const compliance = await ctx.services.compliance();
    const practices = await compliance.readPractices(view, subject, Date.now());
    const content = async (path: string) => {
      const file = byPath.get(path);
      return file && tree.read(file);
    };
    const attestations = await compliance.readAttestations(subject, content, signal);
    const technologies = await compliance.readTechnologies({ subject, files: tree.files, content }, signal);
    return { practices, attestations, technologies, unread: describeUnscannedLanguages(byPath.keys()) };
  } catch (thrown) {
    signal.throwIfAborted();
    return { practices: [], trouble: asAppError(thrown).message };
  }
}

async function partOf(
  scan: Scan,
  seen: TreeSeen,
  { caller, services }: ComplianceCheckContext,
): Promise<EvidencePart> {
  const { id, request, report, endedAt = 0 } = scan;
  const security = await services.security();
  const [findings, vulnerabilities, components] = await Promise.all([
    security.listFindings(caller.id, id),
    security.listVulnerabilities(caller.id, id),
    security.listComponents(caller.id, id),
  ]);
  const subject = request.repository;
  const practices =
    seen.trouble === undefined
      ? []
      : [{ what: 'practice', subject, at: endedAt, ok: false, why: seen.trouble }];
  return {
    subjects: [
      {
        name: subject,
        kind: 'repository',
        // The folder was scanned with uncommitted changes, which `commit` does not include.
        from: `scan ${id}${isAbsolute(subject) && request.branch === undefined ? ' of the folder as it stood, committed or not' : ''}`,
        commit: report?.commit,
      },
    ],
    findings: findings.map((finding, at) => ({
      rule: finding.package ? 'dependencies/vulnerability' : finding.id,
      id: finding.id,
      severity: finding.severity,
      cwe: finding.cwe ?? [],
      title: finding.title,
      fix: finding.fix,
      location: vulnerabilities[at]?.location ?? finding.path,
      fingerprint: finding.fingerprint,
      subject,
      // A finding that only the baseline suppresses was not accepted by a person.
      accepted:
        finding.suppressed && finding.suppressed.by !== 'baseline' ? finding.suppressed.reason : undefined,
    })),
    looks: [
      ...(report?.scanners ?? []).map((scanner) => runOf(scanner, scan, seen, components.length)),
      ...practices,
      ...judgementsOf(seen, subject, endedAt),
    ],
    practices: seen.practices.map((one) => ({ ...one, subject })),
    // Technologies are unknown if some files were not read.
    technologies: report?.gaps?.some(({ kind }) => ABOUT_ALL_CODE.has(kind)) ? [] : (seen.technologies ?? []),
    judgements: seen.attestations?.attestations ?? [],
  };
}

function judgementsOf({ attestations }: TreeSeen, subject: string, at: number): EvidencePart['looks'] {
  if (!attestations) return [];
  const { attestations: all, trouble } = attestations;
  return [{ what: 'attestations', subject, at, ok: trouble === undefined, why: trouble, items: all.length }];
}

function splitCode(gaps: ScanReport['gaps'] = []): [ReadonlySet<string>, NonNullable<ScanReport['gaps']>] {
  const isCode = ({ kind }: { readonly kind: string }) => kind === 'unread-code';
  return [new Set(gaps.filter(isCode).map(({ what }) => what)), gaps.filter((one) => !isCode(one))];
}

function runOf(
  { name, ok, reason, files }: ScanReport['scanners'][number],
  { request, report, endedAt = 0 }: Scan,
  seen: TreeSeen,
  packages: number,
): EvidencePart['looks'][number] {
  // Leaves out gaps of kind `unread-code`, because `seen.unread` has newer information about them.
  const [code, about] = splitCode(report?.gaps ?? []);
  const gaps = about.filter(({ kind }) => (ABOUT[kind] ?? name) === name);
  const unread = name === 'source' ? (seen.unread ?? [UNKNOWN]) : [];
  const left =
    gaps.length > 0 ? gaps.map(({ what }) => what) : (report?.left ?? []).filter((what) => !code.has(what));
  const shallow = request.deep ? undefined : SHALLOW[name];
  const why = ok ? [...(shallow ? [shallow] : []), ...left, ...unread].join('; ') : reason;
  const partly = gaps.length + unread.length > 0 || (name === 'source' && shallow !== undefined);
  return {
    what: name,
    subject: request.repository,
    at: endedAt,
    ok: ok && !gaps.some(({ kind }) => kind === NOTHING_KNOWN),
    partly: partly || undefined,
    why: why || undefined,
    items: name === 'dependencies' ? packages : files,
    deep: (request.deep && name in SHALLOW) || undefined,
  };
}
