import { type CredentialKind, credentialKind } from './credential-name.ts';

export interface CredentialAssignment {
  readonly name: string;
  readonly kind: CredentialKind;
  readonly value: string;
  readonly quoted: boolean;
  readonly start: number;
  readonly end: number;
}

const CORE = /pass|pwd|secret|token|key|salt|creds?|credential|pswd|senha|mdp|contrasena/gi;
const NAME = /[A-Za-z0-9_.$-]/;
const MAX_NAME_CHARACTERS = 80;
const MAX_VALUE_CHARACTERS = 400;
const MAX_ASSIGNMENTS = 500;

/** If `bare` is true, values without quotes count too. In code, values without quotes are expressions. */
export interface AssignmentOptions {
  readonly bare: boolean;
  /** True if a space alone may separate name and value, as in .netrc: `password secret`. */
  readonly blank: boolean;
}

/** Finds literals assigned to names of credentials, in any language. Runs in linear time. */
export function credentialAssignments(text: string, options: AssignmentOptions): CredentialAssignment[] {
  const found: CredentialAssignment[] = [];
  let after = 0;
  for (const match of text.matchAll(CORE)) {
    if (match.index < after) continue;
    const [start, end] = nameAround(text, match.index, after);
    after = end;
    const name = text.slice(start, end);
    const kind = end - start <= MAX_NAME_CHARACTERS ? credentialKind(name) : undefined;
    if (!kind) continue;
    const value = valueAfter(text, start, end, options);
    if (!value) continue;
    found.push({ name, kind, ...value });
    after = Math.max(after, value.quoted ? value.end : end);
    if (found.length === MAX_ASSIGNMENTS) break;
  }
  return found;
}

function nameAround(text: string, at: number, from: number): [start: number, end: number] {
  let [start, end] = [at, at];
  while (start > from && at - start <= MAX_NAME_CHARACTERS && NAME.test(text[start - 1] ?? '')) start--;
  while (end < text.length && end - at <= MAX_NAME_CHARACTERS && NAME.test(text[end] ?? '')) end++;
  return [start, end];
}

type Value = Pick<CredentialAssignment, 'value' | 'quoted' | 'start' | 'end'>;

