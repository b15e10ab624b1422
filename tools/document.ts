import { z } from 'zod';
import { type Context, defineOperation, type Operation } from '../src/operation.ts';
import { type DocumentMatches, documentMatches, NO_VALUES } from './schemas/document.ts';

/** Matches of one answer. */
const MOST = 10;

const input = z.object({
  q: z.string().trim().min(1).max(10_000).describe('Question about the file'),
  fileName: z.string().min(1).max(2000).describe('Name, from the user or listpdfs'),
  partId: z.int().min(1).describe('Keep it for follow-up questions, raise it by one to read on'),
});

async function ask(
  { q, fileName, partId }: z.output<typeof input>,
  { caller, services, signal }: Context,
): Promise<DocumentMatches> {
  const room = await services.documents();
  const { document, matches } = await room.findInPart(caller.id, fileName, partId, q, MOST, signal);
  const { id, name, pages, parts } = document;
  return {
    matches: matches.map(({ page, title, text, score }) => ({
      id,
      metadata: { text, fileName: name, title: title || undefined, page, pages, part: partId, parts },
      score,
      ...NO_VALUES,
    })),
  };
}

function render({ matches }: DocumentMatches): string {
  const [first] = matches;
  if (!first) return 'This part has no text; raise partId for the next one.';
  const { fileName, part = 1, parts } = first.metadata;
  const passages = matches.map(
    ({ metadata: { page, text }, score }) => `## Page ${page} · closeness ${score.toFixed(2)}\n\n${text}`,
  );
  const next = part < parts ? ` partId ${part + 1} is the next.` : ' It is the last one.';
  return [`# ${fileName}, part ${part} of ${parts}.${next}`, ...passages].join('\n\n');
}

const family = (
  words: Pick<Operation, 'name' | 'title' | 'description' | 'routes' | 'essential' | 'family'>,
) =>
  defineOperation({
    ...words,
    toolset: 'documents',
    terse: 'output',
    effect: 'read',
    openWorld: false,
    scope: 'read',
    input,
    output: documentMatches,
    start: { partId: 1 },
    example: { q: 'What is it about?', fileName: 'example.pdf', partId: 1 },
    run: ask,
    render,
  });

export const document = family({
  name: 'document',
  title: 'Ask an uploaded PDF',
  description:
    'What does a chapter of an uploaded PDF file such as report.pdf say? Finds the passages and pages of one ' +
    'file that answer it.',
  routes: ['GET /document'],
  essential: true,
});

export const pdfpro = family({
  name: 'pdfpro',
  family: 'document',
  title: 'Question a PDF',
  description: 'What is said in an uploaded manual or report? Answers as document does.',
  routes: ['GET /pdfpro'],
});
