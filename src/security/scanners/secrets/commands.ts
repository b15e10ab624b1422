import type { SecretHit, SecretRule } from './hit.ts';
import { isPlaceholder } from './placeholder.ts';
import { type ShellWord, shellWordsAt } from './shell-words.ts';
import { isTaught } from './taught.ts';

export const COMMAND_LOGIN: SecretRule = {
  id: 'secrets/command-login',
  title: 'Login in a command',
  severity: 'high',
  cwe: 'CWE-798',
  danger:
    'Anyone who reads this file can log in with it, and so can who lists the processes of a machine that runs it',
  revoke: 'Change the password; give it to the command by the environment, a file or standard input',
};

/** The secret in the value of an option; undefined where it has none. */
type SecretIn = (value: string) => string | undefined;
const whole: SecretIn = (value) => value;
/** The password of `user:password`. */
const afterColon: SecretIn = (value) => afterSign(value, ':');
/** ... of `user%password`. */
const afterPercent: SecretIn = (value) => afterSign(value, '%');
const ofHeader: SecretIn = (value) =>
  /^(?:authorization|x-api-key|x-auth-token|x-access-token|private-token|api-key|apikey|job-token) {0,3}: {0,3}(?:(?:basic|bearer|token|apikey|api-token) {1,3})?([^ ]{8,300})$/i.exec(
    value,
  )?.[1];

function afterSign(value: string, sign: string): string | undefined {
  const at = value.indexOf(sign);
  return at < 0 ? undefined : value.slice(at + 1);
}

/** An option that takes a password: as a word of its own, `--password=x`, and where `joined` says so `-px`. */
interface PasswordOption {
  readonly names: readonly string[];
  readonly secretIn: SecretIn;
  readonly joined?: boolean;
}
const option = (names: string, secretIn: SecretIn = whole, joined = false): PasswordOption => ({
  names: names.split(' '),
  secretIn,
  joined,
});

const MYSQL = [option('--password', whole), { names: ['-p'], secretIn: whole, joined: true }];
const MONGO = [option('-p --password')];
const REGISTRY = [option('-p --password', whole, true)];
const OPTIONS: Readonly<Record<string, readonly PasswordOption[]>> = {
  curl: [option('-u --user -U --proxy-user', afterColon, true), option('-H --header', ofHeader, true)],
  wget: [option('--password --http-password --ftp-password --proxy-password'), option('--header', ofHeader)],
  http: [option('-a --auth', afterColon)],
  mysql: MYSQL,
  mysqldump: MYSQL,
  mysqladmin: MYSQL,
  mariadb: MYSQL,
  sshpass: [option('-p', whole, true)],
  mongo: MONGO,
  mongosh: MONGO,
  mongodump: MONGO,
  mongorestore: MONGO,
  'redis-cli': [option('-a --pass')],
  sqlcmd: [option('-P', whole, true)],
  docker: REGISTRY,
  podman: REGISTRY,
  helm: [option('--password')],
  ldapsearch: [option('-w', whole, true)],
  ldapmodify: [option('-w', whole, true)],
  smbclient: [option('-U --user', afterPercent, true)],
  keytool: [option('-storepass -keypass')],
  az: [option('-p --password --client-secret')],
};
/** Programs whose short options need a word of theirs before: `docker login -p`, but not `docker run -p 80:80`. */
const ONLY_AFTER: Readonly<Record<string, string>> = { docker: 'login', podman: 'login', az: 'login' };
const PROGRAMS = new RegExp(
  Object.keys(OPTIONS)
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'g',
);
/** Of one file: more add nothing new. */
const MAX_HITS = 100;
const MIN_CHARACTERS = 4;

/** Logins that stand in commands: `curl -u ada:...`, `mysql -p...`, `sshpass -p ...`. */
export function commandLoginsIn(text: string): SecretHit[] {
  const hits: SecretHit[] = [];
  for (const { 0: program, index } of text.matchAll(PROGRAMS)) {
    const end = index + program.length;
    if (!/[ \t]/.test(text[end] ?? '') || /[\w.-]/.test(text[index - 1] ?? '')) continue;
    const words = shellWordsAt(text, end);
    if (!isCall(program, words)) continue;
    hits.push(...loginsOf(program, words));
    if (hits.length >= MAX_HITS) return hits.slice(0, MAX_HITS);
  }
  return hits;
}

function isCall(program: string, words: readonly ShellWord[]): boolean {
  const needed = ONLY_AFTER[program];
  return needed === undefined || words.some(({ value }) => value === needed);
}

function loginsOf(program: string, words: readonly ShellWord[]): SecretHit[] {
  return words.flatMap((word, at): SecretHit[] => {
    for (const { names, secretIn, joined } of OPTIONS[program] ?? []) {
      const given = givenTo(word, words[at + 1], names, joined ?? false, program);
      const secret = given && secretIn(given.value);
      if (!given || secret === undefined || !isMeant(secret)) continue;
      const start = given.end - secret.length;
      return [{ ...COMMAND_LOGIN, secret, start, end: given.end, random: false, name: program }];
    }
    return [];
  });
}

/** What an option is given: in the next word, after `=`, or right behind it. */
function givenTo(
  word: ShellWord,
  next: ShellWord | undefined,
  names: readonly string[],
  joined: boolean,
  program: string,
): ShellWord | undefined {
  const name = names.find((one) => word.value.startsWith(one));
  if (name === undefined) return undefined;
  const rest = word.value.slice(name.length);
  // `mysql -p secret` asks for a password, and takes the word as a database.
  if (rest === '') return MYSQL === OPTIONS[program] && name === '-p' ? undefined : next;
  if (rest.startsWith('=')) return { value: rest.slice(1), end: word.end };
  return joined && !name.startsWith('--') ? { value: rest, end: word.end } : undefined;
}

function isMeant(secret: string): boolean {
  if (secret.length < MIN_CHARACTERS || /^[-/.]|[$`]|[\r\n]/.test(secret)) return false;
  return (
    !isPlaceholder(secret) && !isTaught(secret) && !/^[\w./-]{1,100}\.(?:txt|pem|key|json|cnf)$/.test(secret)
  );
}
