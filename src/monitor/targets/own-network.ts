import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { inAnyBlock, PRIVATE_ADDRESS } from '../../lib/network/address.ts';
import type { Logger } from '../../log.ts';
import type { Resolver } from '../probing/resolver.ts';
import type { Unreached } from '../probing/unreached.ts';

/**
 * Separates failures of this machine's own network from those of what is watched. Every piece of evidence comes from probes
 * that users asked for, or from the machine's own name service: no other host is connected to.
 */
export interface OwnNetwork {
  /** A host has answered, be it with a refusal: the network works. */
  noteReached(host: string): void;
  /**
   * Why a failure says nothing of the host, in plain words; undefined where it is the host's own.
   * @param isListed whether the inventory names the host; it may then be on a network without a name service
   */
  excuse(
    host: string,
    failure: Unreached,
    isListed: boolean,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** Since when nothing can be reached, in milliseconds since the epoch; undefined as long as the network works. */
  missingSince(): number | undefined;
}

export interface OwnNetworkOptions {
  readonly resolver: Pick<Resolver, 'state' | 'knowsAny' | 'knowsZoneOf'>;
  readonly log: Logger;
  /** Called when the network goes, and when it is back. */
  onNetwork?(isUp: boolean): void;
  readonly now?: () => number;
}

/** What the operating system says when it has no handles, buffers, addresses or permission for a connection. */
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
/** A name without an address, and one that the name service did not answer for. */
const NAME_FAILURES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);
/** No way to the host, or no sign of it: its own end, or that of the network before it. */
const WAY_FAILURES = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT']);
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** Milliseconds for which a host that answered shows that the network works. */
const EVIDENCE_MS = 30_000;
/** Milliseconds for which the name service's state holds: a thousand targets fail at once, and ask once. */
const STATE_MS = 3000;
/** Hosts that are remembered, and names of these that are asked for at once. */
const [MAX_HOSTS, ASKED_NAMES] = [1000, 3];

export function createOwnNetwork({
  resolver,
  log,
  onNetwork = () => {},
  now = Date.now,
}: OwnNetworkOptions): OwnNetwork {
  /** By host, the last one at the end. */
  const reachedAt = new Map<string, number>();
  let hadNameService = false;
  let since: number | undefined;
  let asked: { readonly at: number; readonly state: ReturnType<Resolver['state']> } | undefined;

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

  /** Of the name service; not cut off by the signal of one probe, since others wait for it too. */
  async function stateOf(signal: AbortSignal): ReturnType<Resolver['state']> {
    if (!asked || now() - asked.at > STATE_MS) asked = { at: now(), state: resolver.state() };
    const state = await asked.state;
    signal.throwIfAborted();
    if (state === 'knows') hadNameService = true;
    return state;
  }

  /** Hosts besides this one that have answered, the last one first. */
  const others = (host: string) => [...reachedAt].filter(([name]) => name !== host).reverse();

  /** Whether others have answered of late; those that `counts` takes. */
  const isReached = (host: string, counts: (name: string) => boolean = () => true) =>
    others(host).some(([name, at]) => counts(name) && now() - at < EVIDENCE_MS);

  /** Whether a name has no address because of this machine's side. */
  async function lacksNames(host: string, code: string, signal: AbortSignal): Promise<boolean> {
    const state = await stateOf(signal);
    if (state === 'knows') return false;
    // Where questions about the root are not answered, a name that was found shows that the denial of another is meant.
    if (state === 'silent') return code !== 'ENOTFOUND' || !isReached(host, isName);
    // It denies even the root: either it serves private names only, or it has no way out and denies everything.
    const names = others(host).map(([name]) => name);
    const known = await resolver.knowsAny(names.filter(isName).slice(0, ASKED_NAMES), signal);
    if (known) return false;
    // Of a network on which one name is watched alone, the zone of that name shows that its denial is meant.
    return !(await resolver.knowsZoneOf(host, signal));
  }

  /** Whether the way to an address ends on this machine's side. */
  async function lacksWay(host: string, isListed: boolean, signal: AbortSignal): Promise<boolean> {
    const state = await stateOf(signal);
    if (state === 'knows' || isReached(host)) return false;
    // A network that never had a name service shows nothing by its silence.
    return hadNameService || (state === 'silent' && !isListed);
  }

  return {
    noteReached,
    async excuse(host, { code, address, reason }, isListed, signal) {
      if (isLoopback(host)) return undefined;
      if (OWN_LIMITS.has(code)) return `this machine could not open a connection (${code})`;
      const ofName = NAME_FAILURES.has(code);
      if (!ofName && !WAY_FAILURES.has(code)) {
        if (code !== '' && code !== PRIVATE_ADDRESS) noteReached(host);
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
    missingSince: () => since,
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || inAnyBlock(host, LOOPBACK);
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

/** Whether the system has a route to an address; connecting a datagram socket asks for that alone, and sends nothing. */
function hasRoute(address: string): Promise<boolean> {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  return new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.connect(9, address, () => resolve(true));
  }).finally(() => socket.close());
}
