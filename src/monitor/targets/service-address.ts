import { isIP } from 'node:net';
import { AppError } from '../../errors.ts';
import {
  type DnsTarget,
  type HeartbeatTarget,
  type PingTarget,
  RECORD_TYPES,
  type RecordType,
  type TcpTarget,
} from './target.ts';

/** Addresses of services: `tcp://mail.example:25`, `dns:shop.example?type=MX`, `ping:10.0.0.5`. */

const SCHEME = /^(tcp|dns|ping):(?:\/\/)?/i;
const HOST = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?$/u;
const TAKES = {
  tcp: 'a host and a port: tcp://mail.example:25',
  dns: `a name and a type of record: dns:shop.example?type=MX (${RECORD_TYPES.join(', ')}; A when left out)`,
  ping: 'a host: ping:shop.example',
};

const HEARTBEAT = /^heartbeat:(?:\/\/)?/i;
const JOB = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;

/** Parses `heartbeat:<name>`. Returns undefined for other texts. Throws AppError `bad_request` for an invalid name. */
export function parseHeartbeatAddress(text: string): HeartbeatTarget | undefined {
  const [prefix = ''] = HEARTBEAT.exec(text) ?? [];
  if (prefix === '') return undefined;
  const job = text.slice(prefix.length).toLowerCase();
  if (JOB.test(job)) return { kind: 'heartbeat', name: `heartbeat:${job}` };
  const takes = 'heartbeat takes a name of letters, digits, dots and dashes: heartbeat:nightly-backup';
  throw new AppError('bad_request', `${JSON.stringify(text.slice(0, 200))} cannot be watched: ${takes}`);
}

/** Returns undefined for other texts. AppError `bad_request` lists the valid forms. */
export function parseServiceAddress(text: string): TcpTarget | DnsTarget | PingTarget | undefined {
  const [prefix = '', scheme = ''] = SCHEME.exec(text) ?? [];
  if (prefix === '') return undefined;
  const kind = scheme.toLowerCase() as keyof typeof TAKES;
  const target = PARSERS[kind](text.slice(prefix.length).toLowerCase());
  if (target) return target;
  throw new AppError(
    'bad_request',
    `${JSON.stringify(text.slice(0, 200))} cannot be watched: ${kind} takes ${TAKES[kind]}`,
  );
}

const PARSERS = {
  tcp(rest: string): TcpTarget | undefined {
    const [, bracketed, plain, digits] =
      /^(?:\[([0-9a-f:.]+)\]|([^:/?#[\]]+)):(\d{1,5})\/?$/.exec(rest) ?? [];
    const host = hostOf(bracketed ?? plain);
    const port = Number(digits);
    if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
    return { kind: 'tcp', name: `tcp://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, host, port };
  },
  dns(rest: string): DnsTarget | undefined {
    const [name = '', query = ''] = rest.split('?', 2);
    const host = isIP(name) === 0 ? hostOf(name) : undefined;
    const parameters = new URLSearchParams(query);
    const type = (parameters.get('type') ?? 'a').toUpperCase();
    const isKnown =
      RECORD_TYPES.includes(type as RecordType) && [...parameters.keys()].every((one) => one === 'type');
    if (host === undefined || !isKnown) return undefined;
    return { kind: 'dns', name: `dns:${host}?type=${type}`, host, type: type as RecordType };
  },
  ping(rest: string): PingTarget | undefined {
    const host = hostOf(rest.replace(/^\[(.*)\]$/, '$1'));
    return host === undefined ? undefined : { kind: 'ping', name: `ping:${host}`, host };
  },
};

function hostOf(text = ''): string | undefined {
  if (isIP(text) > 0) return text;
  // A number may be another form of an IP address, and `ping` takes a leading dash for an option.
  const isName = text.length <= 253 && HOST.test(text) && !/^(?:-|0x|[\d.]+$)/.test(text);
  return isName ? text.replace(/\.$/, '') : undefined;
}
