import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { isInAnyBlock, PRIVATE_ADDRESS_CODE } from '../../lib/network/address.ts';
import type { Logger } from '../../log.ts';
import type { ConnectionFailure } from '../probing/connection-failure.ts';
import type { DnsResolver } from '../probing/resolver.ts';

export type OwnNetworkTracker = ReturnType<typeof createOwnNetworkTracker>;

export interface OwnNetworkOptions {
  readonly resolver: Pick<DnsResolver, 'state' | 'knowsAny' | 'knowsZoneOf'>;
  readonly log: Logger;
  onNetwork?(isUp: boolean): void;
  readonly now?: () => number;
}

/** Error codes for limits of this machine: file handles, memory, addresses or permissions. */
const OWN_LIMITS = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'ENETDOWN',
  'EPERM',
  'EACCES',
]);
const NAME_FAILURES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);
/** Error codes for a missing route or answer. The host or this machine's network may be the cause. */
const WAY_FAILURES = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT']);
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** Milliseconds for which the answer of any host proves that this machine's network works. */
const EVIDENCE_MS = 30_000;
/** Milliseconds for which the state of the DNS servers is cached, so that many probes need one query. */
const STATE_MS = 3000;
const [MAX_HOSTS, ASKED_NAMES] = [1000, 3];

export function createOwnNetworkTracker({
  resolver,
  log,
  onNetwork = () => {},
  now = Date.now,
}: OwnNetworkOptions) {
  const reachedAt = new Map<string, number>();
  let hadNameService = false;
  let since: number | undefined;
  let asked: { readonly at: number; readonly state: ReturnType<DnsResolver['state']> } | undefined;

  function noteReached(host: string): void {
    if (isLoopback(host)) return;
    reachedAt.delete(host);
    reachedAt.set(host, now());
    const [oldest] = reachedAt.keys();
    if (reachedAt.size > MAX_HOSTS && oldest !== undefined) reachedAt.delete(oldest);
    noteBack();
  }

  function noteBack(): void {
    if (since === undefined) return;
    log.info({ since: timeOf(since) }, 'Magpie reaches the network again');
    since = undefined;
    onNetwork(true);
  }

  function noteMissing(): void {
    if (since !== undefined) return;
    since = now();
    log.warn(
      { since: timeOf(since) },
      `Magpie cannot reach the network since ${timeOf(since)}: what is watched there is unknown, and no alert is raised or cleared`,
    );
    onNetwork(false);
  }

  /** Returns the state of the DNS servers. Probes share the query, so no probe's signal aborts it. */
  async function stateOf(signal: AbortSignal): ReturnType<DnsResolver['state']> {
    if (!asked || now() - asked.at > STATE_MS) asked = { at: now(), state: resolver.state() };
    const state = await asked.state;
    signal.throwIfAborted();
    if (state === 'knows') hadNameService = true;
    return state;
  }

  const others = (host: string) => [...reachedAt].filter(([name]) => name !== host).reverse();

  const isReached = (host: string, counts: (name: string) => boolean = () => true) =>
    others(host).some(([name, at]) => counts(name) && now() - at < EVIDENCE_MS);

  async function lacksNames(host: string, code: string, signal: AbortSignal): Promise<boolean> {
    const state = await stateOf(signal);
    if (state === 'knows') return false;
    // If another host name was just reached, DNS works, and `ENOTFOUND` is the target's own failure.
    if (state === 'silent') return code !== 'ENOTFOUND' || !isReached(host, isName);
    // Without internet, some DNS servers deny the root zone, so names that worked before are tested.
    const names = others(host).map(([name]) => name);
    const known = await resolver.knowsAny(names.filter(isName).slice(0, ASKED_NAMES), signal);
    if (known) return false;
    // Otherwise, the network counts as working only if the DNS servers know the target's zone.
    return !(await resolver.knowsZoneOf(host, signal));
  }

  async function lacksWay(host: string, isListed: boolean, signal: AbortSignal): Promise<boolean> {
    const state = await stateOf(signal);
    if (state === 'knows' || isReached(host)) return false;
    // If DNS has never worked, the network counts as missing only for public hosts and silent DNS servers.
    return hadNameService || (state === 'silent' && !isListed);
  }

  return {
    noteReached,
    /** Explains a failure caused by this machine's network. `isListed`: the host is in the inventory. */
    async explainFailure(
      host: string,
      { code, address, reason }: ConnectionFailure,
      isListed: boolean,
      signal: AbortSignal,
    ): Promise<string | undefined> {
      if (isLoopback(host)) return undefined;
      if (OWN_LIMITS.has(code)) return `this machine could not open a connection (${code})`;
      const ofName = NAME_FAILURES.has(code);
      if (!ofName && !WAY_FAILURES.has(code)) {
        if (code !== '' && code !== PRIVATE_ADDRESS_CODE) noteReached(host);
        return undefined;
      }
      const isOurs = ofName ? await lacksNames(host, code, signal) : await lacksWay(host, isListed, signal);
      if (isOurs) {
        noteMissing();
        return `this machine seems to have no network, so nothing is known of it: it ${reason}`;
      }
      noteBack();
      const isWayless = code === 'ENETUNREACH' && address !== undefined && !(await hasRoute(address));
      return isWayless ? `this machine has no route to ${familyOf(address)} addresses` : undefined;
    },
    /** Returns since when the network is missing (milliseconds since 1970), or undefined if it works. */
    missingSince: (): number | undefined => since,
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || isInAnyBlock(host, LOOPBACK);
}

function isName(host: string): boolean {
  return isIP(host) === 0;
}

function familyOf(address: string): string {
  return isIP(address) === 6 ? 'IPv6' : 'its';
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** Returns true if the system has a route. Connecting a UDP socket sends no packet. */
function hasRoute(address: string): Promise<boolean> {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  return new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.connect(9, address, () => resolve(true));
  }).finally(() => socket.close());
}
