import PostalMime, { decodeWords, type Email, type PostalMimeOptions } from 'postal-mime';
import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import { decodeUtf7, rewriteUtf7Words, UTF_7_LABEL } from '../../lib/encoding/utf7.ts';
import { takeUuencodedFiles } from '../../lib/encoding/uuencoded.ts';
import { parseInstant } from '../../lib/time/written-date.ts';
import { escapeHtml } from './feeds/feed.ts';

const LIMITS: PostalMimeOptions = { maxNestingDepth: 50, maxHeadersSize: 500_000, maxRfc822NestingDepth: 3 };
/** Matches a line between the parts of a message and the first header of a part. */
const PART_BORDER = /^--([!#-[\]-~]{1,70})[ \t]{0,9}\r?\n(?=content-)/im;
const ENCODED_WORD = /=\?([^?\s]{1,60})\?b\?([^?]{0,2000})\?=/gi;
const ENCODED_RUN = /(?:=\?[^?\s]{1,60}\?b\?[^?]{0,2000}\?=\s{0,99}){2,500}/gi;

interface MailPart {
  content: ArrayBuffer | null;
  readonly parentNode?: MailPart;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  readonly contentDisposition: { readonly parsed?: { readonly value: string } };
  readonly childNodes: readonly MailPart[];
  readonly contentType: {
    multipart: string | false;
    readonly parsed: { value: string; readonly params: Record<string, string> };
  };
}

interface ParserMembers {
  readonly currentNode: { state: string; contentTransferEncoding: { encoding: string } };
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  maxRfc822NestingDepth: number;
  rfc822NestingDepth: number;
  textMap: Map<unknown, unknown>;
  textTypes: Set<string>;
  attachments: Email['attachments'];
  parse(message: Uint8Array | ArrayBuffer): Promise<Email>;
  isInlineTextNode(part: MailPart): boolean;
  collectNode(part: MailPart, alternative: MailPart | false, related: boolean): Promise<void>;
}

function isFurtherForm({ contentDisposition, contentType: { parsed } }: MailPart): boolean {
  const isFile = contentDisposition.parsed?.value === 'attachment' || parsed.params.name !== undefined;
  return !isFile && /^text\/(?!calendar$)/.test(parsed.value);
}

const Parser = PostalMime as unknown as new (options: PostalMimeOptions) => ParserMembers;

class MailParser extends Parser {
  guesses = new Set<string>();
  rowsOf: (email: Email) => readonly (readonly [name: string, value: string])[] = () => [];

  /** Removes spaces after a soft line break (`=`). Mail servers may add such spaces (RFC 2045, 6.7). */
  override async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    const { state, contentTransferEncoding } = this.currentNode;
    const isQuoted = state === 'body' && /quoted-printable/i.test(contentTransferEncoding.encoding);
    const end = line.findLastIndex((byte) => byte !== 0x20 && byte !== 0x09) + 1;
    await super.processLine(isQuoted && line[end - 1] === 0x3d ? line.subarray(0, end) : line, isFinal);
  }

  override async parse(message: Uint8Array | ArrayBuffer): Promise<Email> {
    const email = await super.parse(withUtf8Header(new Uint8Array(message)));
    const written = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? '';
    // The archives of mailing lists write `ada at example.org (Ada)`. The parser drops a name after such an address.
    const isNamedAfter = email.from?.address === '' && written('from').endsWith(')');
    const from = isNamedAfter ? { name: decodeWords(written('from')), address: '' } : email.from;
    return { ...email, from, date: withOffset(email.date, written('date')) };
  }

  override async collectNode(part: MailPart, alternative: MailPart | false, related: boolean): Promise<void> {
    const { content, contentType } = part;
    if (contentType.multipart && content && part.childNodes.length === 0) {
      // Its boundary is nowhere in it. Its parts are read by the boundary that is there, or else as one text.
      const [, boundary] = PART_BORDER.exec(Buffer.from(content).toString('latin1')) ?? [];
      if (boundary !== undefined && this.rfc822NestingDepth < this.maxRfc822NestingDepth) {
        const head = `Content-Type: multipart/${contentType.multipart}; boundary="${boundary}"\r\n\r\n`;
        part.content = new Uint8Array(Buffer.concat([Buffer.from(head), Buffer.from(content)])).buffer;
        return this.collectSubMessage(part);
      }
      contentType.multipart = false;
      contentType.parsed.value = 'text/plain';
    }
    if (part.content && this.isInlineTextNode(part)) this.#toUtf8(part, part.content);
    // Other versions of the same text, such as `text/x-amp-html`, are neither shown nor attached.
    else if (this.textMap.has(part.parentNode) && isFurtherForm(part)) part.content = null;
    await super.collectNode(part, alternative, related);
  }

  async collectSubMessage(part: MailPart & { subMessage?: Email }): Promise<void> {
    const parser = new MailParser(LIMITS);
    [parser.guesses, parser.rowsOf] = [this.guesses, this.rowsOf];
    parser.maxRfc822NestingDepth = this.maxRfc822NestingDepth;
    parser.rfc822NestingDepth = this.rfc822NestingDepth + 1;
    const message = await parser.parse(part.content ?? new ArrayBuffer(0));
    part.subMessage = message;
    const rows = this.rowsOf(message);
    const list = rows.map(([name, value]) => `- **${name}:** ${value}`).join('\n');
    const items = rows.map(([name, value]) => `<li><b>${name}:</b> ${escapeHtml(value)}</li>`).join('');
    const plain = [{ type: 'text', value: `\n${list}\n` }];
    if (list) this.textMap.set(part, { plain, html: [{ type: 'text', value: `<ul>${items}</ul>` }] });
    if (message.text || !message.html) this.textTypes.add('plain');
    if (message.html) this.textTypes.add('html');
    for (const [key, entry] of parser.textMap) this.textMap.set(key, entry);
    for (const attachment of message.attachments) this.attachments.push(attachment);
  }

  /** Converts a text to UTF-8. Uuencoded files inside the text become attachments. */
  #toUtf8(part: MailPart, content: ArrayBuffer): void {
    const { value, params } = part.contentType.parsed;
    const { text, encoding, isGuess } = decodeBytes(new Uint8Array(content), {
      contentType: params.charset ? `${value}; charset=${params.charset}` : value,
      declares: value === 'text/html' ? 'html' : 'nothing',
    });
    const decoded = UTF_7_LABEL.test(params.charset ?? '') ? decodeUtf7(text) : text;
    const plain = value === 'text/plain' ? withoutArmour(decoded) : decoded;
    const own = takeUuencodedFiles(plain, (filename, content) =>
      this.attachments.push({ filename, mimeType: 'application/octet-stream', disposition: null, content }),
    );
    // Pages saved by a browser (RFC 2557) have relative links. The page's own `<base>`, if any, comes first.
    const location = part.headers.find(({ key }) => key === 'content-location')?.value ?? '';
    const isBase = value === 'text/html' && /^https?:[^\s"<>]{1,2000}$/.test(location);
    if (isGuess) this.guesses.add(encoding);
    const isFlowed = value === 'text/plain' && /^flowed$/i.test(params.format ?? '');
    if (isFlowed) params.format = 'fixed';
    const lines = isFlowed
      ? withoutFlow(own, /^yes$/i.test(params.delsp ?? ''))
      : own + (isBase ? `<base href="${location}">` : '');
    part.content = new TextEncoder().encode(lines).buffer;
    params.charset = 'utf-8';
  }
}

export async function parseMessage(message: Uint8Array, rowsOf: MailParser['rowsOf']) {
  const parser = new MailParser(LIMITS);
  parser.rowsOf = rowsOf;
  return { email: await parser.parse(message), guesses: [...parser.guesses] };
}

/** Returns lines `name: value`, as in a report of delivery, with their words decoded and long lines joined. */
export function decodeHeadLines(bytes: Uint8Array): string {
  const lines = rewriteUtf7Words(decodeBytes(bytes).text).replace(/\r?\n[ \t]{1,99}(?=\S)/g, ' ');
  return joinCutWords(lines).replace(/=\?[^\n]{1,2000}\?=/g, decodeWords);
}

/** Joins lines of `format=flowed` text (RFC 3676). postal-mime would also join the `>` signs of quotes. */
function withoutFlow(text: string, deletesSpace: boolean): string {
  const lines: { depth: number; parts: string[]; goesOn: boolean }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [marks = ''] = /^>{0,99}/.exec(line) ?? [];
    const content = line.slice(marks.length).replace(/^ /, '');
    const goesOn = content.endsWith(' ') && content !== '-- ';
    const last = lines.at(-1);
    const part = goesOn && deletesSpace ? content.slice(0, -1) : content;
    if (last?.goesOn && last.depth === marks.length && content !== '-- ') last.parts.push(part);
    else lines.push({ depth: marks.length, parts: [part], goesOn });
    const now = lines.at(-1);
    if (now) now.goesOn = goesOn;
  }
  return lines
    .map(({ depth, parts }) => `${'>'.repeat(depth)}${depth > 0 ? ' ' : ''}${parts.join('')}`)
    .join('\n');
}

