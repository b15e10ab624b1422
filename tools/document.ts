import { z } from 'zod';
import type { PartRange } from '../src/documents/types.ts';
import { citePassages } from '../src/flows/connector/citation.ts';
import { describeWeakMatches, FILE_PREFIX } from '../src/flows/searching/match.ts';
import { formatCount } from '../src/lib/text/format-count.ts';
import { defineOperation, type Operation, type OperationContext, optional } from '../src/operation.ts';
import { documentMatches, EMPTY_VECTOR_FIELDS } from './schemas/document.ts';
import { warningLines, weakMatchesNoteField } from './schemas/knowledge.ts';

const MOST = 10;

/** Matches parts of a file: `*` for all, or numbers and ranges, for example `1,3-5`. */
const PARTS = /^(?:\*|[1-9]\d{0,8}(?:-[1-9]\d{0,8})?(?:, ?[1-9]\d{0,8}(?:-[1-9]\d{0,8})?){0,49})$/;

const input = z.object({
  q: z.string().trim().min(1).max(10_000).describe('Question to the file'),
  fileName: z.string().min(1).max(2000).describe('Its name, as in listpdfs'),
  partId: z
    .int()
    .min(1)
    .or(
      z
        .string()
        .refine((given) => PARTS.test(given))
        .meta({ examples: ['*', '1,3', '2-5'] }),
    )
    .describe('* for the whole file; or parts from 1, such as 1,3 or 2-5'),
});

const output = documentMatches.extend({
  whole: optional(z.boolean(), 'The whole file was searched'),
  note: weakMatchesNoteField,
});

async function ask({ q, fileName, partId }: z.output<typeof input>, ctx: OperationContext) {
  const { caller, services, signal } = ctx;
  const room = await services.documents();
  const part = partId === '*' ? 'all' : rangesOf(String(partId));
  const { document, matches } = await room.findInFile(caller.id, fileName, part, q, MOST, signal);
  const { id, name, pages, parts } = document;
  const citations = await citePassages(
    matches.map((match) => ({ ...match, of: `${FILE_PREFIX}${name}` })),
    ctx,
  );
  const { findOrders } = await import('../src/lib/orders/find-orders.ts');
  return {
    matches: matches.map((match, at) => ({
      id,
      metadata: {
        text: match.text,
        fileName: name,
        title: match.title || undefined,
        page: match.page,
        pages,
        part: match.part,
        parts,
        citation: citations[at],
      },
      score: match.score,
      weak: match.weak,
      warnings: findOrders(match.text),
      ...EMPTY_VECTOR_FIELDS,
    })),
    whole: part === 'all' || undefined,
    note: describeWeakMatches(matches),
  };
}

const rangesOf = (parts: string): PartRange[] =>
  parts.split(',').map((run) => {
    const [from = 1, to = from] = run.split('-').map(Number);
    return { from: Math.min(from, to), to: Math.max(from, to) };
  });

function render({ matches, whole, note: none }: z.output<typeof output>): string {
  const [first] = matches;
  if (!first) return 'This part has no text; raise partId for the next one.';
  const { fileName, part = 1, pages = 1, parts } = first.metadata;
  const found = new Set(matches.map(({ metadata }) => metadata.part));
  const several = whole || found.size > 1;
  const passages = matches.map(({ metadata: { page, part: its, text, citation }, score, weak, warnings }) => {
    const place = several && parts > 1 ? `Page ${page}, part ${its}` : `Page ${page}`;
    const link = citation?.link.startsWith('http') ? ` · ${citation.link}` : '';
    return `## ${place} · closeness ${score.toFixed(2)}${weak ? ' (weak)' : ''}${link}\n${warningLines(
      warnings,
    )
      .map((one) => `${one}\n`)
      .join('')}\n${text}`;
  });
  const next = part < parts ? ` partId ${part + 1} is the next.` : ' It is the last one.';
  const some = `# ${fileName}, parts ${[...found].sort((one, other) => Number(one) - Number(other)).join(', ')} of ${parts}.`;
  const heading = whole
    ? `# ${fileName}, all of its ${formatCount(parts, 'part')} and ${formatCount(pages, 'page')}. To read on, give the part as partId.`
    : several
      ? some
      : `# ${fileName}, part ${part} of ${parts}.${next}${parts > 1 ? ' partId * searches the whole file.' : ''}`;
  return [heading, ...(none ? [none] : []), ...passages].join('\n\n');
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
    output,
    start: { partId: '*' as const },
    example: { q: 'What is it about?', fileName: 'example.pdf', partId: '*' },
    run: ask,
    render,
  });

export const document = family({
  name: 'document',
  title: 'Ask an uploaded file',
  description:
    'Searches one uploaded file (PDF, Word, slides) and returns the passages that answer q, with their ' +
    'pages. Use query when the file is unknown.',
  routes: ['GET /document'],
  essential: true,
});

export const pdfpro = family({
  name: 'pdfpro',
  family: 'document',
  title: 'Question a file',
  description: 'Searches one uploaded file: the same as document.',
  routes: ['GET /pdfpro'],
});
