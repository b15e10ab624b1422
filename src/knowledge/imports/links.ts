import type { ImportedEntry } from '../import-kind.ts';

/** A page that a person has put by: in Pocket, or as a bookmark. */
export interface Link {
  readonly url: string;
  readonly title: string;
  readonly note?: string;
  readonly tags: readonly string[];
  /** Microseconds since 1970. */
  readonly at?: number;
}

/** Whether an address leads to a page of the web; browsers keep scripts, settings and files as bookmarks too. */
export function isPage(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

export function linkEntry({ url, title, note = '', tags, at }: Link, kind: string): ImportedEntry {
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
