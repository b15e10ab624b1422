import { SECRET_RULES_BY_NAME, type SecretHit } from './hit.ts';
import written from './password-options.json' with { type: 'json' };
import { isExampleLogin, isPlaceholder } from './placeholder.ts';

/** Functions that extract the secret from an option's value. `password-options.json` contains their names. */
const SECRET_PARTS: Readonly<Record<string, (value: string) => string | undefined>> = {
  whole: (value) => value,
  afterColon: (value) => afterSign(value, ':'),
  afterPercent: (value) => afterSign(value, '%'),
  ofHeader: (value) =>
    /^(?:authorization|x-api-key|x-auth-token|x-access-token|private-token|api-key|apikey|job-token) {0,3}: {0,3}(?:(?:basic|bearer|token|apikey|api-token) {1,3})?([^ ]{8,300})$/i.exec(
      value,
    )?.[1],
};

function afterSign(value: string, sign: string): string | undefined {
  const at = value.indexOf(sign);
  return at < 0 ? undefined : value.slice(at + 1);
}

/**
 * Place of an option's value: `next` for `-p x`, `behind` for `-px`, `either` for both. Long options allow `=`.
 * MySQL's `-p` has its value in the same word: in `mysql -p shop`, `shop` is a database.
 */
type OptionForm = 'next' | 'behind' | 'either';
interface PasswordOption {
  readonly names: string;
  readonly secret?: string;
  readonly form?: OptionForm;
}
const OPTIONS = new Map(
  Object.entries(written).flatMap(([programs, options]) =>
    programs.split(' ').map((program) => [program, options as readonly PasswordOption[]] as const),
  ),
);
/** Subcommands whose options are read. `-p` is a password in `docker login -p`, but a port in `docker run -p 80:80`. */
const ONLY_AFTER: Readonly<Record<string, string>> = { docker: 'login', podman: 'login', az: 'login' };
const PROGRAMS = new RegExp([...OPTIONS.keys()].sort((a, b) => b.length - a.length).join('|'), 'g');
const MAX_COMMANDS = 1000;
const MIN_CHARACTERS = 4;

export function commandLoginsIn(text: string): SecretHit[] {
  const hits: SecretHit[] = [];
  let commands = 0;
  for (const { 0: program, index } of text.matchAll(PROGRAMS)) {
    const end = index + program.length;
    if (!/[ \t]/.test(text[end] ?? '') || /[\w.-]/.test(text[index - 1] ?? '')) continue;
    if (++commands > MAX_COMMANDS) break;
    const words = shellWordsAt(text, end);
    if (isCall(program, words)) hits.push(...loginsOf(program, words));
  }
  return hits;
}

function isCall(program: string, words: readonly ShellWord[]): boolean {
  const needed = ONLY_AFTER[program];
  return needed === undefined || words.some(({ value }) => value === needed);
}

function loginsOf(program: string, words: readonly ShellWord[]): SecretHit[] {
  return words.flatMap((word, at): SecretHit[] => {
    for (const one of OPTIONS.get(program) ?? []) {
      const given = givenTo(one, word, words[at + 1]);
      const secret = given && SECRET_PARTS[one.secret ?? 'whole']?.(given.value);
      if (!given || secret === undefined || !isMeant(secret)) continue;
      const start = given.end - secret.length;
      return [
        { ...SECRET_RULES_BY_NAME.commandLogin, secret, start, end: given.end, random: false, name: program },
      ];
    }
    return [];
  });
}

function givenTo({ names, form = 'next' }: PasswordOption, word: ShellWord, next: ShellWord | undefined) {
  const name = names.split(' ').find((one) => word.value.startsWith(one));
  if (name === undefined) return undefined;
  const rest = word.value.slice(name.length);
  if (rest === '') return form === 'behind' ? undefined : next;
  if (rest.startsWith('=')) return { value: rest.slice(1), end: word.end };
  return form === 'next' || name.startsWith('--') ? undefined : { value: rest, end: word.end };
}

function isMeant(secret: string): boolean {
  if (secret.length < MIN_CHARACTERS || /^[-/.]|[$`]|[\r\n]/.test(secret)) return false;
  return (
    !isPlaceholder(secret) &&
    !isExampleLogin(secret) &&
    !/^[\w./-]{1,100}\.(?:txt|pem|key|json|cnf)$/.test(secret)
  );
}

/** A word of a shell command. `end` is the offset after `value` in UTF-16 units, before a closing quote. */
interface ShellWord {
  readonly value: string;
  readonly end: number;
}

const MAX_COMMAND_CHARACTERS = 2000;
const MAX_WORDS = 100;

function shellWordsAt(text: string, from: number): ShellWord[] {
  const words: ShellWord[] = [];
  const last = Math.min(text.length, from + MAX_COMMAND_CHARACTERS);
  for (let at = from; at < last && words.length < MAX_WORDS; ) {
    const sign = text[at] ?? '';
    if (sign === ' ' || sign === '\t') at++;
    else if (sign === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) at += text[at + 1] === '\r' ? 3 : 2;
    else if (/[\r\n|;&()<>#]/.test(sign)) return words;
    else {
      const word = wordAt(text, at, last);
      if (!word) return words;
      words.push({ value: word.value, end: word.end });
      at = word.next;
    }
  }
  return words;
}

function wordAt(text: string, from: number, last: number): (ShellWord & { next: number }) | undefined {
  let [value, at, end] = ['', from, from];
  while (at < last) {
    const sign = text[at] ?? '';
    if (/[\s|;&()<>]/.test(sign)) break;
    if (sign === '"' || sign === "'") {
      const close = text.indexOf(sign, at + 1);
      // An unpaired quote ends the command, because it belongs to code around it: `run("curl -u a:b")`.
      if (close < 0 || close >= last || text.slice(at, close).includes('\n')) break;
      value += text.slice(at + 1, close);
      [at, end] = [close + 1, close];
    } else if (sign === '`' || (sign === '\\' && /\s/.test(text[at + 1] ?? ' '))) break;
    else {
      value += sign;
      end = ++at;
    }
  }
  return at === from ? undefined : { value, end, next: at };
}
