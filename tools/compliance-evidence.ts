import { AppError, asAppError } from '../src/errors.ts';
import type { Context } from '../src/operation.ts';

type Room<Name extends 'compliance' | 'security' | 'monitor'> = Awaited<
  ReturnType<Context['services'][Name]>
>;
export type Evidence = Parameters<Room<'compliance'>['check']>[2];
type Scan = ReturnType<Room<'security'>['get']>;
type Watched = ReturnType<Room<'monitor'>['get']>;
type Part = Omit<Evidence, 'scope'>;

/** Scans that `all` goes by: the newest of each repository, the newest first. */
const SCANS = 50;
const SCAN_ID = /^[0-9a-f]{24}$/;
const NOTHING: Part = { subjects: [], findings: [], looks: [], practices: [] };

/**
 * All that is known of a scope: a repository is scanned for it, a scan's id stands for what that scan found, the id of
 * what is watched for what its monitor found, and `all` for everything of the caller's. AppError as the scan throws it;
 * `bad_request` for a scan that has not completed, or where there is nothing to go by.
 */
export async function gatherEvidence(scope: string, ctx: Context): Promise<Evidence> {
  const { caller, services, signal, progress } = ctx;
  const security = await services.security();
  if (scope === 'all') return { scope, ...(await ofEverything(ctx)) };
  if (SCAN_ID.test(scope)) {
    const scan = security.get(caller.id, scope);
    if (scan.state === 'completed') return { scope, ...(await ofScan(scan, ctx)) };
    throw new AppError(
      'bad_request',
      `the scan ${scope} is ${scan.state}: scope takes one that has completed`,
    );
  }
  const watched = (await services.monitor()).list(caller.id).find(({ id }) => id === scope);
  if (watched) return { scope, ...ofMonitor(watched) };
  const request = { repository: scope, deep: true, dependencies: true };
  const watch = { signal, progress: ({ message }: { message: string }) => progress(message) };
  const scan = await security.scan(caller.id, request, { anyFolder: caller.via === 'cli' }, watch);
  return { scope: scan.request.repository, ...(await ofScan(scan, ctx)) };
}

async function ofEverything(ctx: Context): Promise<Part> {
  const { caller, services } = ctx;
  const newest = new Map<string, Scan>();
  for (const scan of (await services.security()).list(caller.id)) {
    const { repository } = scan.request;
    if (scan.state === 'completed' && newest.size < SCANS && !newest.has(repository))
      newest.set(repository, scan);
  }
  const parts = (await services.monitor()).list(caller.id).map(ofMonitor);
  for (const scan of newest.values()) {
    ctx.progress(`reading what the scan of ${scan.request.repository} found`);
    parts.push(await ofScan(scan, ctx));
  }
  if (parts.length === 0) {
    throw new AppError(
      'bad_request',
      'scope is all, and nothing was scanned or watched yet: scan a repository or start a monitor first, or name a repository',
    );
  }
  return {
    subjects: parts.flatMap(({ subjects }) => subjects),
    findings: parts.flatMap(({ findings }) => findings),
    looks: parts.flatMap(({ looks }) => looks),
    practices: parts.flatMap(({ practices }) => practices),
  };
}

async function ofScan({ id, request, report, endedAt = 0 }: Scan, ctx: Context): Promise<Part> {
  const { caller, services } = ctx;
  const security = await services.security();
  const subject = request.repository;
  // The contract's shape has the place in words; the package is known by the finding alone.
  const told = security.vulnerabilities(caller.id, id);
  const findings = security.findings(caller.id, id).map((finding, at) => ({
    rule: finding.package ? 'dependencies/vulnerability' : finding.id,
    id: finding.id,
    severity: finding.severity,
    cwe: finding.cwe ?? [],
    title: finding.title,
    fix: finding.fix,
    location: told[at]?.location ?? finding.path,
    fingerprint: finding.fingerprint,
    subject,
    // What was known before is no less a fault for that.
    ...(finding.suppressed &&
      finding.suppressed.by !== 'baseline' && { accepted: finding.suppressed.reason }),
  }));
  const seen = await lookAtTree(request, ctx);
  const left = report?.left.join('; ');
  const looks = (report?.scanners ?? []).map(({ name, ok, reason }) => {
    const items =
      name === 'dependencies' ? security.components(caller.id, id).length : seen.searched.get(name);
    const why = ok ? left : reason;
    return {
      what: name,
      subject,
      at: endedAt,
      ok,
      ...(why && { why }),
      ...(items !== undefined && { items }),
    };
  });
  const practices =
    seen.trouble === undefined
      ? []
      : [{ what: 'practice', subject, at: endedAt, ok: false, why: seen.trouble }];
  return {
    subjects: [
      {
        name: subject,
        kind: 'repository',
        from: `scan ${id}`,
        ...(report?.commit && { commit: report.commit }),
      },
    ],
    findings,
    looks: [...looks, ...practices],
    practices: seen.practices,
  };
}

interface TreeSeen {
  readonly practices: Evidence['practices'];
  /** Files that each scanner searches. */
  readonly searched: ReadonlyMap<string, number>;
  /** Why the tree could not be looked at. */
  readonly trouble?: string;
}

async function lookAtTree(
  request: Scan['request'],
  { caller, services, signal }: Context,
): Promise<TreeSeen> {
  const [security, compliance] = await Promise.all([services.security(), services.compliance()]);
  const terms = { anyFolder: caller.via === 'cli' };
  try {
    return await security.look(caller.id, request, terms, signal, async (tree, searched) => {
      const files = tree.files.map(({ path }) => path);
      const byPath = new Map(tree.files.map((file) => [file.path, file]));
      const commits = await tree.signatures?.(signal);
      const view = {
        files,
        async read(path: string) {
          const file = byPath.get(path);
          return file && new TextDecoder().decode(await tree.read(file));
        },
        ...(commits && { commits }),
      };
      const practices = await compliance.practices(view, request.repository, Date.now());
      return { practices, searched: searched(files) };
    });
  } catch (thrown) {
    signal.throwIfAborted();
    return { practices: [], searched: new Map(), trouble: asAppError(thrown).message };
  }
}

function ofMonitor({ id, findings, looked }: Watched): Part {
  const subject = id;
  const looks = [...Map.groupBy(looked, ({ check }) => check)].map(([what, each]) => {
    // An entry with a reason was not looked at, or not all of it, whenever it was seen before.
    const why = each.find(({ reason }) => reason !== undefined);
    return {
      what,
      subject,
      at: Math.max(...each.map(({ at = 0 }) => at)),
      items: each.filter(({ at }) => at !== undefined).length,
      ok: why === undefined,
      ...(why && { why: `${why.target}: ${why.reason}` }),
    };
  });
  return {
    ...NOTHING,
    subjects: [{ name: subject, kind: 'infrastructure', from: `monitor ${id}` }],
    looks,
    findings: findings.map((finding) => ({
      rule: finding.id,
      id: finding.id,
      severity: finding.severity,
      cwe: finding.cwe ?? [],
      title: finding.title,
      fix: finding.fix,
      location: finding.target,
      fingerprint: finding.fingerprint,
      subject,
    })),
  };
}
