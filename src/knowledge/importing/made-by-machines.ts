export const HIDDEN = 'hidden, or made by machines';

/** Hidden files, folders that programs fill, the versions that Logseq keeps, and files of Office about open documents. */
const MADE =
  /(?:^|\/)(?:\.{1,9}[^/.][^/]*|~\$[^/]*|~[^/]*\.(?:tmp|TMP)|__MACOSX|node_modules|__pycache__|bower_components|logseq\/(?:bak|version-files))(?:\/|$)/;

/** Takes a path below what is imported or synced, with slashes. */
export function isHiddenOrGenerated(path: string): boolean {
  return MADE.test(path);
}
