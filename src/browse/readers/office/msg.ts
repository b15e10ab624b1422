import type { FieldsData } from '@kenjiuno/msgreader';
import type { Address, Attachment } from 'postal-mime';
import { AppError } from '../../../errors.ts';
import { parseInstant } from '../../../lib/time/written-date.ts';
import { unsupportedOleError } from '../../fetching/page-kind.ts';
import type { PageContent } from '../../reading/page.ts';
import { brokenFile } from '../broken-file-error.ts';
import { readCalendar } from '../calendar/calendar.ts';
import { type AttachmentReader, type Mail, mailContent } from '../email.ts';
import { oleNames } from './ole.ts';

const MAX_PARTS = 1000;
const PROPERTIES = '__properties_version1.0';
const UTF_8 = 65001;

/** Converts an Outlook message (`.msg`) to Markdown. Throws AppError `unsupported` for other files. */
export async function readMsg(
  body: Uint8Array,
  url: string,
  readAttachment: AttachmentReader | undefined,
): Promise<PageContent> {
  let mail: Mail;
  try {
    if (!oleNames(body).includes(PROPERTIES)) throw unsupportedOleError(url, body);
    mail = await mailOf(body);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw brokenFile(url, 'Outlook message', cause);
  }
  return mailContent(mail, url, readAttachment);
}

async function mailOf(body: Uint8Array): Promise<Mail> {
  const { default: library } = await import('@kenjiuno/msgreader');
  const bytes = Uint8Array.from(body).buffer;
  const open = (encoding: string) => {
    const reader = new library.default(bytes);
    reader.parserConfig = { ansiEncoding: encoding };
    return { reader, fields: reader.getFileData() };
  };
  let { reader, fields } = open('windows-1252');
  const page = fields.messageCodepage ?? fields.internetCodepage;
  if (typeof page === 'number' && page !== 1252) {
    try {
      ({ reader, fields } = open(page === UTF_8 ? 'utf8' : `cp${page}`));
    } catch {
      // If the library does not support the message's code page, the text is decoded as windows-1252.
    }
  }
  const attachments: Attachment[] = [];
  for (const part of (fields.attachments ?? []).slice(0, MAX_PARTS)) {
    const { fileName, content } = reader.getAttachment(part);
    attachments.push({
      filename: textOf(part.fileName) || textOf(part.fileNameShort) || textOf(fileName),
      mimeType:
        textOf(part.attachMimeTag) || (part.innerMsgContent ? 'application/vnd.ms-outlook' : 'a file'),
      disposition: 'attachment',
      related: part.attachmentHidden === true || textOf(part.pidContentId) !== '',
      content: Uint8Array.from(content),
    });
  }
  return { ...headersOf(fields), ...(await contentOf(fields)), attachments };
}

function headersOf(fields: FieldsData): Pick<Mail, 'from' | 'to' | 'cc' | 'date' | 'subject'> {
  const [name, address] = [
    textOf(fields.senderName),
    textOf(fields.senderSmtpAddress) || textOf(fields.senderEmail),
  ];
  const recipients = (fields.recipients ?? []).slice(0, MAX_PARTS);
  const those = (type: string) =>
    recipients
      .filter(({ recipType = 'to' }) => recipType === type)
      .map((one) => person(textOf(one.name), textOf(one.smtpAddress) || textOf(one.email)));
  const sent = [fields.clientSubmitTime, fields.messageDeliveryTime, fields.creationTime].find(Boolean);
  const time = parseInstant(textOf(sent));
  return {
    from: name || address ? person(name, address) : undefined,
    to: those('to'),
    cc: those('cc'),
    date: time === undefined ? undefined : new Date(time).toISOString(),
    subject: textOf(fields.subject),
  };
}

/** Formats a person. Omits an internal address of Exchange (`/o=…`), which is useless to readers. */
function person(name: string, address: string): Address {
  const known = address.startsWith('/') || address === name ? '' : address;
  return known ? { name, address: known } : { name: '', address: name };
}