/** Writes the time of a mail as the sender's clock showed it, with its offset. The parser returns it in UTC. */
function withOffset(date: string | undefined, written: string): string | undefined {
  const [, sign, hours, minutes] = /([+-])(0\d|1[0-4]):?([0-5]\d)(?: ?\([^()]{0,99}\))?$/.exec(written) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  if (!offset || !date?.endsWith('Z')) return date;
  return `${new Date((parseInstant(date) ?? 0) + offset).toISOString().slice(0, 19)}${sign}${hours}:${minutes}`;
}

/** Returns a text that is signed inline with PGP (RFC 9580, 7) as it was before it was signed. */
function withoutArmour(text: string): string {
  const [before = '', ...others] = text.split(/^-----BEGIN PGP SIGNED MESSAGE-----[ \t]{0,9}\r?\n/m);
  return others.reduce((own, other) => {
    const [signed = '', signature = ''] = other.split(/^-----BEGIN PGP SIGNATURE-----[ \t]{0,9}\r?\n/m);
    const [, ...after] = signature.split(/^-----END PGP SIGNATURE-----[ \t]{0,9}(?:\r?\n|$)/m);
    const start = /^[ \t]{0,9}\r?\n([\s\S]*)/m.exec(signed)?.[1] ?? signed;
    return own + start.replace(/^- /gm, '') + after.join('');
  }, before);
}

