import { CIPHER_SUITES } from './cipher-suites.ts';
import { TLS_VERSIONS, type TlsOffer, type TlsVersionNumber } from './client-hello.ts';

export interface ServerChoice {
  readonly protocol: string;
  readonly cipher: string;
  readonly dhBits: number | undefined;
  readonly asksForCertificate: boolean;
}

/** Maximum bytes of the whole answer and of a single TLS record (RFC 5246, 6.2.3). */
const [MAX_ANSWER, MAX_RECORD] = [128 * 1024, 16_384 + 2048];
const [ALERT, HANDSHAKE] = [21, 22];
const [SERVER_HELLO, KEY_EXCHANGE, CERTIFICATE_REQUEST, HELLO_DONE] = [2, 12, 13, 14];
const FATAL = 2;
const ALERTS: Readonly<Record<number, string>> = {
  40: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  70: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  71: 'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY',
};

export function createServerAnswerParser(offer: TlsOffer) {
  let bytes: Buffer = Buffer.alloc(0);
  let messages: Buffer = Buffer.alloc(0);
  let total = 0;
  let chosen: ServerChoice | undefined;
  let isDone = false;

  function readMessage(type: number, body: Buffer): void {
    if (type === SERVER_HELLO) chosen ??= readHello(body, offer);
    else if (type === CERTIFICATE_REQUEST && chosen) chosen = { ...chosen, asksForCertificate: true };
    else if (type === KEY_EXCHANGE && chosen) chosen = { ...chosen, dhBits: primeBits(body, chosen.cipher) };
    else if (type === HELLO_DONE) isDone = true;
  }

  function readRecord(type: number, content: Buffer): void {
    if (type === ALERT) {
      const [level, description = 0] = content;
      if (level === FATAL) throw failure(ALERTS[description] ?? `ERR_SSL_ALERT_${description}`);
      return;
    }
    if (type !== HANDSHAKE) throw failure('EPROTO');
    messages = Buffer.concat([messages, content]);
    while (messages.length >= 4 && messages.length >= 4 + messages.readUIntBE(1, 3)) {
      const end = 4 + messages.readUIntBE(1, 3);
      readMessage(messages.readUInt8(0), messages.subarray(4, end));
      messages = messages.subarray(end);
    }
  }

  return {
    /** Parses more bytes. Returns true if the answer is complete. Throws Node's error code for a refusal. */
    push(piece: Buffer): boolean {
      total += piece.length;
      if (total > MAX_ANSWER) throw failure('EPROTO');
      bytes = Buffer.concat([bytes, piece]);
      while (bytes.length >= 5 && !isDone) {
        const length = bytes.readUInt16BE(3);
        const isRecord =
          (bytes[0] === ALERT || bytes[0] === HANDSHAKE) && bytes[1] === 3 && length <= MAX_RECORD;
        if (!isRecord) throw failure('EPROTO');
        if (bytes.length < 5 + length) break;
        readRecord(bytes.readUInt8(0), bytes.subarray(5, 5 + length));
        bytes = bytes.subarray(5 + length);
      }
      return isDone;
    },
    chosen: (): ServerChoice | undefined => chosen,
  };
}

function readHello(body: Buffer, { version, exactly, suites }: TlsOffer): ServerChoice {
  const idBytes = body[34] ?? 0;
  if (body.length < 35 + idBytes + 3) throw failure('EPROTO');
  const answered = body.readUInt16BE(0);
  const cipher = CIPHER_SUITES[suites].get(body.readUInt16BE(35 + idBytes));
  const isKnown = answered in TLS_VERSIONS && answered <= version && (!exactly || answered === version);
  if (!isKnown || cipher === undefined) throw failure('ERR_SSL_WRONG_SSL_VERSION');
  const protocol = TLS_VERSIONS[answered as TlsVersionNumber];
  return { protocol, cipher, dhBits: undefined, asksForCertificate: false };
}

function primeBits(body: Buffer, cipher: string): number | undefined {
  if (!/(?:^|-)(?:DHE|ADH)-/.test(cipher) || body.length < 2) return undefined;
  const prime = body.subarray(2, 2 + body.readUInt16BE(0));
  const first = prime.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (prime.length - first) * 8 - Math.clz32(prime.readUInt8(first)) + 24;
}

function failure(code: string): Error {
  return Object.assign(new Error(`the offer is not taken (${code})`), { code });
}
