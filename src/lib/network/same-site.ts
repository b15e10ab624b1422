/** Two-part endings under which names are registered, such as `co.uk`. */
const SHORT_ENDING = /^(?:ac|co|com|edu|gov|net|or|org)\.[a-z]{2}$/;

/** Whether two hosts are of one site: the same host, or both under one registered name, as far as its letters say. */
export function isSameSite(a: URL, b: URL): boolean {
  return a.hostname === b.hostname || (registeredName(a) !== '' && registeredName(a) === registeredName(b));
}

/** Empty for an address of numbers and for a name without dots. */
function registeredName({ hostname }: URL): string {
  const parts = hostname.split('.');
  if (parts.length < 2 || /^[\d.]+$|:/.test(hostname)) return '';
  return parts.slice(SHORT_ENDING.test(parts.slice(-2).join('.')) ? -3 : -2).join('.');
}
