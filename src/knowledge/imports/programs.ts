import DOCUMENTS from './document-details.json' with { type: 'json' };
import type { FoundRecord } from './linked-items.ts';
import known from './programs.json' with { type: 'json' };
import { splitPages } from './splitters/blocks.ts';
import { splitBoard } from './splitters/board.ts';
import { splitClippings } from './splitters/clippings.ts';
import { splitEscapedBytes } from './splitters/escaped-bytes.ts';
import { splitPosts, splitStarredItems } from './splitters/posts.ts';
import { PROGRAM_DETAIL } from './splitters/record.ts';
import { splitTiddlers } from './splitters/tiddlers.ts';

export interface RecordProgram {
  readonly title?: string;
  /** Prefix of the keys of the program's entries, such as `joplin:`. */
  readonly key?: string;
  /** Matches the first 64 KB of a file that the program exported. */
  readonly mark: RegExp;
  /** Characters with which an exported file may begin. Default: any if `file` is set, otherwise `[` and `{`. */
  readonly starts?: string;
  /** Matches the names of exported files. Default: names that end with `.json`. */
  readonly file?: RegExp;
  /** Names of the program's fields, with the usual names for the same fields. */
  readonly names?: Readonly<Record<string, string>>;
  /** True if a file is recognised only when it is imported alone, because other files look similar. */
  readonly isAlone?: true;
  /** Fields of a record, with the folders that have a file for the field. The file is named by the field `slug`. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Makes records of a whole file: of the value of its JSON if `starts` is set, otherwise of its text. */
  readonly split?: (file: unknown) => Iterable<FoundRecord>;
  /** Matches parts of the program's texts that are not words. What the groups match stays. */
  readonly noise?: RegExp;
  /** True if blanks are between the program's tags. */
  readonly parsesWords?: true;
  /** True if the program exports the texts of its notes as HTML. */
  readonly writesHtml?: true;
}

export const JOPLIN = {
  title: 'Joplin',
  key: 'joplin:',
  mark: /^type_: \d{1,2}\s{0,9}(?![\s\S])/m,
  file: /(?<!(?:^|\/)resources\/)(?<![^/])[0-9a-f]{32}\.md$/,
} as const satisfies RecordProgram;

const SPLITTERS = {
  ...{ splitBoard, splitClippings, splitEscapedBytes, splitPages, splitPosts },
  ...{ splitStarredItems, splitTiddlers },
};
type ProgramRow = Omit<RecordProgram, 'mark' | 'file' | 'noise' | 'split'> &
  Readonly<Record<'mark', string> & Partial<Record<'file' | 'noise', string>>> & {
    readonly split?: keyof typeof SPLITTERS;
  };

const [EVERNOTE, ...OTHERS] = (known.programs as readonly ProgramRow[]).map(
  ({ mark, file, noise, split, ...row }): RecordProgram => ({
    ...row,
    mark: new RegExp(mark),
    ...(file && { file: new RegExp(file, 'i') }),
    ...(noise && { noise: new RegExp(noise, 'g') }),
    ...(split && { split: SPLITTERS[split] }),
  }),
);
export const PROGRAMS: readonly RecordProgram[] = [...(EVERNOTE ? [EVERNOTE] : []), JOPLIN, ...OTHERS];

/** An unknown program. Its JSON export must have fields with common names, such as `title` or `text`. */
export const OTHER_PROGRAM: RecordProgram = { isAlone: true, mark: new RegExp(known.other) };

/** The document of an editor in a file of its own. */
export const DOCUMENT: RecordProgram = { mark: new RegExp(known.document) };

/** Fields that describe the program and not the note. `names` match results of `toPlainFieldName`. */
export interface RecordDetails {
  readonly names: readonly RegExp[];
  /** Name under which the skipped fields are counted. */
  readonly skipped: string;
}

const NAMES = known.details.map((name) => new RegExp(name));

export const PROGRAM_DETAILS: RecordDetails = { names: NAMES, skipped: PROGRAM_DETAIL };
export const DOCUMENT_DETAILS: RecordDetails = {
  names: [...NAMES, new RegExp(`^(?:${DOCUMENTS.details.join('|')})$`)],
  skipped: PROGRAM_DETAIL,
};
