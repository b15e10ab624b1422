import { randomBytes } from 'node:crypto';
import { CIPHER_SUITES, type CipherSuiteClass } from './cipher-suites.ts';

export const TLS_VERSIONS = { 768: 'SSLv3', 769: 'TLSv1', 770: 'TLSv1.1', 771: 'TLSv1.2' } as const;
export type TlsVersionNumber = keyof typeof TLS_VERSIONS;

export interface TlsOffer {
  /** Highest TLS version to offer. With `exactly`, an answer with a lower version counts as a refusal. */
  readonly version: TlsVersionNumber;
  readonly exactly?: true;
  readonly suites: CipherSuiteClass;
}

/** Numbers of elliptic curves: secp256r1, secp384r1, secp521r1, x25519, and older ones of OpenSSL. */
const CURVES = [23, 24, 25, 29, 22, 21, 19, 14, 13, 9];
/** Signature algorithms (RFC 8446, 4.2.3), including broken ones, to find servers that still use them. */
const SIGNATURES = [
  0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0402, 0x0203, 0x0201, 0x0202,
  0x0101,
];
const [SERVER_NAME, GROUPS, POINT_FORMATS, SIGNATURE_ALGORITHMS, RENEGOTIATION] = [0, 10, 11, 13, 0xff01];

/** Encodes a ClientHello (RFC 5246, 7.4.1.2) as a TLS record. `name` is undefined for an IP address. */
export function encodeClientHello({ version, suites }: TlsOffer, name: string | undefined): Buffer {
  const body = Buffer.concat([
    uint16(version),
    randomBytes(32),
    Buffer.from([0]),
    withLength(2, Buffer.concat([...CIPHER_SUITES[suites].keys()].map(uint16))),
    Buffer.from([1, 0]),
    // SSL 3 does not know extensions, and old servers fail if they receive any.
    ...(version === 0x0300 ? [] : [withLength(2, extensions(version, name))]),
  ]);
  const message = Buffer.concat([Buffer.from([1]), withLength(3, body)]);
  return Buffer.concat([Buffer.from([22]), uint16(Math.min(version, 0x0301)), withLength(2, message)]);
}

function extensions(version: TlsVersionNumber, name: string | undefined): Buffer {
  const list = [
    extension(GROUPS, withLength(2, Buffer.concat(CURVES.map(uint16)))),
    extension(POINT_FORMATS, Buffer.from([1, 0])),
    extension(RENEGOTIATION, Buffer.from([0])),
  ];
  if (name !== undefined) {
    const host = Buffer.concat([Buffer.from([0]), withLength(2, Buffer.from(name, 'latin1'))]);
    list.unshift(extension(SERVER_NAME, withLength(2, host)));
  }
  if (version === 0x0303) {
    list.push(extension(SIGNATURE_ALGORITHMS, withLength(2, Buffer.concat(SIGNATURES.map(uint16)))));
  }
  return Buffer.concat(list);
}

function extension(type: number, content: Buffer): Buffer {
  return Buffer.concat([uint16(type), withLength(2, content)]);
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

function withLength(bytes: 2 | 3, content: Buffer): Buffer {
  const length = Buffer.alloc(bytes);
  length.writeUIntBE(content.length, 0, bytes);
  return Buffer.concat([length, content]);
}
