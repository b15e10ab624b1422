import type { Attachment, Email } from 'postal-mime';
import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import { isWinmail } from '../fetching/page-kind.ts';
import tables from './winmail.json' with { type: 'json' };

type Body = Pick<Email, 'html' | 'text'> & { readonly markdown?: string | undefined };
type Properties = Map<number, { readonly type: number; readonly bytes: Buffer }>;

/**
 * Maps an attribute of [MS-OXTNEF] to its owner, `message` or `file`, and to the id and type of a MAPI
 * property. Without id and type, it is a list of properties. `SIZES`: bytes of each property type.
 */
const ATTRIBUTES: Readonly<Record<string, readonly (string | number)[]>> = tables.attributes;
const SIZES: Readonly<Record<string, number>> = tables.sizes;
const [CODE_PAGE, NEXT_FILE] = [0x69007, 0x69002];
/** Types of MAPI properties ([MS-OXCDATA], 2.11.1). */
const [OBJECT, STRING, UNICODE, BINARY] = [0x0d, 0x1e, 0x1f, 0x102];
const BASE_TYPE = 0xfff;
const FIRST_NAMED = 0x8000;
const GUID_BYTES = 16;
const MAX_FILES = 1000;
/** Properties with the text of a message: HTML, compressed RTF and plain text. */
const TEXTS = [0x1013, 0x1009, 0x1000];
/** Media type of an attached message, which is not unpacked here but read as a separate mail. */
const MESSAGE_TYPE = 'application/vnd.ms-outlook';

/** Reads Outlook's format TNEF (`winmail.dat`). From a broken file, returns the parts before the error. */
export async function readWinmail(body: Uint8Array, needsText = true) {
  const { message, files, page } = readAttributes(body);
  const text = (id: number) => textOf(message, id, page);
  const [name, address] = [text(0xc1a), text(0x5d01)];
  const sent = message.get(0x39)?.bytes;
  return {
    from: name || address ? { name, address } : undefined,
    date: sent?.length === 8 ? dateOf(sent) : undefined,
    subject: text(0x37),
    hasText: TEXTS.some((id) => message.has(id)),
    ...(needsText && (await bodyOf(message, page))),
    attachments: files.map((file) => attachmentOf(file, page)),
  };
}

/** Replaces each attachment `winmail.dat` by the files in it. Uses its text if the mail has no text. */
export async function unpackWinmail<Mail extends Body & Pick<Email, 'attachments'>>(mail: Mail) {
  let { html, text, markdown }: Body = mail;
  const attachments: Attachment[] = [];
  for (const one of mail.attachments) {
    const bytes = typeof one.content === 'string' ? Buffer.from(one.content) : new Uint8Array(one.content);
    const isPacked = isWinmail(bytes) && one.mimeType !== MESSAGE_TYPE;
    const isWithout = !html && !markdown && !text?.trim();
    const inside = isPacked ? await readWinmail(bytes, isWithout) : undefined;
    if (inside && isWithout) ({ html, text, markdown } = inside);
    const isRead = inside && (inside.attachments.length > 0 || inside.hasText);
    attachments.push(...(isRead ? inside.attachments : [one]));
  }
  return { ...mail, html, text, markdown, attachments };
}

function readAttributes(body: Uint8Array) {
  const file = Buffer.from(body.buffer, body.byteOffset, body.length);
  const message: Properties = new Map();
  const files: Properties[] = [];
  let page = 1252;
  for (let at = 6; at + 9 <= file.length; ) {
    const [id, length] = [file.readUInt32LE(at + 1), file.readUInt32LE(at + 5)];
    const bytes = file.subarray(at + 9, at + 9 + length);
    at += 9 + length + 2;
    if (id === CODE_PAGE && bytes.length >= 4) page = bytes.readUInt32LE(0);
    else if (id === NEXT_FILE && files.length === MAX_FILES) break;
    else if (id === NEXT_FILE) files.push(new Map());
    const [owner, property, type] = ATTRIBUTES[id] ?? [];
    const target = owner === 'file' ? files.at(-1) : message;
    if (owner && property === undefined) addProperties(target, bytes);
    else if (owner) target?.set(Number(property), { type: Number(type), bytes });
  }
  return { message, files, page };
}

function addProperties(found: Properties | undefined, bytes: Buffer): void {
  let at = 0;
  const next = (size: 2 | 4) => {
    at += size;
    return at > bytes.length ? 0 : bytes.readUIntLE(at - size, size);
  };
  for (let left = next(4); left > 0 && at < bytes.length; left--) {
    const [type, id] = [next(2), next(2)];
    if (id >= FIRST_NAMED) {
      at += GUID_BYTES;
      const length = next(4) === 0 ? 4 : padded(next(4));
      at += length;
    }
    const size = SIZES[type & BASE_TYPE];
    // A value of variable size, and a list of values, begins with the number of values.
    for (let count = size && type < BASE_TYPE ? 1 : next(4); count > 0 && at < bytes.length; count--) {
      const length = size ?? next(4);
      if (at + length > bytes.length) return;
      found?.set(id, { type: type & BASE_TYPE, bytes: bytes.subarray(at, at + length) });
      at += padded(length);
    }
  }
}

const padded = (size: number): number => Math.ceil(size / 4) * 4;

function textOf(properties: Properties, id: number, page: number): string {
  const { type, bytes } = properties.get(id) ?? {};
  if (!bytes || (type !== STRING && type !== UNICODE)) return '';
  const contentType = `text/plain; charset=cp${page}`;
  const text = type === UNICODE ? bytes.toString('utf16le') : decodeBytes(bytes, { contentType }).text;
  return text.split('\0', 1)[0] ?? '';
}

/** Converts a Windows time, in 100-nanosecond intervals since 1601, to ISO 8601. */
function dateOf(bytes: Buffer): string | undefined {
  const time = new Date(Number(bytes.readBigUInt64LE(0) / 10_000n) - 11_644_473_600_000);
  return Number.isNaN(time.valueOf()) ? undefined : time.toISOString();
}

async function bodyOf(message: Properties, page: number): Promise<Body> {
  const [html, rtf, number] = [0x1013, 0x1009, 0x3fde].map((id) => message.get(id));
  const charset = number?.bytes.length === 4 ? `; charset=cp${number.bytes.readUInt32LE(0)}` : '';
  if (html?.type === BINARY && html.bytes.length > 0)
    return { html: decodeBytes(html.bytes, { contentType: `text/html${charset}`, declares: 'html' }).text };
  const { readCompressedRtf } = await import('./office/rtf.ts');
  const markdown = rtf?.type === BINARY ? await readCompressedRtf(rtf.bytes).catch(() => '') : '';
  return { html: textOf(message, 0x1013, page), markdown, text: textOf(message, 0x1000, page) };
}

function attachmentOf(file: Properties, page: number): Attachment {
  const text = (id: number) => textOf(file, id, page);
  const { type, bytes } = file.get(0x3701) ?? {};
  // An attached object begins with a GUID. An attached message follows as a separate TNEF file.
  const content = Uint8Array.from(bytes?.subarray(type === OBJECT ? GUID_BYTES : 0) ?? []);
  return {
    filename: text(0x3707) || text(0x3704) || text(0x3001),
    mimeType: text(0x370e) || (isWinmail(content) ? MESSAGE_TYPE : 'a file'),
    disposition: 'attachment',
    content,
  };
}
