import { z } from 'zod';
import type { PassageMatch } from '../../knowledge/types.ts';
import { documentUri, entryUri } from '../../lib/resource-uri.ts';
import { countCodePoints, passageMark } from '../../lib/text/passage-mark.ts';
import { type OperationContext, optional } from '../../operation.ts';
import { FILE_PREFIX } from '../searching/match.ts';

export interface CitedPassage {
  /** Id of the cited entry, or `doc://<file name>` for an uploaded file. */
  readonly of: string;
  readonly page?: number | undefined;
  readonly part?: number | undefined;
  readonly passage: number;
  /** Offset of the passage in the text of the entry or page, in Unicode code points from 0. */
  readonly start?: number | undefined;
  readonly text: string;
}

export const citation = z.object({
  entry: optional(z.string(), 'Id of the entry'),
  fileName: z.string().optional(),
  page: optional(z.int(), 'Of the file, from 1'),
  passage: z.int().describe('Place among the passages of the entry or file, from 1'),
  start: optional(
    z.int(),
    "Characters (Unicode code points) of the entry's text, or of the page's: from, from 0",
  ),
  end: optional(z.int(), 'The same: up to'),
  link: z
    .string()
    .describe(
      'Opens the page with the passage marked, for a day, where pages are served; else the MCP resource of the entry or part',
    ),
});
export type Citation = z.output<typeof citation>;

export function toCitedPassage({ passage, start }: PassageMatch, part?: number): CitedPassage {
  const { of, page, ordinal, text } = passage;
  return { of, page, part, passage: ordinal + 1, start, text };
}

export async function citePassages(
  passages: readonly CitedPassage[],
  { caller, services }: Pick<OperationContext, 'caller' | 'services'>,
): Promise<Citation[]> {
  const names = new Set(passages.map(({ of }) => fileOf(of)).filter((name) => name !== undefined));
  const previews = new Map<string, string>();
  try {
    // `appUrl` is called only if files are cited, because over stdio it starts a web server.
    const at = names.size > 0 ? await services.appUrl() : undefined;
    const passes = at === undefined ? undefined : await services.passes();
    for (const name of passes ? names : []) {
      const pass = await passes?.issuePass('file', caller.id, name);
      previews.set(name, `${at}/app/files/${encodeURIComponent(name)}?pass=${pass}`);
    }
  } catch {
    // If previews are impossible, citations link to the entries and file parts instead.
  }
  return passages.map((passage) => cite(passage, previews));
}

function cite({ of, page, part, passage, start, text }: CitedPassage, previews: ReadonlyMap<string, string>) {
  const file = fileOf(of);
  const span = start === undefined ? {} : { start, end: start + countCodePoints(text) };
  if (file === undefined) return { entry: of, passage, ...span, link: entryUri(of) };
  const preview = previews.get(file);
  const mark = start === undefined ? '' : `&mark=${passageMark(start, text)}`;
  const link = preview === undefined ? documentUri(file, part) : `${preview}&page=${page ?? 1}${mark}`;
  return { fileName: file, page, passage, ...span, link };
}

function fileOf(of: string): string | undefined {
  return of.startsWith(FILE_PREFIX) ? of.slice(FILE_PREFIX.length) : undefined;
}
