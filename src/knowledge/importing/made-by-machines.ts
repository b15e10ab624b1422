export const HIDDEN = 'hidden, or made by machines';

/** Hidden files, folders that programs fill, and the earlier versions that Logseq keeps beside its pages. */
const MADE =
  /(?:^|\/)(?:\.{1,9}[^/.][^/]*|__MACOSX|node_modules|__pycache__|bower_components|logseq\/(?:bak|version-files))(?:\/|$)/;

/** Takes a path below what is imported or synced, with slashes. */
export function isHiddenOrGenerated(path: string): boolean {
  return MADE.test(path);
}
