import { AppError } from '../../../errors.ts';
import { withoutInvisible } from '../../../lib/text/invisible.ts';
import type { PageContent } from '../../reading/page.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { oneLine } from '../markdown.ts';

const UNREAD = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict object header headerl headerr headerf footer footerl footerr footerf xmlnstbl themedata colorschememapping latentstyles datastore filetbl revtbl fldinst shppict nonshppict bkmkstart bkmkend'.split(
    ' ',
  ),
);
const SIGNS: Readonly<Record<string, string>> = {
  par: '\n\n',
  sect: '\n\n',
  page: '\n\n',
  line: '\n',
  row: '\n',
  cell: ' | ',
  tab: ' ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
};

/** Number of characters at the beginning of a file in which Outlook marks a text as converted from HTML ([MS-OXRTFEX]). */
const HEAD_CHARACTERS = 1000;

interface Group {
  readonly unread: boolean;
  readonly title: boolean;
  readonly hidden: boolean;
  /** True inside an HTML tag, in a text that Outlook has converted from HTML. */
  readonly isTag: boolean;
  /** In RTF, `\u` is followed by this number of substitute characters for programs without Unicode. The reader skips them. */
  readonly substitutes: number;
}

const TOKENS = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|[{}]|[^\\{}\r\n]+/g;

export async function readRtf(body: Uint8Array, url: string, isMailBody = false): Promise<PageContent> {
  const source = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const isHtml = isMailBody && /\\fromhtml1?(?!\d)/.test(source.slice(0, HEAD_CHARACTERS));
  const reader = new RtfReader(url, isHtml);
  for (const [token, word, number, hex, sign] of source.matchAll(TOKENS)) {
    if (hex !== undefined) reader.addByte(Number.parseInt(hex, 16));
    else if (word !== undefined) reader.readWord(word, number);
    else if (sign !== undefined) reader.readSign(sign);
    else if (token === '{') reader.openGroup();
    else if (token === '}') reader.closeGroup();
    else reader.addText(token);
  }
  reader.flush();
  if (isHtml)
    return { title: oneLine(reader.title), markdown: fragmentToMarkdown(reader.text.join(''), 'file:///') };
  const paragraphs = withoutInvisible(reader.text.join(''))
    .split(/\n{2,}/)
    .map((part) => part.replace(/[^\S\n]+/g, ' ').trim());
  return { title: oneLine(reader.title), markdown: paragraphs.filter(Boolean).join('\n\n') };
}

class RtfReader {
  readonly text: string[] = [];
  title = '';
  readonly #url: string;
  readonly #outer: Group[] = [];
  #group: Group = { unread: false, title: false, hidden: false, isTag: false, substitutes: 1 };
  #decoder = new TextDecoder('windows-1252');
  /** Bytes of text that are not decoded yet, because a character may consist of several bytes. */
  #bytes: number[] = [];
  #skip = 0;

  readonly #isHtml: boolean;

  constructor(url: string, isHtml: boolean) {
    this.#url = url;
    this.#isHtml = isHtml;
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
    this.#group = this.#outer.pop() ?? this.#group;
    this.#skip = 0;
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
    if (word === 'u') {
      this.#write(String.fromCharCode(value & 0xffff));
      this.#skip = this.#group.substitutes;
    } else if (word === 'uc') this.#set({ substitutes: Math.min(Math.max(value, 0), 10) });
    else if (word === 'ansicpg') this.#decoder = decoderOf(value);
    else if (word === 'v' || (this.#isHtml && word === 'htmlrtf')) this.#set({ hidden: number !== '0' });
    else if (this.#isHtml && word === 'htmltag') this.#set({ unread: false, isTag: true });
    else if (word === 'title') this.#set({ title: true });
    else if (word === 'info' || UNREAD.has(word)) this.#set({ unread: true });
    else if (word === 'bin') {
      throw new AppError('unsupported', `${this.#url} holds binary data in its text; save it as PDF`);
    } else if (Object.hasOwn(SIGNS, word)) this.#write(SIGNS[word] ?? '');
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
    if (this.#bytes.length > 0) this.#write(this.#decoder.decode(Uint8Array.from(this.#bytes)));
    this.#bytes = [];
  }

  #set(change: Partial<Group>): void {
    this.#group = { ...this.#group, ...change };
  }

  #write(text: string): void {
    if (this.#group.title) this.title += text;
    else if (!this.#group.unread && !this.#group.hidden)
      this.text.push(this.#isHtml && !this.#group.isTag ? text.replaceAll('<', '&lt;') : text);
  }
}

function decoderOf(codepage: number): TextDecoder {
  try {
    return new TextDecoder(CODEPAGES[codepage] ?? `windows-${codepage}`);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

const CODEPAGES: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};
