/** Addresses of what is kept, as MCP resources; answers of tools name them too. */

export const ENTRIES_URI = 'kb://entries';
export const STATS_URI = 'kb://stats';

/** An entry of the knowledge base. */
export function entryUri(id: string): string {
  return `${ENTRIES_URI}/${encodeURIComponent(id)}`;
}

/** The id in an entry's address; undefined for other addresses. */
export function entryIdOf(uri: string): string | undefined {
  if (!uri.startsWith(`${ENTRIES_URI}/`)) return undefined;
  try {
    return decodeURIComponent(uri.slice(ENTRIES_URI.length + 1));
  } catch {
    return undefined;
  }
}

/** An uploaded file. */
export function documentUri(fileName: string): string {
  return `doc://${encodeURIComponent(fileName)}`;
}
