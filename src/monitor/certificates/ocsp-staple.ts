import type { X509Certificate } from 'node:crypto';
import { findCertificateExtension, findDerChild, parseDerElements } from '../probing/der.ts';

/** OID 1.3.6.1.5.5.7.1.24 in DER: a certificate's demand for TLS features (RFC 7633). */
const TLS_FEATURE = Buffer.from('2b06010505070118', 'hex');
/** status_request and status_request_v2 demand a stapled OCSP status. */
const STAPLES = [5, 17];

export function hasMustStaple({ raw }: X509Certificate): boolean {
  const feature = findCertificateExtension(raw, TLS_FEATURE);
  const list = feature && parseDerElements(feature)[0];
  if (!list) return false;
  return parseDerElements(list.content).some(
    ({ tag, content }) => tag === 0x02 && STAPLES.includes(numberOf(content)),
  );
}

function numberOf(content: Buffer): number {
  return content.length > 0 && content.length <= 4 ? content.readUIntBE(0, content.length) : -1;
}

/** Returns why a stapled OCSP answer (RFC 6960, 4.2.1) is missing or invalid. Returns undefined if it is valid. */
export function explainInvalidStaple(staple: Buffer | undefined, now: number): string | undefined {
  if (staple === undefined || staple.length === 0) return 'none is sent';
  const [state, body] = parseDerElements(parseDerElements(staple)[0]?.content ?? Buffer.alloc(0));
  if (state?.tag !== 0x0a || state.content[0] !== 0)
    return 'the one that is sent is a failure of the authority';
  const basic = findDerChild(findDerChild(body, 0x30), 0x04)?.content ?? Buffer.alloc(0);
  const data = findDerChild(parseDerElements(basic)[0], 0x30);
  const single = findDerChild(findDerChild(data, 0x30), 0x30);
  if (!single) return 'the one that is sent cannot be read';
  const until = findDerChild(findDerChild(single, 0xa0), 0x18)?.content.toString('latin1');
  const end = until === undefined ? undefined : timeOf(until);
  if (end !== undefined && end < now)
    return `the one that is sent ended on ${new Date(end).toISOString().slice(0, 10)}`;
  return findDerChild(single, 0xa1) ? 'the one that is sent says that the certificate is revoked' : undefined;
}

function timeOf(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
