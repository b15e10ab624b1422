import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import type { DnsRecordType } from '../targets/target.ts';

/** DNS queries. A query resolves to undefined if the record is missing, and rejects if no server answers. */
export type DnsResolver = ReturnType<typeof createResolver>;

const ABSENT = new Set(['ENODATA', 'ENOTFOUND']);
const DENIALS = new Set([...ABSENT, 'EREFUSED']);
const TIMEOUT_MS = 4000;
/** Timeout in ms of queries that test DNS servers. It is short, because a failed probe waits for them. */
const CONTROL_TIMEOUT_MS = 2000;
const MAX_ZONES = 5;

/** Asks `servers` (`address:port`) or this machine's DNS servers. `controlMs`: timeout of server tests. */
export function createResolver(servers?: readonly string[], controlMs = CONTROL_TIMEOUT_MS) {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const control = new dns.Resolver({ timeout: controlMs, tries: 2 });
  if (servers) for (const one of [resolver, control]) one.setServers(servers);

  /** Starts no query after an abort, because an unhandled rejection of the query would end the process. */
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
    async txt(name: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
      const records = await ask(() => resolver.resolveTxt(name), signal);
      return records?.map((parts) => parts.join(''));
    },
    /** Returns CAA records, which say who may issue certificates, for example `issue letsencrypt.org`. */
    async caa(name: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
      const records = await ask(() => resolver.resolveCaa(name), signal);
      return records?.flatMap(({ critical: _, ...tags }) =>
        Object.entries(tags).map(([tag, value]) => `${tag} ${value}`),
      );
    },
    async records(name: string, type: DnsRecordType, signal: AbortSignal) {
      const found = await ask(() => resolver.resolve(name, type), signal);
      const list: readonly unknown[] | undefined = Array.isArray(found) || !found ? found : [found];
      return list?.map((record) => textOf(type, record));
    },
    isApex: async (name: string, signal: AbortSignal): Promise<boolean> =>
      (await ask(() => resolver.resolveSoa(name), signal)) !== undefined,
    /** True if the DNS server has validated its answer by DNSSEC. Undefined if the server does not say. */
    async isDnssecValidated(name: string, signal: AbortSignal): Promise<boolean | undefined> {
      const [server] = resolver.getServers();
      return server === undefined ? undefined : askVouched(server, name, signal);
    },
    /** Asks the DNS servers for the root zone. `denies`: they answer that there is none. `silent`: no answer. */
    state: (): Promise<'knows' | 'denies' | 'silent'> =>
      control.resolveSoa('.').then(
        () => 'knows',
        ({ code = '' }: NodeJS.ErrnoException) => (DENIALS.has(code) ? 'denies' : 'silent'),
      ),
    async knowsAny(names: readonly string[], signal: AbortSignal): Promise<boolean> {
      const questions = names.flatMap((name) => [control.resolve4(name), control.resolve6(name)]);
      const answers = await Promise.allSettled(questions);
      signal.throwIfAborted();
      return answers.some(({ status }) => status === 'fulfilled');
    },
    async knowsZoneOf(name: string, signal: AbortSignal): Promise<boolean> {
      const labels = name.split('.').filter(Boolean);
      const zones = labels.map((_, at) => labels.slice(at).join('.')).slice(-MAX_ZONES);
      const answers = await Promise.allSettled(zones.map((zone) => control.resolveSoa(zone)));
      signal.throwIfAborted();
      return answers.some(({ status }) => status === 'fulfilled');
    },
  };
}

function textOf(type: DnsRecordType, record: unknown): string {
  if (typeof record === 'string') return record;
  if (Array.isArray(record)) return record.join('');
  const { critical: _, type: __, ...values } = record as Record<string, string | number>;
  if (type === 'MX') return `${values.priority} ${values.exchange}`;
  if (type === 'SRV') return `${values.priority} ${values.weight} ${values.port} ${values.name}`;
  if (type === 'CAA') return Object.entries(values).flat().join(' ');
  return Object.values(values).join(' ');
}

/** Flags of a DNS query: recursion desired (RFC 1035), authentic data (RFC 4035). */
const [RECURSE, AUTHENTIC] = [0x0100, 0x0020];
const SOA = 6;

/** Asks whether DNSSEC was validated. Node hides that flag (AD, RFC 6840), so the query is encoded here. */
function askVouched(server: string, name: string, signal: AbortSignal): Promise<boolean | undefined> {
  const { address, port } = parseServerAddress(server);
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

function parseServerAddress(server: string): { address: string; port: number } {
  if (isIP(server) > 0) return { address: server, port: 53 };
  const at = server.lastIndexOf(':');
  return { address: server.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(server.slice(at + 1)) };
}
