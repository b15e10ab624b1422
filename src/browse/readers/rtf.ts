import { AppError } from '../../errors.ts';
import type { Content } from '../page.ts';
import { withoutInvisible } from './hidden.ts';
import { oneLine } from './markdown.ts';

/** Groups that are no text of the document. */
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

interface Group {
  readonly unread: boolean;
  /** Whether it is the document's title. */
  readonly title: boolean;
  readonly hidden: boolean;
  /** Characters that stand in for one that \u names, for programs that know no Unicode. */
  readonly substitutes: number;
}

/** Rich Text Format as plain paragraphs. */
export async function readRtf(body: Uint8Array, url: string): Promise<Content> {
  const source = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  let decoder = new TextDecoder('windows-1252');
  let group: Group = { unread: false, title: false, hidden: false, substitutes: 1 };
  const outer: Group[] = [];
  const out: string[] = [];
  let title = '';
  let bytes: number[] = [];
  let skip = 0;
  const write = (text: string) => {
    if (group.title) title += text;
    else if (!group.unread && !group.hidden) out.push(text);
  };
  const flush = () => {
    if (bytes.length > 0) write(decoder.decode(Uint8Array.from(bytes)));
    bytes = [];
  };
  // A control word, an escaped byte, a sign, a bracket, or a run of text.
  for (const [token, word, number, hex, sign] of source.matchAll(
    /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|[{}]|[^\\{}\r\n]+/g,
  )) {
    if (hex !== undefined) {
      if (skip > 0) skip--;
      else bytes.push(Number.parseInt(hex, 16));
      continue;
    }
    flush();
    if (token === '{') {
      outer.push(group);
    } else if (token === '}') {
      group = outer.pop() ?? group;
      skip = 0;
    } else if (word !== undefined) {
      const value = Number(number ?? 1);
      if (word === 'u') {
        write(String.fromCharCode(value & 0xffff));
        skip = group.substitutes;
      } else if (word === 'uc') group = { ...group, substitutes: Math.min(Math.max(value, 0), 10) };
      else if (word === 'ansicpg') decoder = decoderOf(value);
      else if (word === 'v') group = { ...group, hidden: number !== '0' };
      else if (word === 'title') group = { ...group, title: true };
      else if (word === 'info') group = { ...group, unread: true };
      else if (UNREAD.has(word)) group = { ...group, unread: true };
      else if (word === 'bin')
        throw new AppError('unsupported', `${url} holds binary data in its text; save it as PDF`);
      else if (Object.hasOwn(SIGNS, word)) write(SIGNS[word] ?? '');
    } else if (sign !== undefined) {
      if (sign === '*') group = { ...group, unread: true };
      else if (sign === '~') write(' ');
      else if (sign === '_') write('-');
      else if (/[\\{}]/.test(sign)) write(sign);
      else if (/[\r\n]/.test(sign)) write('\n\n');
    } else {
      const dropped = Math.min(skip, token.length);
      skip -= dropped;
      write(token.slice(dropped));
    }
  }
  flush();
  const paragraphs = withoutInvisible(out.join(''))
    .split(/\n{2,}/)
    .map((part) => part.replace(/[^\S\n]+/g, ' ').trim());
  return { title: oneLine(title), markdown: paragraphs.filter(Boolean).join('\n\n') };
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
