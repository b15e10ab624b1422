import { TextDecoder as Decoder } from '@exodus/bytes/encoding.js';
import { declaredEncodings } from '../../../lib/encoding/declared-encoding.ts';
import { withoutInvisible } from '../../../lib/text/invisible.ts';

/** A content line of a calendar, such as `DTSTART;TZID=Europe/Berlin:20260314T100000` (RFC 5545, 3.1). */
export interface CalendarContentLine {
  readonly name: string;
  /** Prefix that related lines of a contact card share, for example `item1` in `item1.URL`. */
  readonly group: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly value: string;
}

export interface CalendarComponent {
  readonly name: string;
  readonly lines: CalendarContentLine[];
  readonly components: CalendarComponent[];
}

const MAX_DEPTH = 10;

export function parseComponents(text: string): CalendarComponent {
  const root: CalendarComponent = { name: '', lines: [], components: [] };
  const open = [root];
  let skipped = 0;
  for (const line of unfolded(text)) {
    const content = decoded(parseLine(line));
    const parent = open.at(-1) ?? root;
    if (content?.name === 'BEGIN') {
      if (open.length > MAX_DEPTH) {
        skipped++;
        continue;
      }
      const component = { name: content.value.trim().toUpperCase(), lines: [], components: [] };
      parent.components.push(component);
      open.push(component);
    } else if (content?.name === 'END') {
      if (skipped > 0) skipped--;
      else if (open.length > 1) open.pop();
    } else if (content && skipped === 0) parent.lines.push(content);
  }
  return root;
}

/** Joins lines that were folded inside a UTF-8 character, as by programs that count bytes (RFC 5545, 3.1). */
export function joinSplitCharacters(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const joined = text.replace(/(?<=[\xc2-\xf4][\x80-\xbf]{0,2})\r?\n[ \t](?=[\x80-\xbf])/g, '');
  return joined.length === text.length ? body : Buffer.from(joined, 'latin1');
}

/** Splits a calendar into lines. Joins folded lines, and quoted-printable lines that end with `=` or `= `. */
function unfolded(text: string): string[] {
  const lines: string[][] = [];
  let isOpen = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const parts = lines.at(-1);
    if (isOpen)
      parts?.push(parts.pop()?.trimEnd().slice(0, -1) ?? '', line.replace(/^[ \t](?==[\dA-F]{2})/i, ''));
    else if (parts && /^[ \t]/.test(line)) parts.push(line.slice(1));
    else lines.push([line]);
    isOpen = line.trimEnd().endsWith('=') && (isOpen || /^[^:]{0,300}QUOTED-PRINTABLE/i.test(line));
  }
  return lines.map((parts) => parts.join(''));
}

function decoded(line: CalendarContentLine | undefined): CalendarContentLine | undefined {
  if (!/^quoted-printable$/i.test(line?.parameters.ENCODING ?? '') || !line) return line;
  const binary = Buffer.from(line.value)
    .toString('latin1')
    .replace(/=([\dA-F]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const bytes = Buffer.from(binary, 'latin1');
  const named = declaredEncodings(bytes, `text/plain; charset=${line.parameters.CHARSET ?? ''}`, 'nothing');
  const encoding = named.find((name) => name !== 'replacement') ?? 'utf-8';
  const text = withoutInvisible(new Decoder(encoding).decode(bytes));
  return { ...line, value: text.replaceAll('\\', '\\\\').replace(/\r?\n/g, '\\n') };
}

function parseLine(line: string): CalendarContentLine | undefined {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === ';') {
      parts.push(line.slice(start, at));
      start = at + 1;
    } else if (!isQuoted && sign === ':') {
      const [name = '', ...parameters] = [...parts, line.slice(start, at)];
      if (!/^[\w.-]{1,100}$/.test(name)) return undefined;
      const dot = name.lastIndexOf('.');
      const named: Record<string, string> = {};
      for (const [key, value] of parameters.map(parseParameter))
        named[key] = named[key] ? `${named[key]},${value}` : value;
      return {
        name: name.slice(dot + 1).toUpperCase(),
        group: name.slice(0, Math.max(dot, 0)),
        parameters: named,
        value: line.slice(at + 1),
      };
    }
  }
  return undefined;
}

function parseParameter(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  const value = text
    .slice(at + 1)
    .replaceAll('"', '')
    // Decodes `^n`, `^'` and `^^`, the escapes of a parameter's value (RFC 6868).
    .replace(/\^([n'^])/g, (_all, sign: string) => (sign === 'n' ? ' ' : sign.replace("'", '"')));
  // Older contact cards write a parameter's value without its name, for example `TEL;CELL`.
  if (at < 0) return [/^(?:quoted-printable|base64)$/i.test(value) ? 'ENCODING' : 'TYPE', value];
  return [text.slice(0, at).toUpperCase(), value];
}

/** Decodes the escapes of a text, such as `\,` and `\n` (RFC 5545, 3.3.11). */
export function unescapeCalendarText(value: string): string {
  return value.replace(/\\([\\;,nN:"])/g, (_all, sign: string) => (/n/i.test(sign) ? '\n' : sign));
}
