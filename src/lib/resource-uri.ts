import { attempt } from './attempt.ts';

export const ENTRIES_URI = 'kb://entries';
export const STATS_URI = 'kb://stats';
export const COLLECTIONS_URI = 'kb://collections';
export const TAGS_URI = 'kb://tags';
export const TRASH_URI = 'kb://trash';
export const DOCUMENTS_URI = 'doc://';
export const MONITORS_URI = 'monitor://';
export const COMPLIANCE_URI = 'compliance://';

export function entryUri(id: string): string {
  return `${ENTRIES_URI}/${encodeURIComponent(id)}`;
}

export function listUri(list: typeof COLLECTIONS_URI | typeof TAGS_URI, name: string): string {
  return `${list}/${encodeURIComponent(name)}`;
}

export interface KnowledgeListPage {
  readonly list: string;
  readonly name: string | undefined;
  readonly cursor: string | undefined;
}

export function parseKnowledgeListUri(uri: string): KnowledgeListPage | undefined {
  const [, list, name, query] =
    /^(kb:\/\/(?:entries|collections|tags|trash))(?:\/([^/?]+))?(?:\?(.*))?$/.exec(uri) ?? [];
  const named = list === COLLECTIONS_URI || list === TAGS_URI;
  if (list === undefined || (name !== undefined && !named)) return undefined;
  const cursor = query === undefined ? '' : new URLSearchParams(query).get('cursor');
  if (cursor === null) return undefined;
  const decoded = name === undefined ? '' : decode(name);
  return decoded === undefined ? undefined : { list, name: name && decoded, cursor: cursor || undefined };
}

export function entryIdOf(uri: string): string | undefined {
  if (!uri.startsWith(`${ENTRIES_URI}/`)) return undefined;
  return decode(uri.slice(ENTRIES_URI.length + 1));
}

export function documentUri(fileName: string, part?: number): string {
  const uri = `${DOCUMENTS_URI}${encodeURIComponent(fileName)}`;
  return part === undefined ? uri : `${uri}/parts/${part}`;
}

export function documentPlaceOf(uri: string): { name: string; part: number | undefined } | undefined {
  const [, file, part] = /^doc:\/\/([^/]+)(?:\/parts\/([1-9]\d{0,6}))?$/.exec(uri) ?? [];
  if (file === undefined) return undefined;
  const name = decode(file);
  return name === undefined ? undefined : { name, part: part === undefined ? undefined : Number(part) };
}

export function monitorUri(id: string): string {
  return `${MONITORS_URI}${encodeURIComponent(id)}`;
}

export function monitorIdOf(uri: string): string | undefined {
  const [, id] = /^monitor:\/\/([^/]+)$/.exec(uri) ?? [];
  return id === undefined ? undefined : decode(id);
}

export function reportUri(check: string, format: string): string {
  return `${COMPLIANCE_URI}checks/${encodeURIComponent(check)}/${format}`;
}

export function signatureUri(check: string, format: string): string {
  return `${reportUri(check, format)}.sig`;
}

export function reportPlaceOf(uri: string): { id: string; format: string; isSignature: boolean } | undefined {
  const [, id, format, ending] = /^compliance:\/\/checks\/(\w{1,100})\/(\w{1,20})(\.sig)?$/.exec(uri) ?? [];
  return id === undefined || format === undefined
    ? undefined
    : { id, format, isSignature: ending !== undefined };
}

function decode(text: string): string | undefined {
  return attempt(() => decodeURIComponent(text));
}
