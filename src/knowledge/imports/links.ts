import type { ImportedEntry } from '../importing/import-kind.ts';

export interface SavedLink {
  readonly url: string;
  readonly title: string;
  readonly note?: string;
  readonly tags: readonly string[];
  /** Time at which the link was saved, in microseconds since 1970. */
  readonly at?: number;
}

export const isWebPageUrl = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

const FORMATTED = /<(b|i|em|strong|u|span|font|mark|code)\b[^<>]{0,300}>([^<>]{0,2000})<\/\1>/gi;
/** Matches a `<` that begins no element of the list. Such an element has no word and blank before it. */
const STRAY = /(?<=[^\s<>][ \t])<(?!\/)|(?<=">)<(?=d|h)|<(?!\/?(?:a|d[dlt]|h[13]|hr)(?:\s[^<>]|\s*>))/gi;

/** Escapes tags in titles and notes that a program has not escaped, such as `The <script> tag`. */
export const escapeStrayTags = (html: string): string => html.replace(FORMATTED, '$2').replace(STRAY, '&lt;');

export function mergeLinks(links: readonly SavedLink[]): SavedLink[] {
  const merged = new Map<
    string,
    { title: string; at: number; readonly notes: Set<string>; readonly tags: Set<string> }
  >();
  for (const { url, title, note = '', tags, at = Number.POSITIVE_INFINITY } of links) {
    const one = merged.get(url) ?? { title, at, notes: new Set(), tags: new Set() };
    merged.set(url, one);
    if (one.title.trim() === '') one.title = title;
    if (title.trim() !== one.title.trim()) one.notes.add(title.trim());
    one.notes.add(note.trim());
    for (const tag of tags) one.tags.add(tag);
    one.at = Math.min(one.at, at);
  }
  return [...merged].map(([url, { title, at, notes, tags }]) => ({
    url,
    title,
    note: [...notes].filter(Boolean).join('\n\n'),
    tags: [...tags],
    ...(at !== Number.POSITIVE_INFINITY && { at }),
  }));
}

export function linkEntry({ url, title, note = '', tags, at }: SavedLink, kind: string): ImportedEntry {
  const named = title.trim() === '' || title.trim() === url ? '' : title.trim();
  return {
    text: [named, url, note.trim()].filter(Boolean).join('\n\n'),
    title: named || url,
    source: url,
    tags,
    createdAt: at,
    key: `${kind}:${url}`,
  };
}
