import type { ImportedEntry } from '../importing/import-kind.ts';

export interface Link {
  readonly url: string;
  readonly title: string;
  readonly note?: string;
  readonly tags: readonly string[];
  /** Time at which the link was saved, in microseconds since 1970. */
  readonly at?: number;
}

/** True if an address leads to a web page. Browsers also have scripts, settings and files among their bookmarks. */
export function isWebPageUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

export function mergeLinks(links: readonly Link[]): Link[] {
  const merged = new Map<string, Link>();
  for (const link of links) {
    const { url, title, note = '', tags, at } = merged.get(link.url) ?? link;
    const isRenamed = title.trim() !== '' && link.title.trim() !== title.trim();
    merged.set(link.url, {
      url,
      title: title.trim() === '' ? link.title : title,
      note: [...new Set([note.trim(), isRenamed ? link.title.trim() : '', link.note?.trim() ?? ''])]
        .filter(Boolean)
        .join('\n\n'),
      tags: [...new Set([...tags, ...link.tags])],
      at: Math.min(at ?? Number.POSITIVE_INFINITY, link.at ?? Number.POSITIVE_INFINITY),
    });
  }
  return [...merged.values()].map(({ at, ...link }) =>
    at === Number.POSITIVE_INFINITY ? link : { ...link, at },
  );
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
