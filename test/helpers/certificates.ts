import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** Makes certificates at test time, good and bad in each way: nothing that ends some day is committed. */

const DAY_MS = 86_400_000;

export interface CertificateTerms {
  readonly subject: string;
  /** Alternative names; none when left out. */
  readonly names?: readonly string[];
  /** Days from now. Default: began 10 days ago, ends in 80. */
  readonly from?: number;
  readonly to?: number;
  readonly key?: KeyKind;
  readonly hash?: 'sha256' | 'sha1';
  /** Who signs it; itself when left out. */
  readonly by?: Identity;
  /** It may sign others. */
  readonly authority?: boolean;
  readonly usage?: 'server' | 'client' | 'none';
  readonly mustStaple?: boolean;
  /** Whose key it says that it has (its subject key identifier); its own when left out. */
  readonly claims?: Identity;
  /** The certificate and key of another, signed again. */
  readonly like?: Identity;
}

/** A certificate with its key. */
export interface Identity {
  readonly subject: string;
  readonly der: Buffer;
  /** The certificate. */
  readonly pem: string;
  readonly keyPem: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly hash: 'sha256' | 'sha1';
}

export type KeyKind = 'p256' | 'secp192k1' | 'secp224r1' | 'secp256k1' | 'rsa2048' | 'rsa1024' | 'ed25519';

/** Keys of one kind are shared: making RSA keys takes long. Authorities have their own. */
const keys = new Map<string, { publicKey: KeyObject; privateKey: KeyObject }>();

function keyPair(kind: KeyKind, owner: string): { publicKey: KeyObject; privateKey: KeyObject } {
  const known = keys.get(`${kind} ${owner}`);
  if (known) return known;
  const made = makeKeys(kind);
  keys.set(`${kind} ${owner}`, made);
  return made;
}

function makeKeys(kind: KeyKind) {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  if (kind.startsWith('rsa')) return generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(3)) });
  return generateKeyPairSync('ec', { namedCurve: kind === 'p256' ? 'prime256v1' : kind });
}

const OIDS = {
  commonName: '550403',
  subjectKey: '551d0e',
  authorityKey: '551d23',
  alternativeName: '551d11',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  extendedUsage: '551d25',
  tlsFeature: '2b06010505070118',
  server: '2b06010505070301',
  client: '2b06010505070302',
} as const;
const ALGORITHMS = {
  'rsa sha256': '2a864886f70d01010b',
  'rsa sha1': '2a864886f70d010105',
  'ec sha256': '2a8648ce3d040302',
  'ec sha1': '2a8648ce3d0401',
  'ed25519 sha256': '2b6570',
} as Readonly<Record<string, string>>;

/** A certificate as RFC 5280 has it, signed by its issuer or by itself. */
export function makeCertificate(terms: CertificateTerms): Identity {
  const { subject, key = 'p256', hash = 'sha256', by, like, authority = false } = terms;
  const own = like ?? keyPair(key, authority ? subject : '');
  const signer = by ?? own;
  const type = signer.privateKey.asymmetricKeyType ?? '';
  const kind = der(0x30, oid(ALGORITHMS[`${type} ${hash}`] ?? ''), ...(type === 'rsa' ? [der(0x05)] : []));
  const now = Date.now();
  const serial = Buffer.concat([Buffer.from([0x4d]), randomBytes(11)]);
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    kind,
    nameOf(by?.subject ?? subject),
    der(0x30, timeOf(now + (terms.from ?? -10) * DAY_MS), timeOf(now + (terms.to ?? 80) * DAY_MS)),
    nameOf(subject),
    own.publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(0x30, ...extensionsOf(terms), ...keyIdsOf(terms.claims?.publicKey ?? own.publicKey, by?.publicKey)),
    ),
  );
  const signature = sign(type === 'ed25519' ? null : hash, body, signer.privateKey);
  const whole = der(0x30, body, kind, der(0x03, Buffer.from([0]), signature));
  return {
    subject,
    der: whole,
    pem: pemOf('CERTIFICATE', whole),
    keyPem: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey: own.privateKey,
    publicKey: own.publicKey,
    hash,
  };
}

function extensionsOf({ names, authority, usage = 'server', mustStaple }: CertificateTerms): Buffer[] {
  const list = [
    extension(OIDS.basicConstraints, der(0x30, ...(authority ? [der(0x01, Buffer.from([0xff]))] : [])), true),
    extension(OIDS.keyUsage, der(0x03, Buffer.from(authority ? [1, 0x06] : [5, 0xa0])), true),
  ];
  if (names) {
    const each = names.map((name) =>
      isIP(name)
        ? der(0x87, Buffer.from(name.split('.').map(Number)))
        : der(0x82, Buffer.from(name, 'latin1')),
    );
    list.push(extension(OIDS.alternativeName, der(0x30, ...each)));
  }
  if (usage !== 'none' && !authority) list.push(extension(OIDS.extendedUsage, der(0x30, oid(OIDS[usage]))));
  if (mustStaple) list.push(extension(OIDS.tlsFeature, der(0x30, der(0x02, Buffer.from([5])))));
  return list;
}

/** Which key it has, and which has signed it (RFC 5280, 4.2.1.1 and 4.2.1.2). */
function keyIdsOf(own: KeyObject, signer: KeyObject = own): Buffer[] {
  return [
    extension(OIDS.subjectKey, der(0x04, keyId(own))),
    extension(OIDS.authorityKey, der(0x30, der(0x80, keyId(signer)))),
  ];
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function extension(id: string, content: Buffer, isCritical = false): Buffer {
  return der(0x30, oid(id), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, content));
}

function nameOf(text: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid(OIDS.commonName), der(0x0c, Buffer.from(text)))));
}

/** GeneralizedTime from 2050 on, UTCTime before. */
function timeOf(at: number): Buffer {
  const text = `${new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return text < '2050' ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** One element of DER. */
export function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

export function pemOf(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
