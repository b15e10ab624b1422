import { z } from 'zod';
import { DEFAULT_COLLECTION, normalizeOptionalCollection } from '../src/lib/collection.ts';
import { formatCount } from '../src/lib/text/format-count.ts';
import { defineOperation } from '../src/operation.ts';
import { type DocumentMatches, documentMatches, EMPTY_VECTOR_FIELDS } from './schemas/document.ts';
import { collection } from './schemas/knowledge.ts';

export const listpdfs = defineOperation({
  name: 'listpdfs',
  terse: 'output',
  title: 'List uploaded files',
  description:
    "Lists the user's uploaded files with their names, pages and parts. Use document to ask one; use " +
    'pdfload to add one.',
  toolset: 'documents',
  hasLargeAnswer: true,
  essential: true,
  routes: ['GET /listpdfs'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input: z.object({ collection: collection.describe('Only this collection') }),
  output: documentMatches,
  example: {},
  async run({ collection: of }, { caller, services }) {
    const wanted = normalizeOptionalCollection(of);
    const all = await (await services.documents()).listDocuments(caller.id);
    const documents = wanted === undefined ? all : all.filter((one) => one.collection === wanted);
    const at = documents.length > 0 ? await services.appUrl() : undefined;
    const passes = at === undefined ? undefined : await services.passes();
    const linkOf = async (name: string) =>
      passes &&
      `${at}/app/files/${encodeURIComponent(name)}?pass=${await passes.issuePass('file', caller.id, name)}`;
    const matches = documents.map(
      async ({ id, name, kind, title, pages, parts, bytes, addedAt, ...file }) => {
        const url = await linkOf(name);
        return {
          id,
          metadata: {
            text: url ? `${name}: ${url}` : name,
            fileName: name,
            url,
            title: title || undefined,
            kind: kind === 'pdf' ? undefined : kind,
            pages,
            parts,
            bytes,
            collection: file.collection === DEFAULT_COLLECTION ? undefined : file.collection,
            uploadedAt: new Date(addedAt).toISOString(),
          },
          score: 1,
          ...EMPTY_VECTOR_FIELDS,
        };
      },
    );
    return { matches: await Promise.all(matches) };
  },
  render: ({ matches }: DocumentMatches, _reader, offers) =>
    matches
      .map(
        ({ metadata: { fileName, title, collection: of, pages = 0, parts = 0, url } }) =>
          `- ${fileName}${title ? ` (${title})` : ''}${of ? ` in ${of}` : ''}: ${formatCount(pages, 'page')}, ${formatCount(parts, 'part')}${url ? `, ${url}` : ''}`,
      )
      .join('\n') || `No file is there${offers('pdfload') ? '; pdfload says where one is uploaded' : ''}.`,
});
