import { AppError } from '../../../errors.ts';
import { withoutInvisible } from '../../../lib/text/invisible.ts';
import type { PageContent } from '../../reading/page.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { convertToSuperscript } from '../html/markdown/superscripts.ts';
import { escapeBlockStart, markdownTable, oneLine } from '../markdown.ts';
import { targetOfHyperlink } from './hyperlink-field.ts';
import { linkTo } from './relations.ts';
import tables from './rtf.json' with { type: 'json' };

/** RTF tables: groups to skip, texts by control word, encodings by code page, code pages by font charset. */
const TABLES: {
  readonly unread: string;
  readonly signs: Readonly<Record<string, string>>;
  readonly codepages: Readonly<Record<string, string>>;
  readonly charsets: Readonly<Record<string, number>>;
} = tables;
const UNREAD = new Set(TABLES.unread.split(' '));

/** Unicode noncharacters, which occur in no text. `ROW` begins a table row, `CELL` separates its cells. */
const [ROW, CELL] = ['\ufdd0', '\ufdd1'];

/** Number of first characters in which Outlook's mark `\fromhtml` is searched for ([MS-OXRTFEX]). */
const HEAD_CHARACTERS = 1000;

interface Group {
  readonly unread: boolean;
  readonly title: boolean;
  readonly hidden: boolean;
  /** True inside an HTML tag. Only text that Outlook converted from HTML contains tags. */
  readonly isTag: boolean;
  /** Number of characters to skip after `\u`: older programs show them in place of the Unicode character. */
  readonly substitutes: number;
  readonly isRaised: boolean;
  readonly isFonts: boolean;
  readonly decoder: TextDecoder | undefined;
  readonly out: string[];
  readonly address: string | undefined;
  /** Code of the innermost open field. */
  readonly code: string[];
}

interface OpenRow {
  readonly out: string[];
  readonly start: number;
  readonly cells: string[];
}

const TOKENS = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|[{}]|[^\\{}\r\n]+/g;

/** Reads the compressed RTF text of an Outlook message ([MS-OXRTFCP]). */
export async function readCompressedRtf(bytes: Uint8Array): Promise<string> {
  const { decompressRTF } = await import('@kenjiuno/decompressrtf');
  const packed = Buffer.from(bytes);
  if (packed.length < 16) return '';
  // The library reads zeros behind the end if the stated size is larger than the data.
  packed.writeUInt32LE(Math.min(packed.readUInt32LE(0), packed.length - 4), 0);
  return (await readRtf(Uint8Array.from(decompressRTF([...packed])), 'the text', true)).markdown;
}

export async function readRtf(body: Uint8Array, url: string, isMailBody = false): Promise<PageContent> {
  const source = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const isHtml = isMailBody && /\\fromhtml1?(?!\d)/.test(source.slice(0, HEAD_CHARACTERS));
  const reader = new RtfReader(url, isHtml, !source.includes('fHidden'));
  for (const [token, word, number, hex, sign] of source.matchAll(TOKENS)) {
    if (hex !== undefined) reader.addByte(Number.parseInt(hex, 16));
    else if (word !== undefined) reader.readWord(word, number);
    else if (sign !== undefined) reader.readSign(sign);
    else if (token === '{') reader.openGroup();
    else if (token === '}') reader.closeGroup();
    else reader.addText(token);
  }
  reader.flush();
  reader.endRow();
  if (isHtml)
    return { title: oneLine(reader.title), markdown: fragmentToMarkdown(reader.text.join(''), 'file:///') };
  const notes = reader.notes.map((note, at) => `[^${at + 1}]: ${textOfNote(note)}`);
  return { title: oneLine(reader.title), markdown: [...blocksOf(reader.text), ...notes].join('\n\n') };
}

function textOfNote(note: readonly string[]): string {
  return oneLine(withoutInvisible(note.join('').replace(/[\ufdd0\ufdd1]/g, ' ')));
}

