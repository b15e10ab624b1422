import { z } from 'zod';
import type { Assessment, Format } from '../src/compliance/types.ts';
import { badRequestError } from '../src/errors.ts';
import { type CheckRequest, runCheck } from '../src/flows/evidence/run-check.ts';
import { REPORT_FILES, REPORT_FORMATS, reportFileName } from '../src/lib/compliance/report-formats.ts';
import { reportUri, signatureUri } from '../src/lib/resource-uri.ts';
import { defineOperation, listedObject, type OperationContext, optional } from '../src/operation.ts';
import { complianceScopeParameter, standards } from './schemas/compliance.ts';

/** Media type of a detached signature: the 64 bytes of Ed25519. */
const SIGNATURE_TYPE = 'application/vnd.magpie.signature';

const reportAnswer = listedObject(['data'], {
  success: z.boolean(),
  data: listedObject(['check_id', 'status', 'uri'], {
    check_id: z.string(),
    status: z.enum(['running', 'completed']),
    format: z.enum(REPORT_FORMATS),
    summary: z.string(),
    /** REST path of the report. `uri` is the report's address as an MCP resource. */
    url: z.string(),
    uri: z.string(),
    signature_url: z.string(),
    signature_uri: z.string(),
  }),
});
export const generateComplianceReport = defineOperation({
  name: 'generateComplianceReport',
  title: 'Write a compliance report',
  description: 'Writes the audit report of a compliance check; returns summary and address.',
  toolset: 'security',
  essential: true,
  routes: ['POST /v1/compliance/report', 'GET /v1/compliance/report/{check_id}'],
  effect: 'read',
  openWorld: true,
  scope: 'scan',
  long: true,
  types: [...REPORT_FORMATS.map((one) => REPORT_FILES[one].type), SIGNATURE_TYPE],
  input: z.object({
    check_id: optional(z.string().trim().min(1).max(100), 'From checkCompliance'),
    standards: optional(standards, 'Without check_id: names such as soc-2, or all'),
    scope: optional(complianceScopeParameter, 'Without check_id: as for checkCompliance'),
    format: optional(z.enum(REPORT_FORMATS), 'Default markdown'),
    signature: optional(z.boolean(), 'Over GET: the signature of that file instead of the file'),
  }),
  unlisted: ['standards', 'scope', 'signature'],
  output: reportAnswer,
  example: { standards: ['slsa'], scope: 'https://git.example/shop.git', format: 'html' },
  async run({ format = 'markdown', ...asked }, ctx) {
    const made = await resultsOf(asked, ctx);
    const { id } = made;
    const running = !('standards' in made);
    if (!running) ctx.progress('writing the report');
    return {
      success: true,
      data: {
        check_id: id,
        status: running ? ('running' as const) : ('completed' as const),
        format,
        summary: running
          ? `The check of ${made.scope} is under way${made.progress ? `: ${made.progress}` : ''}.`
          : summaryOf(made),
        url: linkOf(id, format),
        uri: reportUri(id, format),
        signature_url: `${linkOf(id, format)}&signature=true`,
        signature_uri: signatureUri(id, format),
      },
    };
  },
  laterAt: ({ data: { check_id, status, format } }: z.output<typeof reportAnswer>) =>
    status === 'running' ? linkOf(check_id, format) : undefined,
  async stopJob({ data: { check_id } }, { caller, services, startedAt }) {
    const room = await services.compliance();
    const job = await room.readJob(caller.id, check_id);
    // The report of a check that another call started does not end that check.
    if (job && job.createdAt >= startedAt) await room.removeCheck(caller.id, check_id);
  },
  linkType: ({ format, signature }) =>
    signature === 'true'
      ? SIGNATURE_TYPE
      : REPORT_FORMATS.filter((one) => one === format).map((one) => REPORT_FILES[one].type)[0],
  async write(type, { data: { check_id, status, format: asked } }, { caller, services }) {
    const isSignature = type === SIGNATURE_TYPE;
    const format = isSignature ? asked : REPORT_FORMATS.find((one) => REPORT_FILES[one].type === type);
    if (!format || status === 'running') return undefined;
    const room = await services.compliance();
    const { content, signature, fileName } = await room.writeReport(caller.id, check_id, format);
    return isSignature ? { content: signature, fileName: `${fileName}.sig` } : { content, fileName };
  },
  links: ({ data: { check_id, format, uri } }) => [
    { uri, name: reportFileName(check_id, format), mimeType: REPORT_FILES[format].type },
  ],
  render: ({ data: { check_id, format, summary, uri } }) =>
    `${summary.replace(/[\s\p{Cc}]+/gu, ' ')}\n\nThe report is the resource ${uri}, or GET /v1/compliance/report/${check_id}?format=${format} over REST. What has no findings, is for a person or was not assessed does not count as passed.`,
});

type ReportInput = Partial<CheckRequest> & { readonly check_id?: string | undefined };

async function resultsOf({ check_id, standards: names, scope: of }: ReportInput, ctx: OperationContext) {
  const room = await ctx.services.compliance();
  if (check_id !== undefined) {
    const job = await room.readJob(ctx.caller.id, check_id);
    return job?.state === 'running' ? job : room.readCheck(ctx.caller.id, check_id);
  }
  if (names === undefined || of === undefined) {
    throw badRequestError(
      'check_id is missing: it takes one from checkCompliance, or standards and scope in its place',
    );
  }
  const made = await runCheck({ standards: names, scope: of }, ctx);
  return 'job' in made ? made.job : made.assessment;
}

const linkOf = (id: string, format: Format): string => `/v1/compliance/report/${id}?format=${format}`;

function summaryOf(assessment: Assessment): string {
  const { standards, scope } = assessment;
  const count = (status: keyof (typeof standards)[number]['counts']) =>
    standards.reduce((sum, { counts }) => sum + counts[status], 0);
  const total = standards.flatMap(({ counts }) => Object.values(counts)).reduce((sum, one) => sum + one, 0);
  return `Of ${total} controls of ${standards.length} standards for ${scope}, ${count('fail')} failed, ${count('pass')} passed, ${count('attested')} pass by a person's judgement, ${count('exception')} are excepted, ${count('no_findings')} had no findings, ${count('not_applicable')} do not apply, ${count('manual')} are for a person to judge and ${count('not_assessed')} were not assessed.`;
}
