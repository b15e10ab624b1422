import type { Address, Attachment, Email } from 'postal-mime';
import { asAppError } from '../../errors.ts';
import { describeGuess } from '../fetching/charset.ts';
import { toUrl } from '../fetching/page-url.ts';
import type { PageContent, RawPage } from '../reading/page.ts';
import { brokenFile } from './broken-file-error.ts';
import { dateOf } from './feed.ts';
import { fragmentToMarkdown } from './fragment.ts';
import { withoutInvisible } from './invisible-text.ts';
import type { DecodedMessage } from './mail-parts.ts';
import { formatFileSize, oneLine } from './markdown.ts';

const MAX_MESSAGES = 100;
const MAX_ATTACHMENTS = 20;

/** Reads a mail attachment in any supported format. Throws AppError `unsupported` for other formats, such as pictures. */
export type AttachmentReader = (raw: RawPage) => Promise<PageContent>;

/** Converts a message or mailbox to Markdown. Without `readAttachment`, attachments are only listed. */
export async function readMail(
  body: Uint8Array,
  url: string,
  kind: 'email' | 'mbox',
  readAttachment?: AttachmentReader,
): Promise<PageContent> {
  if (kind === 'email') return readMessage(body, url, readAttachment);
  const { messages, more } = splitMailbox(body);
  const units: string[] = [];
  for (const message of messages) {
    const { title, markdown } = await readMessage(message, url, undefined);
    units.push(`## ${title || 'Message without a subject'}\n\n${markdown}`);
  }
  if (more > 0) units.push(`${more} more messages are not shown.`);
  return { title: '', markdown: units.join('\n\n'), units };
}

async function readMessage(
  body: Uint8Array,
  url: string,
  inside: AttachmentReader | undefined,
): Promise<PageContent> {
  const { parseMessage } = await import('./mail-parts.ts');
  let message: DecodedMessage;
  try {
    message = await parseMessage(body);
  } catch (cause) {
    throw brokenFile(url, 'message', cause, 'its parts or headers have no end');
  }
  const content = await mailContent(message.email, url, inside);
  const [guess] = message.guesses;
  return guess === undefined ? content : { ...content, reduced: describeGuess(message.guesses.join(', ')) };
}

export type Mail = Pick<Email, 'from' | 'to' | 'cc' | 'date' | 'subject' | 'html' | 'text' | 'attachments'>;

export async function mailContent(
  email: Mail,
  url: string,
  readAttachment: AttachmentReader | undefined,
): Promise<PageContent> {
  const text = email.html ? fragmentToMarkdown(email.html, toUrl(url).href) : '';
  const parts = [headersOf(email), text.trim() || withoutInvisible(email.text ?? '').trim()];
  const attachments = email.attachments.filter(
    ({ related, mimeType }) => !(related && mimeType.startsWith('image/')),
  );
  if (attachments.length > 0)
    parts.push('## Attachments', await readAttachments(attachments, readAttachment));
  const published = dateOf(email.date ?? '');
  const author = email.from ? people([email.from]) : '';
  return {
    title: oneLine(email.subject ?? ''),
    markdown: parts.filter(Boolean).join('\n\n'),
    author: author || undefined,
    published: published || undefined,
  };
}

function headersOf({ from, to, cc, date, subject }: Mail): string {
  const rows = [
    ['From', from ? people([from]) : ''],
    ['To', people(to ?? [])],
    ['Cc', people(cc ?? [])],
    ['Date', (date ?? '').replace('.000Z', 'Z')],
    ['Subject', subject ?? ''],
  ];
  return rows
    .filter(([, value]) => value)
    .map(([name, value]) => `- **${name}:** ${oneLine(withoutInvisible(value ?? ''))}`)
    .join('\n');
}

/** Formats people as `Ada Lovelace (ada@example.com)`, because angle brackets would be a tag in Markdown. */
function people(addresses: readonly Address[]): string {
  const flat = addresses.flatMap((one) => one.group ?? [one]);
  const shown = flat.slice(0, 50).map(({ name, address }) => (name ? `${name} (${address ?? ''})` : address));
  return shown.join(', ') + (flat.length > shown.length ? ` and ${flat.length - shown.length} more` : '');
}

async function readAttachments(
  attachments: readonly Attachment[],
  inside: AttachmentReader | undefined,
): Promise<string> {
  const parts: string[] = [];
  for (const [index, { filename, mimeType, content }] of attachments.entries()) {
    const name = oneLine(withoutInvisible(filename ?? '')) || `attachment ${index + 1}`;
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    parts.push(`### ${name}`, `${mimeType}, ${formatFileSize(bytes.length)}`);
    if (!inside || index >= MAX_ATTACHMENTS || bytes.length === 0) continue;
    const { markdown, error } = await inside({ url: name, contentType: mimeType, body: bytes }).then(
      ({ markdown }) => ({ markdown, error: '' }),
      (thrown: unknown) => ({ markdown: '', error: asAppError(thrown).message }),
    );
    if (markdown.trim()) parts.push(markdown);
    else if (error) parts.push(`Not read: ${error}`);
  }
  return parts.join('\n\n');
}

/** Splits a mailbox at its `From ` lines (RFC 4155). Such a line in the text of a message is escaped as `>From `. */
function splitMailbox(body: Uint8Array): { messages: Uint8Array[]; more: number } {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const starts: number[] = [];
  for (let start = bytes.indexOf('From '); start >= 0; start = bytes.indexOf('\nFrom ', start + 1)) {
    starts.push(start);
  }
  const messages = starts.slice(0, MAX_MESSAGES).map((start, index) => {
    const message = bytes.subarray(start, starts[index + 1] ?? bytes.length);
    return message.subarray(message.indexOf('\n', 1) + 1 || message.length);
  });
  return { messages, more: starts.length - messages.length };
}
