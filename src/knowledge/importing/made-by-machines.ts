export const HIDDEN = 'hidden, or made by machines';

/** Matches hidden files, generated folders, Logseq's old versions and temporary files of Office. */
const MADE =
  /(?:^|\/)(?:\.{1,9}[^/.][^/]*|~\$[^/]*|~[^/]*\.(?:tmp|TMP)|__MACOSX|node_modules|__pycache__|bower_components|logseq\/(?:bak|version-files))(?:\/|$)/;

/** `path` is relative to the imported or synced folder and is separated by slashes. */
export const isHiddenOrGenerated = (path: string): boolean => MADE.test(path);
