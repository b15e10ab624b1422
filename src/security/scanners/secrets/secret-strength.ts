import { isTestOrExamplePath } from '../../trees/test-paths.ts';
import type { CredentialAssignment } from './assignments.ts';
import { credentialKind, wordsOf } from './credential-name.ts';
import { entropy } from './entropy.ts';
import { isTranslationFile, type SecretFileKind } from './file-kind.ts';
import { isPlaceholder } from './placeholder.ts';

export type SecretStrength = 'random' | 'chosen';

/** A random value has at least this length in characters, and at least this entropy in bits per character. */
const MIN_RANDOM_CHARACTERS = 16;
const MIN_RANDOM_BITS = 3;
const MIN_CODE_PASSWORD_CHARACTERS = 6;
const MIN_CHARACTERS = 4;
/** Matches a digit or `x` eight times in a row. Random texts hardly ever contain such a row. */
const REPEATS = /([0-9xX])\1{7}/;
const NUMBERED = /^[A-Za-z]{3,20}\d{2,6}$/;
/** Matches a setting for a user or host. A password near such a setting is probably real. */
const LOGIN =
  /(?:^|[^A-Za-z])(?:[a-z]{0,12}[_.-]?)?(?:user(?:name)?|usr|login|host(?:name)?|server|database|dbname|account|email|identity|uid|nick|machine)(?:[_-]?name)?["'\]>]{0,3}(?:\s{0,10}[=:>,]|[ \t]{1,10}["'\w])/i;

export function strengthOf(
  { name, kind, value: raw, quoted }: CredentialAssignment,
  judged: { readonly path: string; readonly place: SecretFileKind; readonly around: string },
): SecretStrength | undefined {
  const { path, place, around } = judged;
  const value = raw.trim();
  if (place === 'made' || isTestOrExamplePath(path) || isTranslationFile(path)) return undefined;
  if (
    value.length < MIN_CHARACTERS ||
    isPlaceholder(value) ||
    REPEATS.test(value) ||
    isPlainValue(value, quoted)
  )
    return undefined;
  if (isRandom(value)) return 'random';
  if (place === 'prose') return undefined;
  if (kind !== 'password' || /\s/.test(value)) return undefined;
  const seemsChosen = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (place === 'code') {
    const meant = quoted && value.length >= MIN_CODE_PASSWORD_CHARACTERS && seemsChosen;
    return meant && (!isName(value) || NUMBERED.test(value)) && !credentialKind(value) ? 'chosen' : undefined;
  }
  if (seemsChosen && !sameAsName(name, value)) return 'chosen';
  return LOGIN.test(around) && !/^\p{Lu}\p{Ll}+$/u.test(value) ? 'chosen' : undefined;
}

export function isRandom(value: string): boolean {
  const text = value.replace(/^base64:/, '');
  if (text.length < MIN_RANDOM_CHARACTERS || entropy(text) < MIN_RANDOM_BITS) return false;
  if (isName(text)) return false;
  const words = text.split(/\s+/);
  if (
    words.length > 4 &&
    words.filter((word) => /^["'(]?\p{L}{1,14}[.,:;!?)'"]?$/u.test(word)).length > words.length / 2
  ) {
    return false;
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  const marks = text.match(/[^\p{L}\d\s_.-]/gu)?.length ?? 0;
  return digits >= 2 || marks >= 4;
}

const MIN_DRAWN_CHARACTERS = 12;
const MIN_DRAWN_CHANGES = 5;
const CHOSEN = /p[a4@][s5$]{2}|[s5]ecr|w[o0]rd|admin|qwert|welcome|summer|winter/i;

export function isShortRandom(value: string): boolean {
  if (value.length < MIN_DRAWN_CHARACTERS || entropy(value) < MIN_RANDOM_BITS || CHOSEN.test(value))
    return false;
  const changes = value.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && changes >= MIN_DRAWN_CHANGES;
}

/** Matches the code between two strings, for example `" + password + "`, which looks like a quoted value. */
const BETWEEN = /^["'`]\s{0,5}[+.&|]|^\)\s{0,5}[.;,+]/;

function isPlainValue(value: string, quoted: boolean): boolean {
  if (quoted ? BETWEEN.test(value) : isCall(value)) return true;
  return /^(?:true|false|yes|no|on|off|null|none|nil|undefined|string|str|number|bool(?:ean)?|text|any|object|array|optional|required|hidden|password|passwd|secret|token|apikey|api[_-]key|bearer|basic|oauth2?|jwt|plain|prompt|ask|always|never)$/i.test(
    value,
  ) && !/^password$/i.test(value)
    ? true
    : /^-?\d{1,5}(?:\.\d+)?$/.test(value) ||
        /^(?:\.{0,2}|~|[A-Za-z]:)[\\/](?!.*[=+]{1,2}$)[\w.\\/ -]*$/.test(value) ||
        /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?:urn|arn|data|mailto|tel|javascript):|\/.*\/[a-z]{0,6};?$)/i.test(
          value,
        ) ||
        /^\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?$/.test(value) ||
        /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value) ||
        /^[\w.-]+\.(?:pem|key|crt|cer|p12|pfx|jks|json|ya?ml|txt|env|ini|html?|js|ts|py|java|com|org|net|io)$/i.test(
          value,
        ) ||
        /^[\w.$]+\(.*\)$|=>|;$|\s(?:&&|\|\||\?)\s/.test(value);
}

function isCall(value: string): boolean {
  const [, called = '', last = ''] =
    /^((?:[\p{L}_$][\p{L}\d_$]{0,60}(?:\.|::|->)){0,8}([\p{L}_$][\p{L}\d_$]{0,60}))[([{]/u.exec(value) ?? [];
  return called !== last || (last !== '' && isName(last));
}

/** True for an identifier of words with few digits: `someFunctionName`, `some-css-class`, `SOME_CONSTANT`. */
function isName(value: string): boolean {
  if (!/^[\p{L}_$][\p{L}\d_$]*(?:[-.:/ ][\p{L}\d_$]+)*$/u.test(value)) return false;
  const words = wordsOf(value);
  const digits = value.match(/\d/g)?.length ?? 0;
  const longest = words.reduce((most, word) => Math.max(most, word.length), 0);
  const separated = words.length > 1 && words.every((word) => /^[a-z]{2,14}\d{0,2}$|^\d{1,4}$/.test(word));
  return separated ? digits <= 4 : digits === 0 && longest <= 20 && !mixed(value);
}

function mixed(value: string): boolean {
  const changes = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
  return value.length >= 16 && changes > value.length / 5;
}

function sameAsName(name: string, value: string): boolean {
  const plain = (text: string) => wordsOf(text).join('');
  return plain(value) === plain(name) || wordsOf(name).join('').endsWith(plain(value));
}
