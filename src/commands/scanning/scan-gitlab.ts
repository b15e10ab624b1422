import type { CommandContext } from '../../command.ts';
import type { Severity } from '../../lib/severity.ts';
import { escapeInvisibleJson, escapeInvisibleLine } from '../../lib/text/escape-invisible.ts';
import type { Finding } from '../../security/types.ts';

const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

/**
 * Prints a Code Quality report, which GitLab shows in merge requests of every edition (docs.gitlab.com/ci/testing/code_quality).
 * Leaves out suppressed and known findings, because the format has no field to mark them.
 */
export async function printGitlabReport(findings: readonly Finding[], print: CommandContext['print']) {
  const report = findings
    .filter(({ suppressed }) => suppressed === undefined)
    .map(({ id, severity, title, description, fix, fingerprint, path, line = 1 }) => ({
      description: escapeInvisibleLine(`${title}: ${description} ${fix}`),
      check_name: id,
      fingerprint,
      severity: SEVERITIES[severity],
      location: { path, lines: { begin: line } },
    }));
  await print(escapeInvisibleJson(JSON.stringify(report)));
}
