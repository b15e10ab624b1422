import { isConversationTurn } from '../importing/conversation-turn.ts';
import type { TextBlock } from './text-blocks.ts';

/** Finds the context of a part of a text, such as its table's header. Call `read` in text order. */
export interface ContextReader {
  readonly isByLine: boolean;
  read(start: number, end: number): string | undefined;
}

const MAX_LINE_CHARS = 300;
const DELIMITER_ROW = /^\|? {0,9}:?-{1,100}:? {0,9}(?:\||$)/;
const CSV_LINES = 3;
/** CSV separators and their minimum number per line. Commas need two, because prose has commas too. */
const SEPARATORS = [
  [';', 1],
  ['\t', 1],
  [',', 2],
] as const;
const DEFINITION =
  /^(?:export |default |public |private |protected |internal |static |async |abstract |final |pub |unsafe |virtual |override |sealed ){0,6}(?:function|class|interface|struct|enum|impl|trait|module|namespace|def|fn|func|fun|sub|CREATE (?:TABLE|FUNCTION|VIEW))\b/i;
const ARROW =
  /^(?:export )?(?:const|let|var) [\w$]{1,80} ?= ?(?:async ?)?(?:function\b|\([^()]{0,200}\) ?=>)/;
const METHOD = /^(?:[\w<>[\],.?*&]{1,60} ){1,4}[\w$]{1,80}\([^;]{0,200}$/;
const MAIL_HEADER =
  /^(from|to|date|sent|subject|von|an|gesendet|datum|betreff|de|à|objet|asunto|fecha): (.{1,200})$/i;
const TOLD_HEADERS = /^(?:from|date|sent|subject|von|gesendet|datum|betreff|de|objet|asunto|fecha)$/i;
const SENT_HEADERS = /^(?:date|sent|gesendet|datum|fecha)$/i;
const MAX_HEADERS = 8;
const MAX_TURN_CHARS = 80;

export function createContextReader(text: string, block: TextBlock): ContextReader {
  if (block.kind === 'table') return readTable(text, block);
  if (block.kind === 'code') return readCode(text, block);
  const head = block.kind === 'text' ? csvHead(text, block) : undefined;
  if (head === undefined) return { isByLine: false, read: readTurn(text, block) };
  return { isByLine: true, read: (start) => (start > block.start ? head : undefined) };
}

function readTable(text: string, { start: first, end: last }: TextBlock): ContextReader {
  const [head = '', delimiter = ''] = firstLines(text, first, last, 2);
  const hasHead = DELIMITER_ROW.test(delimiter.trim());
  const context = [leadIn(text, first), hasHead ? cellsOf(head) : ''].filter(Boolean).join(' › ');
  const isBelow = (start: number) => start > first + (hasHead ? head.length + delimiter.length + 1 : 0);
  return { isByLine: true, read: (start) => (isBelow(start) && context !== '' ? context : undefined) };
}

function cellsOf(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(' | ');
}

const CAPTION = /^(?:table|tabelle|tableau|tabla|tabela|tabella|表) ?\d|:$/iu;
const MAX_LEAD_IN_CHARS = 100;

/** Returns a table's caption: the short line above that ends with a colon or begins like `Table 1`. */
function leadIn(text: string, start: number): string {
  const above = text.slice(Math.max(0, start - MAX_LINE_CHARS), start).trimEnd();
  const line = above.slice(above.lastIndexOf('\n') + 1).trim();
  return line.length <= MAX_LEAD_IN_CHARS && CAPTION.test(line) ? line.replace(/:$/, '') : '';
}

function readCode(text: string, { start: first }: TextBlock): ContextReader {
  const open: { readonly indent: number; readonly line: string }[] = [];
  return {
    isByLine: true,
    read(start, end) {
      const raw = text.slice(start, Math.min(end, start + MAX_LINE_CHARS)).trimEnd();
      const line = raw.trimStart();
      if (line === '' || start === first) return open.at(-1)?.line;
      const indent = raw.length - line.length;
      const closes = /^[)\]}]/.test(line);
      while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent + Number(closes)) open.pop();
      const within = open.map((one) => one.line).join(' ') || undefined;
      if (DEFINITION.test(line) || ARROW.test(line) || METHOD.test(line))
        open.push({ indent, line: line.replace(/[ {:(]{1,4}$/, '') });
      return within;
    },
  };
}

function csvHead(text: string, { start, end }: TextBlock): string | undefined {
  const lines = firstLines(text, start, end, CSV_LINES);
  if (lines.length < CSV_LINES) return undefined;
  const [head = ''] = lines;
  const found = SEPARATORS.find(([separator, least]) => {
    const count = head.split(separator).length - 1;
    return count >= least && lines.every((line) => line.split(separator).length - 1 === count);
  });
  if (found === undefined || /[.!?]$/.test(head.trim())) return undefined;
  return head
    .split(found[0])
    .map((cell) => cell.trim())
    .join(' | ');
}

function readTurn(text: string, { start: first, end: last }: TextBlock): ContextReader['read'] {
  const [line = ''] = firstLines(text, first, last, 1);
  const begin = line.slice(0, MAX_TURN_CHARS);
  if (!isConversationTurn(begin)) return () => undefined;
  const context = begin.slice(0, /:\**\s/.exec(begin)?.index ?? begin.length).trim();
  return (start) => (start > first ? context : undefined);
}

export function findMailContext(text: string): {
  readonly context: string | undefined;
  readonly end: number;
} {
  const told: string[] = [];
  let [end, count, isMail] = [0, 0, false];
  for (const line of firstLines(text, 0, text.length, MAX_HEADERS)) {
    const [, name = '', value = ''] = MAIL_HEADER.exec(line.replaceAll('*', '')) ?? [];
    if (name === '') break;
    count++;
    end += line.length + 1;
    if (TOLD_HEADERS.test(name)) told.push(value.trim());
    isMail ||= value.includes('@') || (SENT_HEADERS.test(name) && /\d/.test(value));
  }
  return { context: count >= 2 && told.length >= 2 && isMail ? told.join(', ') : undefined, end };
}

function firstLines(text: string, start: number, end: number, count: number): string[] {
  return text
    .slice(start, Math.min(end, start + count * MAX_LINE_CHARS))
    .split('\n', count)
    .map((line) => line.trimEnd());
}
