import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';

/** Records by `TYPE name`: addresses of A, texts of TXT, `tag value` of CAA, anything of SOA; the root is the empty name. */
export type Zone = Readonly<Record<string, readonly string[]>>;

/** How a name server takes questions: by its zone, or each with one of RFC 1035's response codes, or with silence. */
export type Manner = 'zone' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence';
const CODES = { zone: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 6: 'SOA', 16: 'TXT', 257: 'CAA' };

/** A name server on 127.0.0.1 that answers from a zone; `vouched` sets the flag of authentic data. */
export async function startNameServer(zone: Zone, vouched: boolean) {
  const asked: string[] = [];
  let manner: Manner = 'zone';
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const end = at + 5;
    const type = question.readUInt16BE(at + 1);
    const name = `${TYPES[type]} ${labels.join('.').toLowerCase()}`;
    asked.push(name);
    if (manner === 'silence') return;
    const records = (manner === 'zone' ? zone[name] : undefined) ?? [];
    const header = Buffer.alloc(12);
    question.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (vouched ? 0x0020 : 0) | CODES[manner], 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const answers = records.map((record) => {
      const data = dataOf(type, record);
      const head = Buffer.alloc(12);
      head.writeUInt16BE(0xc00c, 0);
      head.writeUInt16BE(type, 2);
      head.writeUInt16BE(1, 4);
      head.writeUInt32BE(60, 6);
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, question.subarray(12, end), ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Questions so far, as `TYPE name`. */
    asked,
    behave(as: Manner): void {
      manner = as;
    },
    close: () => new Promise<void>((done) => void socket.close(() => done())),
  };
}

function dataOf(type: number, record: string): Buffer {
  if (type === 1) return Buffer.from(record.split('.').map(Number));
  if (type === 16) return Buffer.concat([Buffer.from([record.length]), Buffer.from(record)]);
  if (type === 6) return Buffer.concat([Buffer.from([1, 97, 0, 1, 98, 0]), Buffer.alloc(20)]);
  const [tag = '', value = ''] = record.split(' ');
  return Buffer.concat([Buffer.from([0, tag.length]), Buffer.from(tag), Buffer.from(value)]);
}

/** A look-up of names by one name server, which fails as the system's own does. */
export function lookupBy(address: string): LookupFunction {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([address]);
  return (name, _options, done) => {
    resolver.resolve4(name, (error, found) => {
      if (!error)
        return done(
          null,
          found.map((one) => ({ address: one, family: 4 })),
        );
      const isAbsent = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
      done(
        Object.assign(new Error(`getaddrinfo ${name}`), { code: isAbsent ? 'ENOTFOUND' : 'EAI_AGAIN' }),
        '',
        0,
      );
    });
  };
}
