export interface RecordProgram {
  readonly title?: string;
  /** First part of the keys of its entries. */
  readonly key?: string;
  /** Matches the first 64 KB of a file of its export. */
  readonly mark: RegExp;
  /** Matches the names of its files. They are JSON if it is left out. */
  readonly file?: RegExp;
}

export const PROGRAMS: readonly RecordProgram[] = [
  { title: 'Evernote', key: 'evernote:', mark: /<en-export[\s>]/, file: /\.enex$/i },
  { title: 'Joplin', key: 'joplin:', mark: /^type_: \d{1,2}\s*$/m, file: /(?:^|\/)[0-9a-f]{32}\.md$/ },
  { title: 'Google Keep', key: 'keep:', mark: /"(?:textContent|listContent|userEditedTimestampUsec)"\s*:/ },
  {
    title: 'Gemini',
    key: 'gemini:',
    mark: /"header": ?"(?:Gemini|Bard)|class="outer-cell/,
    file: /\.(?:json|html?)$/i,
  },
  { title: 'Day One', key: 'day-one:', mark: /"entries"\s*:\s*\[/ },
  { title: 'Simplenote', key: 'simplenote:', mark: /"(?:active|trashed)Notes"\s*:\s*\[/ },
  { title: 'Standard Notes', key: 'standard-notes:', mark: /"content_type"\s*:\s*"(?:Note|Tag|SN\|)/ },
  { title: 'Roam Research', key: 'roam:', mark: /"(?:string|create-time)"\s*:/ },
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
  /^(?:references|itemskeyid|duplicateof|notetype|editor.*|spellcheck|preview.*|protected|:.*|.*email|refs)$/,
  /^(?:textalign|(?:children)?viewtype|heading|open|order|props|userdata|shareid|isshared|masterkeyid)$/,
  /^(?:markuplanguage|encryption.*|textcontenthtml)$/,
  /^(?:user)?(?:create|edit|update|modifi)[a-z]{0,3}(?:time|date|at|stamp|usec){0,3}$/,
];

export const PROGRAM_DETAILS: RecordDetails = {
  names: NAMES,
  skipped: 'an id, a color or another detail of the program',
};
