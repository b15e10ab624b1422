import type { AssessmentSummary } from '../../../compliance/types.ts';
import { REPORT_FORMATS } from '../../../lib/compliance/report-formats.ts';
import { COMPLIANCE_URI, reportPlaceOf, reportUri } from '../../../lib/resource-uri.ts';
import listings from './listings.json' with { type: 'json' };
import type { ResourceFamily, ResourceScope } from './resource-family.ts';

const LISTED_FORMAT = 'markdown';

export const complianceResources: ResourceFamily = {
  scheme: COMPLIANCE_URI,
  ...listings.compliance,
  async listResources(scope, limit, cursor) {
    const checks = await checksOf(scope);
    const from = cursor === undefined ? 0 : Number(cursor) || 0;
    const resources = checks.slice(from, from + limit).map(({ id, scope, createdAt }) => ({
      uri: reportUri(id, LISTED_FORMAT),
      name: `compliance-${id}.md`,
      title: `Compliance of ${scope}`,
      mimeType: 'text/markdown',
      annotations: { lastModified: new Date(createdAt).toISOString() },
    }));
    const next = from + limit;
    return { resources, next: next < checks.length ? String(next) : undefined };
  },
  async readResource({ caller, services }, uri) {
    const place = reportPlaceOf(uri);
    const format = REPORT_FORMATS.find((one) => one === place?.format);
    if (!place || !format || !caller.scopes.has('scan')) return undefined;
    const room = await services.compliance();
    const { content, type, signature } = await room.writeReport(caller.id, place.id, format);
    if (place.isSignature) {
      return { mimeType: 'application/octet-stream', blob: Buffer.from(signature).toString('base64') };
    }
    if (typeof content === 'string') return { mimeType: type, text: content };
    return { mimeType: type, blob: Buffer.from(content).toString('base64') };
  },
  async hasResource(scope, uri) {
    const place = reportPlaceOf(uri);
    const known = REPORT_FORMATS.some((one) => one === place?.format);
    return known && (await checksOf(scope)).some(({ id }) => id === place?.id);
  },
  async completeVariable(scope, argument, value) {
    const all = argument === 'format' ? REPORT_FORMATS : (await checksOf(scope)).map(({ id }) => id);
    return all.filter((one) => one.startsWith(value));
  },
};

async function checksOf({ caller, services }: ResourceScope): Promise<readonly AssessmentSummary[]> {
  return caller.scopes.has('scan') ? (await services.compliance()).listChecks(caller.id) : [];
}
