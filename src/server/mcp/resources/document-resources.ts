import type { DocumentInfo } from '../../../documents/types.ts';
import { ignoreNotFound } from '../../../errors.ts';
import { DOCUMENTS_URI, documentPlaceOf, documentUri } from '../../../lib/resource-uri.ts';
import { formatCount } from '../../../lib/text/format-count.ts';
import listings from './listings.json' with { type: 'json' };
import type { ResourceFamily } from './resource-family.ts';

export const documentResources: ResourceFamily = {
  scheme: DOCUMENTS_URI,
  ...listings.document,
  async listResources({ caller, services }, limit, cursor) {
    const documents = await services.documents();
    const all = await documents.listDocuments(caller.id);
    const rest = all
      .filter(({ name }) => cursor === undefined || name > cursor)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const resources = rest.slice(0, limit).map((document) => ({
      uri: documentUri(document.name),
      name: document.name,
      title: document.title || undefined,
      description: `${formatCount(document.pages, 'page')} in ${formatCount(document.parts, 'part')}`,
      mimeType: 'application/json',
      annotations: { lastModified: new Date(document.addedAt).toISOString() },
    }));
    return { resources, next: rest.length > limit ? rest[limit - 1]?.name : undefined };
  },
  async readResource({ caller, services }, uri) {
    const place = documentPlaceOf(uri);
    if (!place) return undefined;
    const documents = await services.documents();
    const { name, part } = place;
    // `not_found` is ignored, because it suggests file names, but the client asked for an address.
    if (part === undefined) {
      const document = await documents.getDocument(caller.id, name).catch(ignoreNotFound);
      return document?.name === name ? { mimeType: 'application/json', text: describe(document) } : undefined;
    }
    const found = await documents.readPart(caller.id, name, part).catch(ignoreNotFound);
    if (found?.document.name !== name) return undefined;
    const pages = found.pages.map(({ page, text }) => `<!-- page ${page} -->\n\n${text}`);
    return { mimeType: 'text/markdown', text: pages.join('\n\n') };
  },
  async hasResource({ caller, services }, uri) {
    const place = documentPlaceOf(uri);
    if (!place) return false;
    const document = await (await services.documents()).findFile(caller.id, place.name);
    return document?.name === place.name && (place.part ?? 1) <= document.parts;
  },
  async completeVariable({ caller, services }, argument, value) {
    const documents = await services.documents();
    const all = await documents.listDocuments(caller.id);
    if (argument === 'partId') {
      const most = Math.max(0, ...all.map(({ parts }) => parts));
      return Array.from({ length: Math.min(most, 1000) }, (_, i) => String(i + 1)).filter((part) =>
        part.startsWith(value),
      );
    }
    return all.map(({ name }) => encodeURIComponent(name)).filter((name) => name.includes(value));
  },
};

function describe({ id, name, kind, title, author, pages, parts, bytes, addedAt }: DocumentInfo): string {
  return JSON.stringify({
    id,
    name,
    kind: kind === 'pdf' ? undefined : kind,
    title: title || undefined,
    author: author || undefined,
    pages,
    bytes,
    addedAt: new Date(addedAt).toISOString(),
    parts: Array.from({ length: parts }, (_, i) => documentUri(name, i + 1)),
  });
}