function blocksOf(text: readonly string[]): string[] {
  const blocks: string[] = [];
  let rows: string[][] = [];
  for (const part of [...withoutInvisible(text.join('')).split(/\n{2,}/), '']) {
    const words = part.replace(/[^\S\n]+/g, ' ').trim();
    if (words.startsWith(ROW)) rows.push(words.slice(1).split(CELL));
    else if (words || part === '') {
      blocks.push(markdownTable(rows), escapeBlockStart(words).replace(/^[·•▪] ?/, '- '));
      rows = [];
    }
  }
  return blocks.filter(Boolean);
}

class RtfReader {
  readonly text: string[] = [];
  readonly notes: string[][] = [];
  title = '';
  readonly #url: string;
  readonly #outer: Group[] = [];
  #group: Group = {
    unread: false,
    title: false,
    hidden: false,
    isTag: false,
    substitutes: 1,
    isRaised: false,
    isFonts: false,
    decoder: undefined,
    out: this.text,
    address: undefined,
    code: [],
  };
  readonly #fonts = new Map<number, TextDecoder>();
  #font = 0;
  readonly #author: string[] = [];
  #row: OpenRow | undefined;
  /** True after `\pard`, until a control word says that the paragraph is in a table. */
  #isOutside = false;
  #decoder = new TextDecoder('windows-1252');
  /** Bytes that are not decoded yet, because a character may consist of several bytes. */
  #bytes: number[] = [];
  #skip = 0;

  readonly #isHtml: boolean;
  readonly #readsShapes: boolean;

  constructor(url: string, isHtml: boolean, readsShapes: boolean) {
    this.#url = url;
    this.#isHtml = isHtml;
    this.#readsShapes = readsShapes;
  }

  addByte(byte: number): void {
    if (this.#skip > 0) this.#skip--;
    else this.#bytes.push(byte);
  }

  openGroup(): void {
    this.flush();
    this.#outer.push(this.#group);
  }

  closeGroup(): void {
    this.flush();
    const { out, address } = this.#group;
    this.#group = this.#outer.pop() ?? this.#group;
    if (out !== this.#group.out && this.#row?.out === out) this.endRow();
    this.#skip = 0;
    if (address !== undefined && out !== this.#group.out)
      this.#group.out.push(linkTo({ target: '', type: '', address }, out.join('')));
  }

  addText(text: string): void {
    this.flush();
    const dropped = Math.min(this.#skip, text.length);
    this.#skip -= dropped;
    this.#write(text.slice(dropped));
  }

  readWord(word: string, number: string | undefined): void {
    this.flush();
    const value = Number(number ?? 1);
    const change = changeOf(word, value, number !== '0', this.#isHtml);
    if (change) this.#set(change);
    else if (word === 'u') {
      this.#write(String.fromCharCode(value & 0xffff));
      this.#skip = this.#group.substitutes;
    } else if (word === 'ansicpg' || word === 'mac') this.#decoder = decoderOf(number ? value : MAC);
    else if (word === 'bin')
      throw new AppError('unsupported', `${this.#url} holds binary data in its text; save it as PDF`);
    else if (word === 'f' && !this.#group.isFonts) this.#set({ decoder: this.#fonts.get(value) });
    else if (word === 'f') this.#font = value;
    else if (word === 'fcharset') this.#defineFont(TABLES.charsets[value]);
    else if (Object.hasOwn(TABLES.signs, word)) {
      if (word === 'par' && this.#isOutside && this.#row?.out === this.#group.out) this.endRow();
      this.#write(TABLES.signs[word] ?? '');
    } else if (!this.#isHtml) this.#readStructure(word);
    else if (word === 'fldinst') this.#set({ unread: true });
  }

  #readStructure(word: string): void {
    const { unread, out, code } = this.#group;
    if (word === 'field') this.#set({ code: [] });
    else if (word === 'fldinst') {
      code.length = 0;
      this.#set({ unread: false, address: undefined, out: code });
    } else if (word === 'fldrslt') {
      const address = targetOfHyperlink(code.splice(0).join(''));
      if (address) this.#set({ address, out: [] });
    } else if (word === 'atnauthor') this.#set({ unread: false, out: this.#author });
    else if (word === 'annotation') this.#openNote(`Comment by ${this.#author.splice(0).join('')}: `);
    else if (word === 'footnote') this.#openNote('');
    else if (word === 'shptxt') {
      if (this.#readsShapes) this.#set({ unread: false });
      this.#write('\n\n');
    } else if (unread) return;
    else if (word === 'pard') {
      this.#isOutside = true;
      if (this.#row?.cells.length === 0) this.#row = undefined;
    } else if (word === 'trowd' || word === 'intbl') {
      this.#isOutside = false;
      this.#row ??= { out, start: out.length, cells: [] };
    } else if (/^(?:cell|row)$/.test(word)) {
      this.#isOutside = false;
      // A few programs omit the beginning of a row. The row then begins after the last paragraph.
      this.#row ??= { out, start: out.findLastIndex((piece) => piece.includes('\n\n')) + 1, cells: [] };
      if (this.#row.out === out) this.#endCell(word, this.#row);
    }
  }

  #openNote(before: string): void {
    const { hidden, out } = this.#group;
    const isUnread = hidden || (this.#outer.at(-1)?.unread ?? false);
    if (!isUnread) out.push(`[^${this.notes.push([before.replace(' by :', ':')])}]`);
    this.#set({ unread: isUnread, isRaised: false, address: undefined, out: this.notes.at(-1) ?? [] });
  }

  #endCell(word: string, { out, start, cells }: OpenRow): void {
    const text = out.splice(start).join('').split(/\n+/).map(oneLine).filter(Boolean).join('\n');
    // A few programs omit the end of the last cell, so the row's end also ends the cell.
    if (word === 'cell' || text) cells.push(text);
    if (word === 'row') this.endRow();
  }

  endRow(): void {
    const { out, start, cells } = this.#row ?? { out: this.text, start: 0, cells: [] };
    if (cells.length > 0) out.splice(start, 0, `\n\n${ROW}${cells.join(CELL)}\n\n`);
    this.#row = undefined;
  }

  #defineFont(codepage: number | undefined): void {
    if (this.#group.isFonts && codepage !== undefined) this.#fonts.set(this.#font, decoderOf(codepage));
  }

  readSign(sign: string): void {
    this.flush();
    if (sign === '*') this.#set({ unread: true });
    else if (sign === '~') this.#write(' ');
    else if (sign === '_') this.#write('-');
    else if (/[\\{}]/.test(sign)) this.#write(sign);
    else if (/[\r\n]/.test(sign)) this.#write('\n\n');
  }

  flush(): void {
    if (this.#bytes.length > 0)
      this.#write((this.#group.decoder ?? this.#decoder).decode(Uint8Array.from(this.#bytes)));
    this.#bytes = [];
  }

  #set(change: Partial<Group>): void {
    this.#group = { ...this.#group, ...change };
  }

  #write(text: string): void {
    const { title, unread, hidden, isTag, isRaised, out } = this.#group;
    const words = text.replace(/[\ufdd0-\ufdef]/g, '');
    if (title) this.title += words;
    else if (unread || hidden) return;
    else if (this.#isHtml) out.push(isTag ? words : words.replaceAll('<', '&lt;'));
    else out.push(isRaised ? convertToSuperscript(words, out.at(-1) ?? '') : words);
  }
}

const MAC = 10_000;

function changeOf(word: string, value: number, isOn: boolean, isHtml: boolean): Partial<Group> | undefined {
  switch (word) {
    case 'uc':
      return { substitutes: Math.min(Math.max(value, 0), 10) };
    case 'v':
    case 'deleted':
      return { hidden: isOn };
    case 'htmlrtf':
      return isHtml ? { hidden: isOn } : undefined;
    case 'htmltag':
      return isHtml ? { unread: false, isTag: true } : undefined;
    case 'plain':
      return { ...(!isHtml && { hidden: false }), isRaised: false, decoder: undefined };
    case 'super':
      return { isRaised: isOn };
    case 'nosupersub':
      return { isRaised: false };
    case 'title':
      return { title: true };
    case 'fonttbl':
      return { unread: true, isFonts: true };
    default:
      return UNREAD.has(word) ? { unread: true } : undefined;
  }
}

function decoderOf(codepage: number): TextDecoder {
  try {
    return new TextDecoder(TABLES.codepages[codepage] ?? `windows-${codepage}`);
  } catch {
    return new TextDecoder('windows-1252');
  }
}
