/** Matches common public suffixes with two labels, for example `co.uk`. */
const SHORT_ENDING = /^(?:ac|co|com|edu|gov|net|or|org)\.[a-z]{2}$/;

export function isSameSite(a: URL, b: URL): boolean {
  return a.hostname === b.hostname || (registeredName(a) !== '' && registeredName(a) === registeredName(b));
}

/** Returns the registered domain, such as `example.co.uk`, or '' for IP addresses and single labels. */
function registeredName({ hostname }: URL): string {
  const parts = hostname.split('.');
  if (parts.length < 2 || /^[\d.]+$|:/.test(hostname)) return '';
  return parts.slice(SHORT_ENDING.test(parts.slice(-2).join('.')) ? -3 : -2).join('.');
}