/** Joins encoded words (RFC 2047) between which a character was cut. Their bytes are then decoded as one. */
function joinCutWords(header: string): string {
  return header.replace(ENCODED_RUN, (run) => {
    const words = [...run.matchAll(ENCODED_WORD)];
    const [charset, ...others] = new Set(words.map(([, label = '']) => label.toLowerCase()));
    const bytes = Buffer.concat(words.map(([, , code = '']) => Buffer.from(code, 'base64')));
    const whole = `=?${charset}?B?${bytes.toString('base64')}?=`;
    const unread = (...some: string[]) => some.map(decodeWords).join('').split('\ufffd').length;
    const isCut = unread(...words.map(([word]) => word)) > unread(whole);
    return isCut && others.length === 0 ? whole + run.slice(run.trimEnd().length) : run;
  });
}

/** Converts the header to UTF-8. Programs from before RFC 6532 may have written it in another encoding. */
function withUtf8Header(message: Uint8Array): Uint8Array {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const ends = ['\r\n\r\n', '\n\n'].map((end) => bytes.indexOf(end)).filter((at) => at >= 0);
  const header = bytes.subarray(0, ends.length > 0 ? Math.min(...ends) : bytes.length);
  const { text: decoded, encoding } = decodeBytes(header);
  const text = joinCutWords(rewriteUtf7Words(decoded));
  const body = bytes.subarray(header.length);
  return encoding === 'utf-8' && text === decoded ? message : Buffer.concat([Buffer.from(text), body]);
}
