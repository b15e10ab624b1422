import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { type AppError, badRequestError, notFoundError } from '../../../errors.ts';
import { findViewByUri, VIEW_MEDIA_TYPE, VIEWS_URI } from '../tools/apps.ts';
import { complianceResources } from './compliance-resources.ts';
import { documentResources } from './document-resources.ts';
import { knowledgeResources } from './knowledge-resources.ts';
import { monitorResources } from './monitor-resources.ts';
import { pageResources } from './page-resources.ts';
import type { ResourceFamily, ResourceScope } from './resource-family.ts';

const PAGE_SIZE = 50;
const MAX_SUGGESTIONS = 100;

const NO_OTHER_HOST = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

const viewResources: ResourceFamily = {
  scheme: VIEWS_URI,
  fixed: [],
  templates: [],
  listResources: async () => ({ resources: [], next: undefined }),
  async readResource(_scope, uri) {
    const view = findViewByUri(uri);
    if (!view) return undefined;
    const { viewPage } = await import('../../views/page.ts');
    return {
      mimeType: VIEW_MEDIA_TYPE,
      text: viewPage(view),
      _meta: { ui: { csp: NO_OTHER_HOST, prefersBorder: true } },
    };
  },
  hasResource: async (_scope, uri) => findViewByUri(uri) !== undefined,
  completeVariable: async () => [],
};

const FAMILIES: readonly ResourceFamily[] = [
  knowledgeResources,
  documentResources,
  monitorResources,
  complianceResources,
  pageResources,
  viewResources,
];

export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = FAMILIES.flatMap(
  ({ templates }) => templates,
);

export async function listResources(scope: ResourceScope, cursor: string | undefined) {
  const resources: Resource[] = [];
  let { index, inner }: Offset = cursor === undefined ? { index: 0, inner: undefined } : decodeCursor(cursor);
  while (index < FAMILIES.length && resources.length < PAGE_SIZE) {
    const part = await FAMILIES[index]?.listResources(scope, PAGE_SIZE - resources.length, inner);
    resources.push(...(part?.resources ?? []));
    inner = part?.next;
    if (inner === undefined) index++;
  }
  return {
    resources: [...(cursor === undefined ? FAMILIES.flatMap(({ fixed }) => fixed) : []), ...resources],
    nextCursor: index < FAMILIES.length ? encodeCursor({ index, inner }) : undefined,
  };
}

type Offset = ReturnType<typeof decodeCursor>;

function encodeCursor({ index, inner }: Offset): string {
  return Buffer.from(JSON.stringify([index, ...(inner === undefined ? [] : [inner])])).toString('base64url');
}

function decodeCursor(cursor: string) {
  try {
    const [index, inner] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const known = typeof index === 'number' && FAMILIES[index] !== undefined;
    if (known && (inner === undefined || typeof inner === 'string')) return { index, inner };
  } catch {}
  throw badRequestError(
    `cursor is ${shown(cursor)}: it takes a nextCursor of this list; leave it out to begin again`,
  );
}

export async function readResource(scope: ResourceScope, uri: string) {
  const family = FAMILIES.find(({ scheme }) => uri.startsWith(scheme));
  const content = await family?.readResource(scope, uri, PAGE_SIZE);
  if (content) return { contents: [{ uri, ...content }] };
  throw absent(uri);
}

export async function checkResource(scope: ResourceScope, uri: string): Promise<void> {
  const family = FAMILIES.find(({ scheme }) => uri.startsWith(scheme));
  const has = family?.hasResource
    ? await family.hasResource(scope, uri)
    : (await family?.readResource(scope, uri, 1)) !== undefined;
  if (!has) throw absent(uri);
}

function absent(uri: string): AppError {
  return notFoundError(`there is no resource ${shown(uri)}; resources/list names those there are`);
}

export async function completeResource(
  scope: ResourceScope,
  template: string,
  argument: string,
  value: string,
) {
  const family = FAMILIES.find(({ scheme }) => template.startsWith(scheme));
  const values = (await family?.completeVariable(scope, argument, value.slice(0, 1000))) ?? [];
  return {
    values: values.slice(0, MAX_SUGGESTIONS),
    total: values.length,
    hasMore: values.length > MAX_SUGGESTIONS,
  };
}

function shown(uri: string): string {
  return JSON.stringify(uri.length > 200 ? `${uri.slice(0, 197)}...` : uri);
}