/** Returns the body, or a contact or an appointment as `.vcf` and `.ics` files with the same facts are read. */
async function contentOf(fields: FieldsData): Promise<Pick<Mail, 'html' | 'text' | 'markdown'>> {
  const body = await bodyOf(fields);
  const entry = entryOf(fields);
  if (entry === undefined) return body;
  const [name, facts] = entry;
  const note = name === 'VCARD' ? 'NOTE' : 'DESCRIPTION';
  const told = [body.text, body.html].map((value) => escaped(value ?? ''));
  const lines = [...facts, [note, told[0]], ['X-ALT-DESC', told[1]]]
    .filter(([, value]) => value?.trim())
    .map(([field, value = '']) => `${field}:${value}`.replace(/\r\n?|\n/g, '\\n'));
  const all = [`BEGIN:${name}`, ...lines, `END:${name}`];
  const file = name === 'VCARD' ? all : ['BEGIN:VCALENDAR', ...all, 'END:VCALENDAR'];
  const { markdown } = readCalendar(file.join('\n'), '');
  return { markdown: [markdown, body.markdown].filter(Boolean).join('\n\n') };
}

function entryOf(
  fields: FieldsData,
): readonly [name: string, facts: readonly (readonly [string, string?])[]] | undefined {
  const { messageClass = '', subject } = fields;
  const list = (...values: readonly (string | undefined)[]) =>
    values.some((value) => value?.trim()) ? values.map((value) => escaped(value ?? '')).join(';') : undefined;
  if (/^IPM\.Contact/i.test(messageClass)) {
    const { streetAddress, addressCity, stateOrProvince, postalCode, country } = fields;
    const { workAddressStreet, workAddressCity, workAddressState, workAddressPostalCode } = fields;
    const work = list(
      '',
      '',
      workAddressStreet,
      workAddressCity,
      workAddressState,
      workAddressPostalCode,
      fields.workAddressCountry,
    );
    const main = list('', '', streetAddress, addressCity, stateOrProvince, postalCode, country);
    const simple = CONTACT.map(([field, name]) => [field, escaped(textOf(fields[name]))] as const);
    const places = [
      ['ADR;TYPE=work', work],
      ['ADR', main === work ? undefined : main],
    ] as const;
    return [
      'VCARD',
      [
        ['FN', escaped(textOf(subject))],
        ['ORG', list(fields.companyName, fields.departmentName)],
        ...simple,
        ...places,
      ],
    ];
  }
  if (!/^IPM\.(?:Appointment|Schedule\.Meeting)/i.test(messageClass)) return undefined;
  const [start, end] = [fields.apptStartWhole, fields.apptEndWhole].map((time) => {
    const at = parseInstant(textOf(time));
    return at === undefined ? undefined : new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
  });
  const place = escaped(textOf(fields.apptLocation) || textOf(fields.location));
  return [
    'VEVENT',
    [
      ['SUMMARY', escaped(textOf(subject))],
      ['DTSTART', start],
      ['DTEND', end],
      ['LOCATION', place],
    ],
  ];
}

const escaped = (value: string): string => value.replace(/[\\;,]/g, '\\$&');

/** Fields of a contact, and where they stand in a vCard. */
const CONTACT = [
  ['TITLE', 'title'],
  ['TEL;TYPE=work', 'businessTelephoneNumber'],
  ['TEL;TYPE=cell', 'mobileTelephoneNumber'],
  ['TEL;TYPE=home', 'homeTelephoneNumber'],
  ['TEL;TYPE=fax', 'businessFaxNumber'],
  ['EMAIL', 'email1EmailAddress'],
  ['URL', 'businessHomePage'],
  ['IMPP', 'instMsg'],
] as const satisfies readonly (readonly [string, keyof FieldsData])[];

async function bodyOf(fields: FieldsData): Promise<Pick<Mail, 'html' | 'text' | 'markdown'>> {
  const { bodyHtml, html, body, compressedRtf } = fields;
  if (typeof bodyHtml === 'string' && bodyHtml) return { html: bodyHtml };
  if (html instanceof Uint8Array && html.length > 0) {
    const { decodePage } = await import('../../fetching/charset.ts');
    const page = fields.internetCodepage === UTF_8 || !fields.internetCodepage ? '' : fields.internetCodepage;
    const contentType = page ? `text/html; charset=windows-${page}` : 'text/html; charset=utf-8';
    return { html: (await decodePage({ url: '', contentType, body: html }, 'html')).text };
  }
  if (textOf(body).trim() || !(compressedRtf instanceof Uint8Array)) return { text: textOf(body) };
  const { readCompressedRtf } = await import('./rtf.ts');
  return { markdown: await readCompressedRtf(compressedRtf) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
