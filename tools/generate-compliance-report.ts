import { z } from 'zod';
import { AppError } from '../src/errors.ts';
import { reportUri } from '../src/lib/resource-uri.ts';
import { type Context, defineOperation } from '../src/operation.ts';
import { gatherEvidence } from './compliance-evidence.ts';
import { type Assessment, scope, standards } from './compliance-schema.ts';

const FORMATS = ['json', 'markdown', 'html', 'pdf', 'oscal'] as const;
type Format = (typeof FORMATS)[number];

/** Media type of each form; JSON's own is that of the answer, which a GET's `format` takes the place of. */
const TYPES: Readonly<Record<Format, string>> = {
  json: 'application/vnd.magpie.compliance+json',
  markdown: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
  oscal: 'application/oscal+json',
};
const ENDINGS: Readonly<Record<Format, string>> = {
  json: 'json',
  markdown: 'md',
  html: 'html',
  pdf: 'pdf',
  oscal: 'oscal.json',
};

const reportAnswer = z.object({
  success: z.boolean(),
  data: z.object({
    check_id: z.string(),
    format: z.enum(FORMATS),
    summary: z.string(),
    /** Path of REST from which the file comes, and its address as a resource of MCP. */
    url: z.string(),
    uri: z.string(),
  }),
});

export const generateComplianceReport = defineOperation({
  name: 'generateComplianceReport',
  title: 'Write a compliance report',
  description: 'Writes a sealed report of a check. Gives a summary and where the file is.',
  toolset: 'security',
  essential: true,
  routes: ['POST /v1/compliance/report', 'GET /v1/compliance/report/{check_id}'],
  effect: 'read',
  openWorld: true,
  scope: 'scan',
  long: true,
  types: Object.values(TYPES),
  input: z.object({
    check_id: z.string().trim().min(1).max(100).optional().describe('From checkCompliance'),
    standards: standards.optional().describe('Without check_id: names, or all'),
    scope: scope.optional().describe('Without check_id: as for checkCompliance'),
    format: z.enum(FORMATS).optional().describe('Default markdown'),
  }),
  unlisted: ['standards', 'scope'],
  output: reportAnswer,
  example: { standards: ['slsa'], scope: 'https://git.example/shop.git', format: 'html' },
  async run({ format = 'markdown', ...asked }, ctx) {
    const assessment = await assessmentOf(asked, ctx);
    const { id } = assessment;
    const { counts, total } = sumOf(assessment);
    return {
      success: true,
      data: {
        check_id: id,
        format,
        summary: `Of ${total} controls of ${assessment.standards.length} standards for ${assessment.scope}, ${counts.fail} failed, ${counts.pass} passed, ${counts.manual} are for a person to judge and ${counts.not_assessed} were not assessed.`,
        url: `/v1/compliance/report/${id}?format=${format}`,
        uri: reportUri(id, format),
      },
    };
  },
  linkType: ({ format }) => FORMATS.filter((one) => one === format).map((one) => TYPES[one])[0],
  async write(type, { data: { check_id } }, { caller, services }) {
    const format = FORMATS.find((one) => TYPES[one] === type);
    if (!format) return undefined;
    const { content } = await (await services.compliance()).report(caller.id, check_id, format);
    return { content, fileName: `compliance-${check_id}.${ENDINGS[format]}` };
  },
  links: ({ data: { check_id, format, uri } }) => [
    { uri, name: `compliance-${check_id}.${ENDINGS[format]}`, mimeType: TYPES[format] },
  ],
  render: ({ data: { check_id, format, summary, uri } }) =>
    `${summary.replace(/[\s\p{Cc}]+/gu, ' ')}\n\nThe report is the resource ${uri}, or GET /v1/compliance/report/${check_id}?format=${format} over REST. What is for a person or not assessed does not count as passed.`,
});

interface Asked {
  readonly check_id?: string | undefined;
  readonly standards?: readonly string[] | undefined;
  readonly scope?: string | undefined;
}

async function assessmentOf(
  { check_id, standards: names, scope: of }: Asked,
  ctx: Context,
): Promise<Assessment> {
  const room = await ctx.services.compliance();
  if (check_id !== undefined) return room.get(ctx.caller.id, check_id);
  if (names === undefined || of === undefined) {
    throw new AppError(
      'bad_request',
      'check_id is missing: it takes one from checkCompliance, or standards and scope in its place',
    );
  }
  const ids = room.idsOf(names);
  return room.check(ctx.caller.id, ids, await gatherEvidence(of, ctx));
}

function sumOf({ standards: results }: Assessment) {
  const counts = { pass: 0, fail: 0, manual: 0, not_assessed: 0 };
  for (const { counts: own } of results) {
    counts.pass += own.pass;
    counts.fail += own.fail;
    counts.manual += own.manual;
    counts.not_assessed += own.not_assessed;
  }
  return { counts, total: counts.pass + counts.fail + counts.manual + counts.not_assessed };
}