function valueAfter(text: string, start: number, end: number, options: AssignmentOptions): Value | undefined {
  const before = text[start - 1] ?? '\n';
  const rest = text.slice(end, end + MAX_VALUE_CHARACTERS + 100);
  if (before === '<') return elementAt(rest, end);
  const separator =
    /^(?:\\?["'`\]]|\)\])?\s{0,20}(?::\s{0,5}(?:str|string|String|&str|Option<String>)\s{0,5}=|:=|=>|->|=(?![=~])|:(?![:-]))\s{0,20}/.exec(
      rest,
    )?.[0] ??
    pairSeparator(text, start, rest) ??
    (options.blank ? /^["']?[ \t]{1,20}(?=\S)/.exec(rest)?.[0] : undefined);
  if (separator === undefined || /[\r\n][^\S\r\n]*[\r\n]/.test(separator)) return undefined;
  const from = end + separator.length;
  const quoted = quotedAt(text, from);
  if (quoted || !options.bare || /[\r\n]/.test(separator)) return quoted;
  const bare = bareAt(text, from, options.blank) ?? environmentAt(text, start, end, from);
  if (!bare || !/[?&]/.test(before)) return bare;
  return isOfPicture(text, start) ? undefined : parameterIn(bare);
}

function parameterIn(bare: Value): Value | undefined {
  const [value = ''] = /^[^&#()[\]<>]{0,400}/.exec(bare.value) ?? [];
  return value === '' ? undefined : { ...bare, value, end: bare.start + value.length };
}

const MAX_ADDRESS_CHARACTERS = 300;
/** Matches URLs of images. Every browser that opens the page sends such a URL, so its parameters are public. */
const PICTURE = /\.(?:svg|png|gif|jpe?g|webp)\?|\bbadges?\b|\bshields\b/i;

function isOfPicture(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_ADDRESS_CHARACTERS), start);
  return PICTURE.test(before.split(/[\s()<>"']/).at(-1) ?? '');
}

function elementAt(rest: string, from: number): Value | undefined {
  const [tag, content] = /^(?:\s[^<>]{0,80})?>([^<\r\n]{1,400})<\//.exec(rest) ?? [];
  if (tag === undefined || content === undefined) return undefined;
  const start = from + tag.indexOf('>') + 1;
  return { value: content, quoted: true, start, end: start + content.length };
}

const SETTER =
  /(?:define|env|put|set|add|append|header|property|param(?:eter)?|config|option)\(\s{0,5}["']$/i;

function pairSeparator(text: string, start: number, rest: string): string | undefined {
  const opened = SETTER.test(text.slice(Math.max(0, start - 40), start));
  return opened ? /^["']\s{0,20},\s{0,20}/.exec(rest)?.[0] : undefined;
}

const PREFIXED = /^(?:[rbuf@$]{0,2}|os\.environ|base64:)?(?=["'`])/i;

function quotedAt(text: string, from: number): Value | undefined {
  const skip = PREFIXED.exec(text.slice(from, from + 12))?.[0].length ?? 0;
  const escaped = text[from + skip] === '\\' ? 1 : 0;
  const quote = text[from + skip + escaped] ?? '';
  if (!/["'`]/.test(quote)) return undefined;
  const start = from + skip + escaped + 1;
  const end = endOfQuoted(text, start, quote, escaped === 1);
  return end === undefined || end === start
    ? undefined
    : { value: text.slice(start, end), quoted: true, start, end };
}

/** Returns the offset of a string's end. Undefined if it is unclosed. `escaped`: quotes are like `\"`. */
function endOfQuoted(text: string, start: number, quote: string, escaped: boolean): number | undefined {
  for (let at = start; at < text.length && at - start <= MAX_VALUE_CHARACTERS; at++) {
    const character = text[at];
    if (character === '\n' || character === '\r') return undefined;
    if (character === quote) return at;
    if (character !== '\\') continue;
    if (escaped && text[at + 1] === quote) return at;
    at++;
  }
  return undefined;
}

/** Matches the text before a variable that is set for one command: a line start, `env`, `docker run -e`. */
const GIVEN = /(?:^|[\n;&|(`$]|\b(?:sudo|env|RUN)|\s(?:-e|--env))[ \t]{0,20}$/;
const FOR_COMMAND = /^[^\s,;"'`]{1,400}(?=[ \t]{1,10}[-a-z/.][\w./:-]{1,60}(?:\s|$))/;

function environmentAt(text: string, start: number, end: number, from: number): Value | undefined {
  if (!/^[A-Z][A-Z0-9_]{2,80}$/.test(text.slice(start, end)) || from !== end + 1) return undefined;
  if (!GIVEN.test(text.slice(Math.max(0, start - 30), start))) return undefined;
  const [value] = FOR_COMMAND.exec(text.slice(from, from + MAX_VALUE_CHARACTERS + 100)) ?? [];
  return value === undefined ? undefined : { value, quoted: false, start: from, end: from + value.length };
}

const BARE = /^[^\s,;"'`]{1,400}(?=[,;]?\s*$|\s+[#;/]|,\s|\s+[\w-]{1,40}=)/;
const BARE_BLANK = /^[^\s,;"'`]{1,400}(?=\s*$|\s+#|\s+[\w-]{1,40}(?:\s|$))/;

function bareAt(text: string, from: number, blank: boolean): Value | undefined {
  const line = /^[^\r\n]{0,400}/.exec(text.slice(from, from + MAX_VALUE_CHARACTERS))?.[0] ?? '';
  const value = (blank ? BARE_BLANK : BARE).exec(line)?.[0];
  if (value === undefined || /^[|>&*!][-+]?$/.test(value)) return undefined;
  return { value, quoted: false, start: from, end: from + value.length };
}
