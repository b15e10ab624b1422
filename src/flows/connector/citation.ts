import type { Match } from '../../knowledge/types.ts';
import { documentUri, entryUri } from '../../lib/resource-uri.ts';
import { countCharacters, passageMark } from '../../lib/text/passage-mark.ts';
import type { Context } from '../../operation.ts';
import { FILE_PREFIX } from '../searching/match.ts';

/** Where the knowledge base and the preview of files meet: what a person opens to see where a passage stands. */

/** A passage of an entry or a file. */
export interface CitedPassage {
  /** The entry's id; for an uploaded file `doc://<file name>`. */
  readonly of: string;
  readonly page?: number | undefined;
  /** Of the file, from 1. */
  readonly part?: number | undefined;
  /** Place among the passages of its text, from 1. */
  readonly passage: number;
  /** Where it begins in the entry's text or in that of the page: characters (Unicode code points) from 0. */
  readonly start?: number | undefined;
  readonly text: string;
}

export interface Citation {
  entry?: string | undefined;
  fileName?: string | undefined;
  page?: number | undefined;
  passage: number;
  /** Characters (Unicode code points) of the entry's text, or of the page's: from, and up to. */
  start?: number | undefined;
  end?: number | undefined;
  /** The page with the passage marked, where pages are served; else the address of the entry or of the file's part as a resource. */
  link: string;
}

/** What a match is cited by. */
export function citedMatch({ passage, start }: Match, part?: number): CitedPassage {
  const { of, page, ordinal, text } = passage;
  return { of, page, part, passage: ordinal + 1, start, text };
}

/** One for each passage. A link to a page opens for a day, as those of listpdfs do. */
export async function citePassages(
  passages: readonly CitedPassage[],
  { caller, services }: Pick<Context, 'caller' | 'services'>,
): Promise<Citation[]> {
  const names = new Set(passages.map(({ of }) => fileOf(of)).filter((name) => name !== undefined));
  const previews = new Map<string, string>();
  try {
    // Over stdio this serves the pages: not where nothing of them is cited.
    const at = names.size > 0 ? await services.appUrl() : undefined;
    const passes = at === undefined ? undefined : await services.passes();
    for (const name of passes ? names : []) {
      const pass = await passes?.issuePass('file', caller.id, name);
      previews.set(name, `${at}/app/files/${encodeURIComponent(name)}?pass=${pass}`);
    }
  } catch {
    // Links are extras: the answer is as good without them.
  }
  return passages.map((passage) => cite(passage, previews));
}

function cite(
  { of, page, part, passage, start, text }: CitedPassage,
  previews: ReadonlyMap<string, string>,
): Citation {
  const file = fileOf(of);
  const span = start === undefined ? {} : { start, end: start + countCharacters(text) };
  if (file === undefined) return { entry: of, passage, ...span, link: entryUri(of) };
  const preview = previews.get(file);
  const mark = start === undefined ? '' : `&mark=${passageMark(start, text)}`;
  const link = preview === undefined ? documentUri(file, part) : `${preview}&page=${page ?? 1}${mark}`;
  return { fileName: file, page, passage, ...span, link };
}

function fileOf(of: string): string | undefined {
  return of.startsWith(FILE_PREFIX) ? of.slice(FILE_PREFIX.length) : undefined;
}
