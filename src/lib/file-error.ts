const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there; check the path',
  ENOTDIR: 'it is not there; check the path',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
};

export function describeFileError(cause: unknown, absent?: string): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (absent !== undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return absent;
  return WORDS[code] ?? message;
}
