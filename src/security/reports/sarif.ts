import { type Severity, TYPICAL_SCORES } from '../../lib/severity.ts';
import { escapeInvisibleLine } from '../../lib/text/escape-invisible.ts';
import { VERSION } from '../../version.ts';
import { SARIF_FINGERPRINT_KEY } from '../findings/baseline.ts';
import type { Finding, FindingPatch } from '../findings/finding.ts';
import { locationOf } from '../findings/vulnerability.ts';
import type { SecurityScan } from '../scans/scan.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const HOME = 'https://www.npmjs.com/package/magpie-mcp';

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

export function sarifOf(scan: SecurityScan, findings: readonly Finding[]): Record<string, unknown> {
  const rules = new Map<string, number>();
  const described: Finding[] = [];
  for (const finding of findings) {
    if (rules.has(finding.id)) continue;
    rules.set(finding.id, described.length);
    described.push(finding);
  }
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Magpie', version: VERSION, informationUri: HOME, rules: described.map(ruleOf) },
        },
        automationDetails: { id: `magpie/${scan.id}` },
        invocations: [invocationOf(scan)],
        ...provenanceOf(scan),
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, rules.get(finding.id) ?? 0)),
      },
    ],
  };
}

const ruleOf = ({ id, title, description, fix, severity, cwe = [], cvss }: Finding) => ({
  id,
  name: title,
  shortDescription: { text: escapeInvisibleLine(title) },
  fullDescription: { text: escapeInvisibleLine(description) },
  help: { text: escapeInvisibleLine(fix) },
  defaultConfiguration: { level: LEVELS[severity] },
  properties: {
    tags: ['security', ...cwe.map((one) => `external/cwe/${one.toLowerCase()}`)],
    'security-severity': (cvss?.score ?? TYPICAL_SCORES[severity]).toFixed(1),
  },
});

function resultOf(finding: Finding, ruleIndex: number) {
  const { id, severity, title, description, fix, fingerprint, suppressed, trace, scanners } = finding;
  const { cwe, cvss, aliases, fixedIn, development, commit, package: used, patch } = finding;
  return {
    ruleId: id,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: escapeInvisibleLine(`${title}: ${description} ${fix}`) },
    locations: [
      { physicalLocation: placeOf(finding), logicalLocations: used ? [packageOf(used)] : undefined },
    ],
    partialFingerprints: { [SARIF_FINGERPRINT_KEY]: fingerprint },
    suppressions: suppressed && [
      {
        kind: suppressed.by === 'comment' ? 'inSource' : 'external',
        status: 'accepted',
        justification: escapeInvisibleLine(suppressed.reason),
      },
    ],
    baselineState: suppressed?.by === 'baseline' ? 'unchanged' : undefined,
    codeFlows:
      trace && trace.length > 0
        ? [
            {
              threadFlows: [
                {
                  locations: trace.map(({ path, line, note }) => ({
                    location: {
                      physicalLocation: placeOf({ path, line }),
                      message: { text: escapeInvisibleLine(note) },
                    },
                  })),
                },
              ],
            },
          ]
        : undefined,
    fixes: patch && [fixOf(finding, patch)],
    properties: {
      severity,
      location: locationOf(finding),
      scanners,
      cwe,
      cvss,
      aliases,
      fixedIn,
      development: development || undefined,
      commit,
    },
  };
}

function placeOf({ path, line, endLine, excerpt }: Pick<Finding, 'path' | 'line' | 'endLine' | 'excerpt'>) {
  return {
    artifactLocation: { uri: relativeUri(path), uriBaseId: '%SRCROOT%' },
    region:
      line !== undefined
        ? {
            startLine: line,
            endLine: endLine !== undefined && endLine > line ? endLine : undefined,
            snippet: excerpt !== undefined ? { text: escapeInvisibleLine(excerpt) } : undefined,
          }
        : undefined,
  };
}

const fixOf = ({ path, line = 1, fix }: Finding, { before, after }: FindingPatch) => ({
  description: { text: escapeInvisibleLine(fix) },
  artifactChanges: [
    {
      artifactLocation: { uri: relativeUri(path), uriBaseId: '%SRCROOT%' },
      replacements: [
        {
          deletedRegion: { startLine: line, startColumn: 1, endLine: line, endColumn: before.length + 1 },
          insertedContent: { text: after },
        },
      ],
    },
  ],
});

function packageOf({ ecosystem, name, version }: NonNullable<Finding['package']>) {
  return { name, fullyQualifiedName: `${ecosystem}:${name}@${version}`, kind: 'package' };
}

const relativeUri = (path: string): string =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');

function invocationOf({ report, startedAt, endedAt }: SecurityScan) {
  const failed = (report?.scanners ?? []).filter(({ ok }) => !ok);
  const gaps = new Set((report?.gaps ?? []).map(({ what }) => what));
  const notes = [
    ...failed.map(({ name, reason }) => ({
      level: 'error',
      message: { text: `${name}: ${reason ?? 'failed'}` },
    })),
    ...(report?.gaps ?? []).map(({ kind, what, fix }) => ({
      level: 'warning',
      message: { text: `${what} (${fix})` },
      descriptor: { id: `not-looked-at/${kind}` },
    })),
    ...(report?.left ?? [])
      .filter((what) => !gaps.has(what))
      .map((text) => ({ level: 'note', message: { text } })),
  ];
  return {
    executionSuccessful: failed.length === 0,
    startTimeUtc: startedAt !== undefined ? new Date(startedAt).toISOString() : undefined,
    endTimeUtc: endedAt !== undefined ? new Date(endedAt).toISOString() : undefined,
    toolExecutionNotifications: notes.length > 0 ? notes : undefined,
  };
}

/** Returns URL, commit and branch of a remote repository, but nothing for a folder: its path is private. */
function provenanceOf({ request: { repository, branch }, report }: SecurityScan) {
  if (!/^(?:https?|ssh|git):\/\//.test(repository) || !URL.canParse(repository)) return {};
  return {
    versionControlProvenance: [
      { repositoryUri: new URL(repository).href, revisionId: report?.commit, branch },
    ],
  };
}
