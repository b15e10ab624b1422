const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program uses this port'],
  ['EACCES', 'this user may not use this port, as ports below 1024 are for administrators'],
  ['EPERM', 'this user may not use this port'],
  ['EADDRNOTAVAIL', 'this machine does not have this address'],
  ['EAFNOSUPPORT', 'this machine does not have this kind of address'],
  ['ENOTFOUND', 'this name is not known to the name service'],
  ['EAI_AGAIN', 'the name service does not answer'],
]);

export function describeListenFailure({ code = '' }: NodeJS.ErrnoException): string {
  return REASONS.get(code) ?? 'the system does not allow it';
}
