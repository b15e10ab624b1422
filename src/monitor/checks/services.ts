import {
  type ConnectionFailure,
  isConnectionFailure,
  isPrivateAddressFailure,
} from '../probing/connection-failure.ts';
import { CANNOT_PING_CODE, type ProbeContext } from '../probing/probe-context.ts';
import type { DnsTarget, PingTarget, TcpTarget } from '../targets/target.ts';

export type ServiceTarget = TcpTarget | DnsTarget | PingTarget;

export interface ServiceAnswer {
  readonly ms: number;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly faults: readonly string[];
}

export interface CannotProbe {
  readonly unable: string;
}

const MAX_SHOWN = 200;

export async function probeService(
  target: ServiceTarget,
  probe: ProbeContext,
): Promise<ServiceAnswer | ConnectionFailure | CannotProbe> {
  if (target.kind === 'dns') return askNames(target, probe);
  const ms = target.kind === 'tcp' ? await probe.connect(target) : await probe.ping(target.host);
  if (!isConnectionFailure(ms)) {
    return {
      ms,
      measures: { [target.kind === 'tcp' ? 'connect_ms' : 'ping_ms']: Math.round(ms) },
      faults: [],
    };
  }
  return ms.code === CANNOT_PING_CODE ? { unable: ms.reason } : ms;
}

async function askNames(
  { host, type }: DnsTarget,
  { resolver, signal, address, probing }: ProbeContext,
): Promise<ServiceAnswer | ConnectionFailure> {
  const own = await address(host);
  if (isConnectionFailure(own) && isPrivateAddressFailure(own)) return own;
  const begun = performance.now();
  let records: readonly string[];
  try {
    records = (await resolver.records(host, type, signal)) ?? [];
  } catch (error) {
    signal.throwIfAborted();
    const { code = '' } = error as NodeJS.ErrnoException;
    return { reason: `has no answer of the name service (${code})`, code: 'EAI_AGAIN' };
  }
  const ms = performance.now() - begun;
  const { contains = [], lacks = [] } = probing.expect ?? {};
  const has = (wanted: string) => records.some((one) => isSame(one, wanted, type));
  const there = records.length > 0 ? records.join(', ').slice(0, MAX_SHOWN) : 'none';
  const faults = [
    ...(records.length > 0 ? [] : [`has no ${type} record`]),
    ...contains.filter((one) => !has(one)).map((one) => `has no ${type} record ${one}: there is ${there}`),
    ...lacks.filter(has).map((one) => `has the ${type} record ${one}`),
  ];
  return { ms, measures: { dns_ms: Math.round(ms), records: there }, faults };
}

/** TXT and CAA records must contain `wanted`, MX and SRV have it as host name, other records equal it. */
function isSame(record: string, wanted: string, type: string): boolean {
  if (type === 'TXT' || type === 'CAA') return record.includes(wanted);
  const plain = (text: string) => text.toLowerCase().replace(/\.$/, '');
  const forms = type === 'MX' || type === 'SRV' ? [record, record.split(' ').at(-1) ?? ''] : [record];
  return forms.some((one) => plain(one) === plain(wanted));
}
