const MAX_DEPTH = 12;
const [OCTETS, OCTET_PARTS, SEQUENCE, CONTENT] = [0x04, 0x24, 0x30, 0xa0];
/** Object identifiers of signed data and plain data in hexadecimal (RFC 5652). */
const SIGNED = '2a864886f70d010702';
const DATA = '2a864886f70d010701';

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly next: number;
}

/** Extracts the message from a signed file, `smime.p7m` (RFC 8551). Returns undefined for other files. */
export function signedMailContent(bytes: Uint8Array): Uint8Array | undefined {
  const [outer] = childrenOf(bytes);
  const [type, wrapped] = childrenOf(outer, SEQUENCE);
  const [signed] = childrenOf(hexOf(type) === SIGNED ? wrapped : undefined, CONTENT);
  for (const inside of childrenOf(signed, SEQUENCE)) {
    const [kind, content] = childrenOf(inside, SEQUENCE);
    const [data] = hexOf(kind) === DATA ? childrenOf(content, CONTENT) : [];
    if (data) return octetsOf(data, 0);
  }
  return undefined;
}

function hexOf(element: Element | undefined): string {
  return Buffer.from(element?.content ?? []).toString('hex');
}

function* childrenOf(parent: Element | Uint8Array | undefined, tag?: number): Generator<Element, undefined> {
  if (!parent) return;
  const bytes = parent instanceof Uint8Array ? parent : parent.tag === tag ? parent.content : undefined;
  for (let at = 0; bytes && at < bytes.length; ) {
    const element = elementAt(bytes, at, 0);
    if (!element) return;
    yield element;
    at = element.next;
  }
}

/** Reads the ASN.1 element at `start`. Returns undefined at the parent's end or if nesting is too deep. */
function elementAt(bytes: Uint8Array, start: number, depth: number): Element | undefined {
  const [tag, length] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || length === undefined || depth > MAX_DEPTH || (tag === 0 && length === 0))
    return undefined;
  if (length === 0x80) {
    let at = start + 2;
    for (let child = elementAt(bytes, at, depth + 1); child; child = elementAt(bytes, at, depth + 1))
      at = child.next;
    return { tag, content: bytes.subarray(start + 2, at), next: at + 2 };
  }
  const wide = length > 0x80 ? length - 0x80 : 0;
  if (wide > 4 || start + 2 + wide > bytes.length) return undefined;
  const size =
    wide === 0 ? length : Buffer.from(bytes.subarray(start + 2, start + 2 + wide)).readUIntBE(0, wide);
  const begin = start + 2 + wide;
  return { tag, content: bytes.subarray(begin, begin + size), next: begin + size };
}

function octetsOf(element: Element, depth: number): Uint8Array | undefined {
  if (element.tag === OCTETS) return element.content;
  if (element.tag !== OCTET_PARTS || depth > MAX_DEPTH) return undefined;
  const joined = Buffer.alloc(element.content.length);
  let end = 0;
  for (const one of childrenOf(element, OCTET_PARTS))
    end += Buffer.from(octetsOf(one, depth + 1) ?? []).copy(joined, end);
  return joined.subarray(0, end);
}
