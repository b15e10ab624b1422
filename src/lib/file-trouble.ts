const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there; check the path',
  ENOTDIR: 'it is not there; check the path',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
};

/**
 * Why a file or folder cannot be used, in words where they are known and else in those of the system, for the end of a
 * sentence. `absent` says what is meant where it is not there.
 */
export function fileTrouble(cause: unknown, absent?: string): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (absent !== undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return absent;
  return WORDS[code] ?? message;
}
