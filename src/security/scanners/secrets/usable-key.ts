import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

/** Maximum length of a private key in characters. An RSA key of 16,384 bits takes about 13,000 characters. */
const MAX_KEY_CHARACTERS = 20_000;
const MAX_CERTIFICATES = 20;
const WEEK_SECONDS = 7 * 86_400;
/** Bytes before the validity period in a DER certificate. Each date of the period has 13 characters. */
const VALIDITY = Buffer.from([0x30, 0x1e, 0x17, 0x0d]);
/** The name `localhost` after its length byte (9). */
const LOCALHOST = Buffer.from('\tlocalhost');
const OPENSSH = 'openssh-key-v1\0';

/** SHA-256 digests of public keys (SPKI) whose private keys were published for experiments. */
const PUBLISHED: ReadonlySet<string> = new Set([
  // Vagrant's insecure key pair.
  'bde93142b0780b2a66d27977d35f4f542e71cc538d491fe6609e2380b747a027',
  // The example key pair on jwt.io.
  'f56c8b01227f62ddbc16eb29a6ac0b310e276760a5e06302fa881a35146f6bc7',
]);

export function isUsablePrivateKey(text: string, start: number): boolean {
  const part = text.slice(start, start + MAX_KEY_CHARACTERS);
  const [, kind, inner = '', ending] =
    /^-----BEGIN ((?:[A-Z]{2,8} )?PRIVATE KEY)-----([^-]+)-----END ([A-Z ]{11,24})-----/.exec(part) ?? [];
  if (kind === undefined || ending !== kind) return false;
  const body = inner.replaceAll(/\\[nr]|[\s"'>,]/g, '');
  if (!/^[A-Za-z0-9+/]{60,}={0,2}$/.test(body)) return false;
  if (kind.startsWith('OPENSSH')) return isOpenSshKey(Buffer.from(body, 'base64'));
  const lines = body.match(/.{1,64}/g)?.join('\n');
  try {
    const key = createPrivateKey(`-----BEGIN ${kind}-----\n${lines}\n-----END ${kind}-----\n`);
    const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
    return !PUBLISHED.has(createHash('sha256').update(spki).digest('hex')) && !isForTrying(text, spki);
  } catch {
    // The key cannot be parsed: it is truncated, invented or protected by a passphrase.
    return false;
  }
}

/** True if a certificate shows that the key is for tests: for `localhost`, or valid for at most a week. */
function isForTrying(text: string, spki: Buffer): boolean {
  const certificates = text.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]{100,8000})-----END/g);
  for (const [, body = ''] of [...certificates].slice(0, MAX_CERTIFICATES)) {
    const bytes = Buffer.from(body, 'base64');
    if (!bytes.includes(spki)) continue;
    const at = bytes.indexOf(VALIDITY) + VALIDITY.length;
    const [from, to] = [
      secondsOf(bytes.toString('latin1', at, at + 12)),
      secondsOf(bytes.toString('latin1', at + 15, at + 27)),
    ];
    if (to - from <= WEEK_SECONDS || bytes.includes(LOCALHOST)) return true;
  }
  return false;
}

function secondsOf(time: string): number {
  if (!/^\d{12}$/.test(time)) return Number.NaN;
  const [year = 0, month = 1, ...rest] = (time.match(/\d\d/g) ?? []).map(Number);
  return Date.UTC(year + (year < 50 ? 2000 : 1900), month - 1, ...rest) / 1000;
}

/** True for a complete unencrypted key in OpenSSH's format (PROTOCOL.key), which node:crypto cannot read. */
function isOpenSshKey(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 0, OPENSSH.length) !== OPENSSH) return false;
  let at = OPENSSH.length;
  const number = () => {
    at += 4;
    return at <= bytes.length ? bytes.readUInt32BE(at - 4) : bytes.length;
  };
  const part = () => {
    const length = number();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const cipher = part().toString('latin1');
  part();
  part();
  if (cipher !== 'none' || at > bytes.length || number() !== 1) return false;
  part();
  const secret = part();
  // The private part of an unencrypted OpenSSH key begins with the same number twice.
  return at === bytes.length && secret.length > 60 && secret.readUInt32BE(0) === secret.readUInt32BE(4);
}
