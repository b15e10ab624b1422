export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

const MAX_ELEMENTS = 500;

/** Parses consecutive DER elements (type, length, content), up to the first malformed one. */
export function parseDerElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  let at = 0;
  while (at + 2 <= bytes.length && elements.length < MAX_ELEMENTS) {
    const first = bytes.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    const start = at + 2 + lengthBytes;
    if (lengthBytes > 4 || first === 0x80 || start > bytes.length) break;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    const end = start + length;
    if (end > bytes.length) break;
    elements.push({
      tag: bytes.readUInt8(at),
      content: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return elements;
}

export function findDerChild(parent: DerElement | undefined, tag: number): DerElement | undefined {
  return parent && parseDerElements(parent.content).find((one) => one.tag === tag);
}

export function findCertificateExtension(certificate: Buffer, identifier: Buffer): Buffer | undefined {
  const signed = findDerChild(parseDerElements(certificate)[0], 0x30);
  const list = findDerChild(findDerChild(signed, 0xa3), 0x30);
  for (const one of list ? parseDerElements(list.content) : []) {
    const [id, ...rest] = parseDerElements(one.content);
    if (id?.tag === 0x06 && id.content.equals(identifier))
      return rest.find(({ tag }) => tag === 0x04)?.content;
  }
  return undefined;
}
