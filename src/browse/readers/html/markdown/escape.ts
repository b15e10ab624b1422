/** Text that stands for itself in Markdown: what would be read as Markdown and is none; every other backslash is in the reader's way. */
export function escapeText(text: string): string {
  return escapeStart(escapeSigns(text));
}

/** What marks text wherever it stands. */
export function escapeSigns(text: string): string {
  return text
    .replace(/([*`])/g, '\\$1')
    .replace(/(^|[\s(])_(?=\S)/g, '$1\\_')
    .replace(/<(?=[a-z/!?][^<>:@]{0,200}>)/gi, '\\<')
    .replace(/&(?=#?\w{2,30};)/g, '\\&');
}

/** What begins a heading, an item or the like at the beginning of a line, and nothing else elsewhere. */
export function escapeStart(text: string): string {
  return text
    .replace(/^(\s*)(~{3,}|-{3,}(?=\s*$)|(?:#{1,6}|[+-]|={3,})(?=\s|$)|>)/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s)/, '$1\\$2');
}
