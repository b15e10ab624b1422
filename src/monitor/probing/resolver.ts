import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import type { RecordType } from '../targets/target.ts';

/** Questions to the name service about a domain. Undefined where a record does not exist; throws when there is no answer. */
export interface Resolver {
  txt(name: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Authorities that may give out certificates, as `issue letsencrypt.org`. */
  caa(name: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Records of a type, as texts: `10 mail.example` of MX. */
  records(name: string, type: RecordType, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Whether a zone begins at this name. */
  isApex(name: string, signal: AbortSignal): Promise<boolean>;
  /** Whether the resolver has validated its answers by DNSSEC; undefined when it does not say. */
  vouched(name: string, signal: AbortSignal): Promise<boolean | undefined>;
  /**
   * How the name service stands: it `knows` the root of all names, it `denies` even that (one without a way out, or one
   * of private names), or it is `silent`, as one without a network says that it failed.
   */
  state(): Promise<'knows' | 'denies' | 'silent'>;
  /** Whether any of these names has an address. */
  knowsAny(names: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** Whether the name service knows a zone that this name would be in. */
  knowsZoneOf(name: string, signal: AbortSignal): Promise<boolean>;
}

const ABSENT = new Set(['ENODATA', 'ENOTFOUND']);
const DENIALS = new Set([...ABSENT, 'EREFUSED']);
const TIMEOUT_MS = 4000;
/** Of questions about the name service itself: a probe that has failed waits for the answer. */
const CONTROL_TIMEOUT_MS = 2000;
/** Zones that a name may be in which are asked for. */
const MAX_ZONES = 5;

/** Asks the machine's own name servers, or the given ones (`address:port`). `controlMs` is the time for questions about the name service itself. */
export function createResolver(servers?: readonly string[], controlMs = CONTROL_TIMEOUT_MS): Resolver {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const control = new dns.Resolver({ timeout: controlMs, tries: 2 });
  if (servers) for (const one of [resolver, control]) one.setServers(servers);

  /** Nothing is asked once the signal is aborted: an answer that no one awaits would be an unhandled rejection. */
  async function ask<T>(question: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    signal.throwIfAborted();
    try {
      return await question();
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  }

  return {
    async txt(name, signal) {
      const records = await ask(() => resolver.resolveTxt(name), signal);
      return records?.map((parts) => parts.join(''));
    },
    async caa(name, signal) {
      const records = await ask(() => resolver.resolveCaa(name), signal);
      return records?.flatMap(({ critical: _, ...tags }) =>
        Object.entries(tags).map(([tag, value]) => `${tag} ${value}`),
      );
    },
    async records(name, type, signal) {
      const found = await ask(() => resolver.resolve(name, type), signal);
      const list: readonly unknown[] | undefined = Array.isArray(found) || !found ? found : [found];
      return list?.map((record) => textOf(type, record));
    },
    isApex: async (name, signal) => (await ask(() => resolver.resolveSoa(name), signal)) !== undefined,
    async vouched(name, signal) {
      const [server] = resolver.getServers();
      return server === undefined ? undefined : askVouched(server, name, signal);
    },
    state: () =>
      control.resolveSoa('.').then(
        () => 'knows',
        ({ code = '' }: NodeJS.ErrnoException) => (DENIALS.has(code) ? 'denies' : 'silent'),
      ),
    async knowsAny(names, signal) {
      const questions = names.flatMap((name) => [control.resolve4(name), control.resolve6(name)]);
      const answers = await Promise.allSettled(questions);
      signal.throwIfAborted();
      return answers.some(({ status }) => status === 'fulfilled');
    },
    async knowsZoneOf(name, signal) {
      const labels = name.split('.').filter(Boolean);
      const zones = labels.map((_, at) => labels.slice(at).join('.')).slice(-MAX_ZONES);
      const answers = await Promise.allSettled(zones.map((zone) => control.resolveSoa(zone)));
      signal.throwIfAborted();
      return answers.some(({ status }) => status === 'fulfilled');
    },
  };
}

/** A record of any type in a line, as zone files write it. */
function textOf(type: RecordType, record: unknown): string {
  if (typeof record === 'string') return record;
  // A text comes in pieces.
  if (Array.isArray(record)) return record.join('');
  const { critical: _, type: __, ...values } = record as Record<string, string | number>;
  if (type === 'MX') return `${values.priority} ${values.exchange}`;
  if (type === 'SRV') return `${values.priority} ${values.weight} ${values.port} ${values.name}`;
  if (type === 'CAA') return Object.entries(values).flat().join(' ');
  return Object.values(values).join(' ');
}

/** Header flags of RFC 1035 and RFC 4035: recursion desired, authentic data. */
const [RECURSE, AUTHENTIC] = [0x0100, 0x0020];
const SOA = 6;

/**
 * Node's resolver keeps the flag to itself, so one question is written here: with AD set, a resolver that validates
 * sets it in its answer if the data is vouched for (RFC 6840, section 5.7).
 */
function askVouched(server: string, name: string, signal: AbortSignal): Promise<boolean | undefined> {
  const { address, port } = placeOf(server);
  const id = randomInt(65_536);
  const question = questionOf(id, name);
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return new Promise<boolean | undefined>((resolve, reject) => {
    const silent = () => (signal.aborted ? reject(signal.reason) : resolve(undefined));
    if (limit.aborted) return silent();
    limit.addEventListener('abort', silent, { once: true });
    socket.on('error', () => resolve(undefined));
    socket.on('message', (answer, from) => {
      if (from.port !== port || answer.length < 12 || answer.readUInt16BE(0) !== id) return;
      const flags = answer.readUInt16BE(2);
      resolve((flags & 0x000f) === 0 ? (flags & AUTHENTIC) !== 0 : undefined);
    });
    socket.send(question, port, address);
  }).finally(() => socket.close());
}

function questionOf(id: number, name: string): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(RECURSE | AUTHENTIC, 2);
  header.writeUInt16BE(1, 4);
  const labels = name.split('.').filter(Boolean);
  const parts = labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([header, ...parts, Buffer.from([0, 0, SOA, 0, 1])]);
}

/** `1.1.1.1`, `127.0.0.1:5353`, `[::1]:53` or `::1`. */
function placeOf(server: string): { address: string; port: number } {
  if (isIP(server) > 0) return { address: server, port: 53 };
  const at = server.lastIndexOf(':');
  return { address: server.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(server.slice(at + 1)) };
}
