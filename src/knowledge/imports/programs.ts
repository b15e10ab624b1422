import DOCUMENTS from './document-details.json' with { type: 'json' };
import type { FoundRecord } from './linked-items.ts';
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

export const PROGRAMS: readonly RecordProgram[] = [
  {
    title: 'Evernote',
    key: 'evernote:',
    starts: '<',
    mark: /<en-export[\s>]/,
    file: /\.enex$/i,
    writesHtml: true,
  },
  JOPLIN,
  { title: 'Google Keep', key: 'keep:', mark: /"(?:textContent|listContent|userEditedTimestampUsec)"\s*:/ },
  {
    title: 'Gemini',
    key: 'gemini:',
    starts: '{[<',
    mark: /"header": ?"(?:Gemini|Bard)|class="outer-cell/,
    file: /\.(?:json|html?)$/i,
  },
  {
    title: 'Day One',
    key: 'day-one:',
    mark: /^\uFEFF?\s{0,99}\{\s{0,99}"(?:metadata"[^[]{0,999}"entries|entries)"\s{0,99}:\s{0,99}\[/,
    // Pictures, which the field `photos` names, and backslashes before punctuation outside of code.
    noise:
      /(```[\s\S]{0,9999}?```|`[^`\n]{1,999}`)|!\[\]\(dayone-[a-z]{2,9}:[^\s()]{1,200}\)\s{0,2}|\\([!-/:-@[-`{-~])/g,
  },
  {
    title: 'Pinboard',
    key: 'pinboard:',
    starts: '[',
    mark: /^[^}]{0,20000}"href"\s{0,9}:[^}]{0,20000}"extended"\s{0,9}:/,
    names: { href: 'url', description: 'title', extended: 'text', hash: 'id', meta: 'type' },
    parsesWords: true,
    writesHtml: true,
  },
  {
    title: 'Omnivore',
    key: 'omnivore:',
    starts: '[',
    mark: /"slug"\s{0,9}:/,
    file: /(?:^|\/)metadata_\d{1,9}_to_\d{1,9}\.json$/i,
    beside: { content: 'content', highlights: 'highlights' },
    writesHtml: true,
  },
  { title: 'Simplenote', key: 'simplenote:', mark: /"(?:active|trashed)Notes"\s*:\s*\[/ },
  {
    title: 'Standard Notes',
    key: 'standard-notes:',
    starts: '{[',
    mark: /"content_type"\s*:\s*"(?:Note|Tag|SN\|)/,
    file: /\.json$|(?:^|\/)Standard Notes Backup and Import File\.txt$/i,
    writesHtml: true,
  },
  {
    title: 'Roam Research',
    key: 'roam:',
    starts: '[',
    mark: /"(?:string|create-time)"\s*:/,
    split: splitPages,
  },
  {
    title: 'TiddlyWiki',
    key: 'tiddlywiki:',
    starts: '[',
    mark: /"(?:created|modified)"\s{0,9}:\s{0,9}"(?:19|20)\d{12}(?:\d{3})?"/,
    split: splitTiddlers,
  },
  {
    title: 'Trello',
    key: 'trello:',
    starts: '{',
    mark: /"(?:idBoard|idMemberCreator|idOrganization)"\s{0,9}:/,
    split: splitBoard,
  },
  { title: 'Mastodon', key: 'mastodon:', starts: '{', mark: /"orderedItems"\s{0,9}:/, split: splitPosts },
  {
    title: 'posts of Facebook and Instagram',
    starts: '{[',
    mark: /^(?=[\s\S]*\\u00[c-f][\da-f]\\u00[89ab][\da-f])[\s\S]*"(?:creation_)?timestamp"\s{0,9}:\s{0,9}\d{10}\b/,
    split: splitEscapedBytes,
  },
  {
    title: 'starred items of a feed reader',
    key: 'starred:',
    starts: '{[',
    mark: /"(?:canonical|alternate)"\s{0,9}:\s{0,9}\[\s{0,99}\{|"canonicalUrl"\s{0,9}:/,
    split: splitStarredItems,
  },
  {
    title: 'Kindle',
    key: 'kindle:',
    mark: /^(?=[\s\S]*\n={10})\uFEFF?[^\n]{1,500}\n- [^\n|]{1,300}\|[^\n]{1,300}\n\s{0,3}\n/,
    file: /\.txt$/i,
    isAlone: true,
    split: splitClippings,
  },
];

/** An unknown program. Its JSON export must have fields with common names, such as `title` or `text`. */
export const OTHER_PROGRAM: RecordProgram = {
  isAlone: true,
  mark: /^(?=[\s\S]*"(?:title|name|subject|text|content|body|note|html)"\s*:)\uFEFF?\s*(?:\[\s*\{|\{(?=[\s\S]*?"(?!(?:children|contributors|authors|maintainers)")[^"]{1,40}"\s*:\s*\[\s*\{)|\{[^[{]{0,2000}\{[^[{]{0,200}"[^"]{1,99}"\s*:\s*\{)/,
};

/** The document of an editor in a file of its own. */
export const DOCUMENT: RecordProgram = {
  mark: /"root"\s{0,9}:\s{0,9}\{\s{0,99}"(?:children|type)"|"type"\s{0,9}:\s{0,9}"doc"|"ops"\s{0,9}:\s{0,9}\[\s{0,99}\{\s{0,99}"(?:insert|attributes)"|"blocks"\s{0,9}:\s{0,9}\[\s{0,99}\{[^}]{0,300}"data"|"document"\s{0,9}:\s{0,9}\{\s{0,99}"type"|"snapshot"\s{0,9}:\s{0,9}\{[^[]{0,300}"data"\s{0,9}:|^\s{0,99}\[\s{0,99}\{[^[]{0,300}"(?:children|content)"\s{0,9}:\s{0,9}\[\s{0,99}\{[^}]{0,300}"text"/,
};

/** Fields that describe the program and not the note. `names` match results of `toPlainFieldName`. */
export interface RecordDetails {
  readonly names: readonly RegExp[];
  /** Name under which the skipped fields are counted. */
  readonly skipped: string;
}

const NAMES = [
  /^(?:id|uuid|uid|guid|parentid|creator|lasteditor|type|header|products|activitycontrols|color|source|slug)$/,
  /^(?:sourceapplication|contentclass|applicationdata|sortweight|(?:task|reminder|group|notelevel|id|order|flag)+)$/,
  /^(?:statusupdated|richtext|creation(?:device|os).*|editingtime|duration|systemtags|contenttype|appdata)$/,
  /^(?:references|itemskeyid|duplicateof|notetype|editor.*|spellcheck|(?:hide)?preview.*|protected|:.*|.*email|refs)$/,
  /^(?:textalign|(?:children)?viewtype|heading|open|order|props|userdata|shareid|is(?:shared|allday)|masterkeyid)$/,
  /^(?:markuplanguage|encryption.*|text(?:content)?html)$/,
  /^(?:user)?(?:create|edit|update|modifi)[a-z]{0,3}(?:time|date|at|stamp|usec){0,3}$/,
];

export const PROGRAM_DETAILS: RecordDetails = { names: NAMES, skipped: PROGRAM_DETAIL };
export const DOCUMENT_DETAILS: RecordDetails = {
  names: [...NAMES, new RegExp(`^(?:${DOCUMENTS.details.join('|')})$`)],
  skipped: PROGRAM_DETAIL,
};
