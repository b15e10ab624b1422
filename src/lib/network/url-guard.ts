import { isUtf8 } from 'node:buffer';
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { badRequestError, forbiddenError } from '../../errors.ts';
import { redactSecrets } from '../secrets/redact.ts';
import {
  type HostAllowList,
  isInAnyBlock,
  isIpAddress,
  isPrivateName,
  isPublicAddress,
  PRIVATE_ADDRESS_CODE,
  parseAllowList,
  restrictLookup,
} from './address.ts';
import { fetchError, forbidden } from './network-failure.ts';

export interface UrlGuardOptions {
  /** Private hosts that may be reached: host, host:port or CIDR block. */
  readonly allowHosts: readonly string[];
  readonly lookup?: LookupFunction;
}

/** `open`: connect to any address. `guarded`: connect only to public or explicitly allowed addresses. */
export type ConnectionVerdict = 'open' | 'guarded';
export type UrlGuard = ReturnType<typeof createUrlGuard>;
const LOOKUP_MS = 5000;
const NO_LIST = parseAllowList([]);
const SECURE: Readonly<Record<string, string>> = { 'ws:': 'http:', 'wss:': 'https:' };

/** Ports that the Fetch standard forbids. An allow-list entry `host:port` permits such a port. */
const BAD_PORTS = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 ' +
    '123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 ' +
    '990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/** Creates a guard against requests to private networks. `lookups` has a DNS lookup for each verdict. */
export function createUrlGuard({ allowHosts, lookup = systemLookup }: UrlGuardOptions) {
  const allowed = parseAllowList(allowHosts);
  const lookups = { open: lookup, guarded: restrictLookup(lookup, allowed.blocks) };

  /** Returns how a URL may be reached. `own` lists more allowed hosts. Throws AppError `forbidden`. */
  function judge(url: URL, own: HostAllowList = NO_LIST): ConnectionVerdict {
    const verdict = reach(url, own);
    if (verdict && BAD_PORTS.has(url.port) && !allowed.namesPort(url) && !own.namesPort(url)) {
      throw forbiddenError(`${url.host} is not read: port ${url.port} belongs to another protocol than HTTP`);
    }
    if (!verdict) throw forbidden(url);
    return verdict;
  }

  function reach(url: URL, own: HostAllowList): ConnectionVerdict | undefined {
    if (allowed.allows(url) || own.allows(url)) return 'open';
    const { blocks } = allowed;
    // A private name may resolve to an address in an allowed block. Only the DNS lookup can decide that.
    const may = isIpAddress(url.hostname)
      ? isPublicAddress(url.hostname) || isInAnyBlock(url.hostname, blocks)
      : blocks.length > 0 || !isPrivateName(url.hostname);
    return may ? 'guarded' : undefined;
  }

  /** Checks a URL and its host's addresses before any request. Throws AppError if it must not be fetched. */
  async function check(address: string, caller: AbortSignal): Promise<void> {
    const url = parseUrl(address.replace(/^wss?:/i, (scheme) => SECURE[scheme.toLowerCase()] ?? scheme));
    const verdict = judge(url);
    if (isIpAddress(url.hostname)) return;
    const deadline = AbortSignal.timeout(LOOKUP_MS);
    try {
      await lookUpAddresses(url.hostname, lookups[verdict], AbortSignal.any([caller, deadline]));
    } catch (error) {
      throw fetchError(error, { url, caller, deadline, timeoutMs: LOOKUP_MS });
    }
  }

  /** True if the host has only private addresses at present. False if the lookup fails or is aborted. */
  async function resolvesToPrivate(url: URL, verdict: ConnectionVerdict, signal: AbortSignal) {
    if (isIpAddress(url.hostname)) return false;
    try {
      await lookUpAddresses(url.hostname, lookups[verdict], signal);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === PRIVATE_ADDRESS_CODE;
    }
  }

  return { judge, lookups, check, resolvesToPrivate };
}

/** Looks up a host's addresses. Rejects at once when `signal` is aborted. */
export function lookUpAddresses(name: string, lookup: LookupFunction, signal: AbortSignal) {
  return new Promise<readonly LookupAddress[]>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    lookup(name, { all: true }, (error, found) => {
      signal.removeEventListener('abort', stop);
      if (error) reject(error);
      else resolve(Array.isArray(found) ? found : []);
    });
  });
}

/** Decodes a header that was read as latin1: as UTF-8 if its bytes are valid, otherwise as ISO 8859-1. */
export function decodeHeaderText(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : text;
}

/** Parses a URL without its fragment. Throws `bad_request` if invalid. `from` is the redirecting page. */
export function parseUrl(address: string, from?: URL): URL {
  const text = from ? decodeHeaderText(address) : address;
  const shown = JSON.stringify(redactSecrets(text.length > 200 ? `${text.slice(0, 197)}...` : text));
  const subject = from ? `${from.host} redirects to ${shown}, which` : shown;
  if (!URL.canParse(text, from?.href)) {
    throw badRequestError(`${subject} is not a URL: it takes an http or https URL`);
  }
  const url = new URL(text, from?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw badRequestError(
      `${subject} has the scheme ${url.protocol.slice(0, 40)} and only http and https are read`,
    );
  }
  if (url.username || url.password) {
    throw badRequestError(`the address of ${url.host} holds a user name or password: leave it out`);
  }
  url.hash = '';
  return url;
}
