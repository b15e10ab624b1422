import type { Address, Attachment, Email } from 'postal-mime';
import { asAppError } from '../../errors.ts';
import { describeGuess } from '../../lib/encoding/describe-guess.ts';
import { withoutInvisible } from '../../lib/text/invisible.ts';
import { parseInstant } from '../../lib/time/written-date.ts';
import { isWinmail } from '../fetching/page-kind.ts';
import { toUrl } from '../fetching/page-url.ts';
import type { PageContent, RawPage } from '../reading/page.ts';
import { brokenFile } from './broken-file-error.ts';
import { fragmentToMarkdown } from './fragment.ts';
import { escapeHeadings, formatFileSize, oneLine } from './markdown.ts';
import { signedMailContent } from './signed-mail.ts';
import { readWinmail, unpackWinmail } from './winmail.ts';

const MAX_MESSAGES = 100;
const MAX_ATTACHMENTS = 20;
const SIGNED = /^application\/(?:x-)?pkcs7-mime$/;
/** Media types of texts that are lines `name: value` like the head of a mail, in reports of delivery. */
const HEADS =
  /^(?:text\/rfc822-headers|message\/(?:global-headers|(?:global-)?(?:delivery-status|disposition-notification)|feedback-report))$/;

export type AttachmentReader = (raw: RawPage) => Promise<PageContent>;

export async function readMail(
  body: Uint8Array,
  url: string,
  kind: 'email' | 'mbox',
  readAttachment?: AttachmentReader,
): Promise<PageContent> {
  if (isWinmail(body)) return mailContent(await readWinmail(body), url, readAttachment);
  if (kind === 'email') return readMessage(withoutEnvelope(body), url, readAttachment);
  const { messages, more, deleted } = splitMailbox(body);
  const units: string[] = [];
  const times: string[] = [];
  for (const message of messages) {
    const { title, markdown, published = [] } = await readMessage(message, url, undefined);
    units.push(`## ${title || 'Message without a subject'}\n\n${markdown}`);
    times.push(...[published].flat());
  }
  if (more > 0) units.push(`${more} more messages are not shown.`);
  if (deleted > 0) units.push(`Messages that are marked as deleted are not shown: ${deleted}.`);
  const leftOut = deleted > 0 ? { 'a mail that is marked as deleted': deleted } : undefined;
  const [published] = times.sort();
  return { title: '', markdown: units.join('\n\n'), units, published, updated: times.at(-1), leftOut };
}

async function readMessage(body: Uint8Array, url: string, inside: AttachmentReader | undefined) {
  const { parseMessage } = await import('./mail-parts.ts');
  const message = await parseMessage(body, headerRows).catch((cause: unknown) => {
    throw brokenFile(url, 'message', cause, 'its parts or headers have no end');
  });
  const content = await mailContent(message.email, url, inside);
  const [guess] = message.guesses;
  return guess === undefined ? content : { ...content, reduced: describeGuess(message.guesses.join(', ')) };
}

export type Mail = Pick<
  Email,
  'from' | 'to' | 'cc' | 'replyTo' | 'date' | 'subject' | 'html' | 'text' | 'attachments'
> & { readonly markdown?: string | undefined };

export async function mailContent(
  packed: Mail,
  url: string,
  readAttachment: AttachmentReader | undefined,
): Promise<PageContent> {
  const email = await unpackWinmail(packed);
  const text = email.html ? fragmentToMarkdown(email.html, toUrl(url).href) : (email.markdown ?? '');
  const written = withoutInvisible(email.text ?? '').replace(/\r\n?/g, '\n');
  const plain = separateQuotes(written.trim());
  const head = headerRows(email).map(([name, value]) => `- **${name}:** ${value}`);
  const parts = [head.join('\n'), text.trim() || escapeHeadings(plain)];
  const attachments = email.attachments.filter(
    ({ related, mimeType, disposition }) =>
      !(related && mimeType.startsWith('image/')) && !(disposition === null && mimeType === 'text/css'),
  );
  if (attachments.length > 0)
    parts.push('## Attachments', await readAttachments(attachments, readAttachment));
  const time = parseInstant(email.date);
  const author = email.from ? people([email.from]) : '';
  return {
    title: oneLine(email.subject ?? ''),
    markdown: parts.filter(Boolean).join('\n\n'),
    author: author || undefined,
    published: time === undefined ? undefined : new Date(time).toISOString().replace('.000Z', 'Z'),
  };
}

function headerRows({ from, to, cc, replyTo, date, subject }: Omit<Mail, 'attachments'>) {
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['From', from ? people([from]) : ''],
    ['To', people(to ?? [])],
    ['Cc', people(cc ?? [])],
    ['Reply to', people((replyTo ?? []).filter(({ address }) => address !== from?.address))],
    ['Date', (date ?? '').replace('.000Z', 'Z')],
    ['Subject', subject ?? ''],
  ];
  return rows
    .filter(([, value]) => value)
    .map(([name, value]) => [name, oneLine(withoutInvisible(value))] as const);
}

/** Puts a blank line where the quote depth decreases. Otherwise the next line would join the quote. */
function separateQuotes(text: string): string {
  let above = 0;
  const separated = (line: string) => {
    const [marks = ''] = /^(?: ?>){0,99}/.exec(line) ?? [];
    const depth = line.trim() === marks.trim() ? 0 : marks.split('>').length - 1;
    const before = depth < above && line.trim() !== marks.trim() ? `${'>'.repeat(depth)}\n` : '';
    above = depth;
    return before + line;
  };
  return text.split('\n').map(separated).join('\n');
}

