import { connect } from 'node:net';
import { upstreamError } from '../../errors.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';
import { type DomainRegistration, normalizeStatus, readEnd } from './domain-registration.ts';
import fields from './whois-field-words.json' with { type: 'json' };

export const WHOIS_ROOT = { host: 'whois.iana.org', port: 43 };
type WhoisServer = typeof WHOIS_ROOT & { readonly guard: UrlGuard; readonly signal: AbortSignal };
const [MAX_CHARS, MAX_LINES] = [64_000, 2000];
/** Matches names alone, so that an answer cannot lead to an IP address. */
const HOST = /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z][a-z0-9-]{1,62}$/i;

/** Sends one query (RFC 3912). Rejects with Node's error, the signal's reason, or AppError. */
async function askWhois({ host, port, guard, signal }: WhoisServer, query: string): Promise<string> {
  const lookup = guard.lookups[guard.judge(new URL(`https://${host}/`))];
  signal.throwIfAborted();
  const socket = connect({ host, port, lookup, signal }).setEncoding('utf8');
  let text = '';
  try {
    socket.write(`${query}\r\n`);
    for await (const part of socket as AsyncIterable<string>) {
      text += part;
      if (text.length > MAX_CHARS) throw upstreamError(`${host} sends over ${MAX_CHARS} characters`);
    }
  } finally {
    socket.destroy();
  }
  return text;
}

/** Asks the server that `root` names for the top-level domain. Throws as `askWhois`. */
export async function askRegistryWhois(root: WhoisServer, domain: string, now: number) {
  const tld = domain.slice(domain.lastIndexOf('.') + 1);
  const [host = ''] = valuesOf(await askWhois(root, tld), fields.server);
  if (!HOST.test(host)) throw upstreamError(`no registry of .${tld} answers by RDAP or WHOIS`);
  // The registry of .jp answers in English only with this suffix.
  const text = await askWhois({ ...root, host }, tld === 'jp' ? `${domain}/e` : domain);
  if (!text.toLowerCase().includes(domain)) throw upstreamError(`${host} gives no answer about ${domain}`);
  return parseWhoisAnswer(text, now);
}

export function parseWhoisAnswer(text: string, now: number): DomainRegistration {
  const statuses = valuesOf(text, fields.status).flatMap((value) => value.split(','));
  return { until: readEnd(valuesOf(text, fields.end), now), statuses: statuses.map(normalizeStatus) };
}

/** Reads `name: value`, `name........: value` and `[name] value`. Comments begin with `%`, `#` or `>`. */
function valuesOf(text: string, names: readonly string[]): string[] {
  return text.split(/\r?\n/, MAX_LINES).flatMap((line) => {
    const at = line.indexOf(line.trimStart().startsWith('[') ? ']' : ':');
    const name = line.slice(0, at).replace(/[[.]/g, ' ').trim().toLowerCase();
    const value = line.slice(at + 1).trim();
    return at > 0 && value !== '' && !/^[%#>]/.test(line) && names.includes(name) ? [value] : [];
  });
}
