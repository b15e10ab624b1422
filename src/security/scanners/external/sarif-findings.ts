import { z } from 'zod';
import { upstreamError } from '../../../errors.ts';
import { attempt } from '../../../lib/attempt.ts';
import { type Severity, severityOf } from '../../../lib/severity.ts';
import type { RawFinding } from '../../findings/finding.ts';
import type { ExternalProgram } from './program.ts';

const text = z.object({ text: z.string().optional(), markdown: z.string().optional() }).partial();
const properties = z
  .object({
    tags: z.array(z.string()),
    cwe: z.union([z.string(), z.array(z.string())]),
    'security-severity': z.coerce.string(),
  })
  .partial()
  .optional()
  .catch(undefined);
const rule = z.object({
  id: z.string(),
  name: z.string().optional(),
  shortDescription: text.optional(),
  fullDescription: text.optional(),
  help: text.optional(),
  helpUri: z.string().optional().catch(undefined),
  defaultConfiguration: z.object({ level: z.string() }).partial().optional(),
  properties,
});
const result = z.object({
  ruleId: z.string().optional(),
  ruleIndex: z.number().int().optional(),
  level: z.string().optional(),
  kind: z.string().optional(),
  message: text.optional(),
  locations: z
    .array(
      z.object({
        physicalLocation: z
          .object({
            artifactLocation: z.object({ uri: z.string() }).partial(),
            region: z.object({ startLine: z.number().int(), endLine: z.number().int() }).partial().optional(),
          })
          .partial()
          .optional(),
      }),
    )
    .optional(),
  properties,
});
const log = z.object({
  runs: z.array(
    z.object({
      tool: z.object({ driver: z.object({ rules: z.array(rule).optional() }) }),
      results: z.array(result).optional(),
    }),
  ),
});

type SarifRule = z.infer<typeof rule>;
type SarifResult = z.infer<typeof result>;

/** Maximum number of findings of one program. A hostile repository could cause any number. */
const MAX_FINDINGS = 20_000;
const MAX_TEXT_CHARACTERS = 500;
const LEVELS: Readonly<Record<string, Severity>> = {
  error: 'high',
  warning: 'medium',
  note: 'low',
  none: 'info',
};

export interface SarifOrigin extends Pick<ExternalProgram, 'cwe' | 'classes' | 'severity'> {
  readonly program: string;
  readonly folder: string;
}

/** Converts an external program's report to findings. Throws AppError `upstream` if the report is not SARIF. */
export function sarifFindings(report: string, origin: SarifOrigin): RawFinding[] {
  let value: unknown;
  try {
    value = JSON.parse(report);
  } catch (cause) {
    throw upstreamError(`${origin.program} wrote no SARIF`, { cause });
  }
  const parsed = log.safeParse(value);
  if (!parsed.success) throw upstreamError(`${origin.program} wrote no SARIF 2.1.0`, { cause: parsed.error });
  const found = parsed.data.runs.flatMap(({ tool, results = [] }) => {
    const rules = tool.driver.rules ?? [];
    const byId = new Map(rules.map((one) => [one.id, one]));
    return results.slice(0, MAX_FINDINGS).flatMap((one): RawFinding[] => {
      if (one.kind !== undefined && one.kind !== 'fail') return [];
      const finding = findingOf(one, byId.get(one.ruleId ?? '') ?? rules[one.ruleIndex ?? -1], origin);
      return finding ? [finding] : [];
    });
  });
  return found.slice(0, MAX_FINDINGS);
}

function findingOf(one: SarifResult, by: SarifRule | undefined, origin: SarifOrigin): RawFinding | undefined {
  const id = one.ruleId ?? by?.id;
  const place = one.locations?.[0]?.physicalLocation;
  const path = pathOf(place?.artifactLocation?.uri, origin.folder);
  if (id === undefined || path === undefined) return undefined;
  const said = (one.message?.text ?? by?.fullDescription?.text ?? by?.shortDescription?.text ?? id).trim();
  const advisory = /^(?:CVE|GHSA|PYSEC|RUSTSEC|GO|OSV|MAL)-[\w-]+/.exec(id)?.[0];
  const cwe = cwesOf(one, by);
  const { startLine, endLine } = place?.region ?? {};
  const score = Number(one.properties?.['security-severity'] ?? by?.properties?.['security-severity']);
  return {
    id: advisory ?? `${origin.program}/${id.slice(0, 200)}`,
    severity:
      score > 0
        ? severityOf(score)
        : (origin.severity ?? LEVELS[one.level ?? by?.defaultConfiguration?.level ?? 'warning'] ?? 'medium'),
    title: titleOf(id, by).slice(0, 120),
    description: `${said.slice(0, MAX_TEXT_CHARACTERS)} (${origin.program})`,
    fix: fixOf(by, said),
    path,
    line: startLine !== undefined && startLine > 0 ? startLine : undefined,
    endLine: endLine !== undefined && startLine !== undefined && endLine > startLine ? endLine : undefined,
    cwe: cwe.length > 0 ? cwe : [origin.classes?.get(id) ?? origin.cwe ?? []].flat(),
    identity: `${id} ${said.slice(0, MAX_TEXT_CHARACTERS)}`,
  };
}

function titleOf(id: string, by: SarifRule | undefined): string {
  const title = by?.shortDescription?.text ?? by?.name ?? id;
  if (title !== `Semgrep Finding: ${id}`) return title;
  const words = id.slice(id.lastIndexOf('.') + 1).replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function fixOf(by: SarifRule | undefined, said: string): string {
  const help = by?.help?.text?.trim();
  const again = [said, by?.shortDescription?.text, by?.fullDescription?.text].some(
    (text) => text !== undefined && help?.startsWith(text.trim()),
  );
  if (help && !again && help.length <= MAX_TEXT_CHARACTERS) return help;
  return by?.helpUri !== undefined && /^https:\/\/[!-~]{1,300}$/.test(by.helpUri)
    ? `See ${by.helpUri}`
    : 'See the description of this rule in the documentation of its scanner.';
}

function cwesOf(one: SarifResult, by: SarifRule | undefined): string[] {
  const given = [one.properties, by?.properties].flatMap((from) => [
    ...(from?.tags ?? []),
    ...[from?.cwe ?? []].flat(),
  ]);
  const numbers = given.flatMap((tag) => /\bCWE[-_ :]{0,2}0*(\d{1,5})\b/i.exec(tag)?.[1] ?? []);
  return [...new Set(numbers.map((number) => `CWE-${number}`))];
}

function pathOf(uri: string | undefined, folder: string): string | undefined {
  if (uri === undefined || uri === '') return undefined;
  const decoded = attempt(() => decodeURIComponent(uri.replace(/^file:\/\//, ''))) ?? uri;
  let path = decoded.replaceAll('\\', '/');
  const root = folder.replaceAll('\\', '/').replace(/\/$/, '');
  if (path.startsWith(`${root}/`)) path = path.slice(root.length + 1);
  else if (path.startsWith(root.slice(1))) path = path.slice(root.length);
  path = path.replace(/^(?:\.?\/)+/, '');
  // Checkov's paths begin with the name of the scanned folder, which is removed here.
  const own = `${root.slice(root.lastIndexOf('/') + 1)}/`;
  if (path.startsWith(own)) path = path.slice(own.length);
  return path === '' || path.split('/').includes('..') ? undefined : path;
}