/** Writes people as `Ada Lovelace (ada@example.com)`, because angle brackets would be a tag in Markdown. */
function people(addresses: readonly Address[]): string {
  const shown = addresses
    .slice(0, 50)
    .map(({ name, address, group }) =>
      group ? `${name}: ${people(group)};` : name && address ? `${name} (${address})` : name || address,
    );
  const more = addresses.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export async function readAttachments(
  attachments: readonly Attachment[],
  inside: AttachmentReader | undefined,
) {
  const parts: string[] = [];
  const said = new Set<string>();
  for (const [index, { filename, mimeType, content }] of attachments.entries()) {
    const name = oneLine(withoutInvisible(filename ?? '')) || `attachment ${index + 1}`;
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    parts.push(`### ${name}`, `${mimeType}, ${formatFileSize(bytes.length)}`);
    if (!inside || index >= MAX_ATTACHMENTS || bytes.length === 0) continue;
    const raw = { url: name, ...(await attachmentContent(mimeType, bytes)) };
    const markdown = await inside(raw).then(
      (read) => read.markdown,
      (thrown: unknown) => `Not read: ${asAppError(thrown).message}`,
    );
    const lines = /^(?:text\/calendar|application\/ics)$/.test(mimeType) ? markdown.split('\n') : [];
    // Many programs send one invitation twice: for programs inside the text, and as a file for people.
    const isSaid = lines.length > 0 && lines.every((line) => said.has(line));
    for (const line of lines) said.add(line);
    if (markdown.trim() && !isSaid) parts.push(markdown);
  }
  return parts.join('\n\n');
}

async function attachmentContent(mimeType: string, bytes: Uint8Array): Promise<Omit<RawPage, 'url'>> {
  const signed = SIGNED.test(mimeType) ? signedMailContent(bytes) : undefined;
  if (signed) return { contentType: 'message/rfc822', body: signed };
  if (!HEADS.test(mimeType)) return { contentType: mimeType.includes('/') ? mimeType : '', body: bytes };
  const { decodeHeadLines } = await import('./mail-parts.ts');
  return { contentType: 'text/plain', body: Buffer.from(decodeHeadLines(bytes)) };
}

/** Removes what programs write before the head: a byte order mark, blank lines and the `From ` line of a mailbox. */
function withoutEnvelope(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const head = bytes.toString('latin1', 0, 200);
  const [before = ''] = /^(?:\xef\xbb\xbf)?[\r\n]{0,99}(?=[\w-]{1,80}:|>?From )/.exec(head) ?? [];
  const rest = bytes.subarray(before.length);
  const isEnvelope = /^>?From (?![ \t]{0,9}:)/.test(head.slice(before.length));
  return isEnvelope ? rest.subarray(rest.indexOf('\n') + 1) : rest;
}

const HEAD_BYTES = 65_536;
/** Matches Thunderbird's marks of a deleted message (bits 0x8 and 0x200000), and other programs' `Status: RD`. */
const MOZILLA_DELETED =
  /^X-Mozilla-Status(?:: ?[\da-f]{0,7}[89a-f]|2: ?[\da-f]{2}[2367abef][\da-f]{5})[ \t]{0,9}\r?$/im;
const STATUS_DELETED =
  /^(?:Status: ?(?=[A-Z]{0,4}D)[DNORU]{1,5}|X-Status: ?(?=[A-Z]{0,3}D)[ADFT]{1,4})[ \t]{0,9}\r?$/m;

function isMarkedAsDeleted(message: Buffer): boolean {
  const [head = ''] = message.toString('latin1', 0, HEAD_BYTES).split(/\r?\n\r?\n/, 1);
  return MOZILLA_DELETED.test(head) || STATUS_DELETED.test(head);
}

const SEPARATOR_BYTES = 1000;
/** Matches a mailbox's `From ` line and the header below. `TIMED` matches only a line with a time of day, or empty. */
const SEPARATOR = /^From (?![ \t]{0,9}:)[^\r\n]{0,500}(?:\r?\n>From [^\r\n]{0,300})?\r?\n[\w-]{1,80}:/;
const TIMED = /^From (?:[^\r\n]{0,400}\d:\d\d|-?[ \t]{0,9}\r?\n)/;

/** Splits a mailbox at `From ` lines (RFC 4155). Inside messages, `>From ` becomes `From ` again. */
function splitMailbox(body: Uint8Array) {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const lineAt = (at: number) => bytes.toString('latin1', at, at + SEPARATOR_BYTES);
  const starts: number[] = [];
  const begin = Math.max(bytes.indexOf('From '), 0);
  const areTimed = TIMED.test(lineAt(begin));
  for (let at = begin; ; ) {
    const line = lineAt(at);
    if (at === begin || (SEPARATOR.test(line) && (!areTimed || TIMED.test(line)))) starts.push(at);
    const next = bytes.indexOf('\nFrom ', at);
    if (next < 0) break;
    at = next + 1;
  }
  const all = starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
  const kept = all.filter((message) => !isMarkedAsDeleted(message));
  const messages = kept.slice(0, MAX_MESSAGES).map((message) => {
    const text = message.toString('latin1', message.indexOf('\n') + 1 || message.length);
    return Buffer.from(text.replace(/^>(?=>{0,99}From )/gm, ''), 'latin1');
  });
  return { messages, more: kept.length - messages.length, deleted: all.length - kept.length };
}
