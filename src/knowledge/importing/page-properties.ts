const MAX_PROPERTIES = 100;

/** Reads title and tags of a Logseq page, such as `tags:: harbour, [[tall cranes]]`. The lines stay in the text. */
export function readLogseqProperties(body: string): { readonly title?: string; readonly tags: string[] } {
  let title: string | undefined;
  const tags: string[] = [];
  for (const line of body.trimStart().slice(0, 20_000).split('\n', MAX_PROPERTIES)) {
    const [, key = '', value = ''] =
      /^(?:- |\s+)?([\p{L}\p{N}][\p{L}\p{N}_/.-]{0,60})::(?:\s(.*))?$/u.exec(line.trimEnd()) ?? [];
    if (key === '') break;
    if (/^tags?$/i.test(key)) tags.push(...value.split(',').map(plainTag).filter(Boolean));
    else if (/^title$/i.test(key)) title ??= value.trim() || undefined;
  }
  return { ...(title !== undefined && { title }), tags };
}

/** Removes the markup of a tag: `#rope` becomes `rope`, and `#[[eye splice]]` becomes `eye splice`. */
export function plainTag(tag: string): string {
  return tag
    .trim()
    .replace(/^#?\[\[([^[\]]*)\]\]$|^#/, '$1')
    .trim();
}
