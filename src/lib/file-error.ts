const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there; check the path',
  ENOTDIR: 'it is not there; check the path',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
};

/** Returns why a file cannot be used, as the end of a sentence. `absent` is the reason to give for a missing file. */
export function describeFileError(cause: unknown, absent?: string): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (absent !== undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return absent;
  return WORDS[code] ?? message;
}
