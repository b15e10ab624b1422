export interface RecordProgram {
  readonly title?: string;
  /** First part of the keys of its entries. */
  readonly key?: string;
  /** Matches the first 64 KB of a file of its export. */
  readonly mark: RegExp;
  /** Signs of which a file of its export begins with one: those of JSON if it and `file` are left out. */
  readonly starts?: string;
  /** Matches the names of its files. They are JSON if it is left out. */
  readonly file?: RegExp;
  /** True if it writes the texts of its notes as HTML. */
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
  { title: 'Roam Research', key: 'roam:', starts: '[', mark: /"(?:string|create-time)"\s*:/ },
];

/** A program that is not known, whose lists and fields have usual names. */
export const OTHER_PROGRAM: RecordProgram = {
  mark: /^(?=[\s\S]*"(?:title|name|text|content|body|note)"\s*:)\uFEFF?\s*(?:\[\s*\{|\{[^[{]{0,2000}"(?:entries|items|notes|records|documents|posts|highlights)"\s*:\s*\[\s*\{)/,
};

/** Fields of a program that say something of the program and nothing of a note, by their plain names. */
export interface RecordDetails {
  readonly names: readonly RegExp[];
  /** What they are called where they are counted. */
  readonly skipped: string;
}

const NAMES = [
  /^(?:id|uuid|uid|guid|parentid|creator|lasteditor|type|header|products|activitycontrols|color|source)$/,
  /^(?:sourceapplication|contentclass|applicationdata|sortweight|(?:task|reminder|group|notelevel|id|order|flag)+)$/,
  /^(?:statusupdated|richtext|creation(?:device|os).*|editingtime|duration|systemtags|contenttype|appdata)$/,
  /^(?:references|itemskeyid|duplicateof|notetype|editor.*|spellcheck|(?:hide)?preview.*|protected|:.*|.*email|refs)$/,
  /^(?:textalign|(?:children)?viewtype|heading|open|order|props|userdata|shareid|is(?:shared|allday)|masterkeyid)$/,
  /^(?:markuplanguage|encryption.*|text(?:content)?html)$/,
  /^(?:user)?(?:create|edit|update|modifi)[a-z]{0,3}(?:time|date|at|stamp|usec){0,3}$/,
];

export const PROGRAM_DETAILS: RecordDetails = {
  names: NAMES,
  skipped: 'an id, a color or another detail of the program',
};
