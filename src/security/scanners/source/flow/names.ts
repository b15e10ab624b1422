import type { ExprOf, FunctionNode } from '../ir.ts';
import { severityInBranch } from './calls/options.ts';
import { isConditionMet } from './report.ts';
import type { AnalysisRun } from './run.ts';
import {
  type AbstractValue,
  type FlowStep,
  findPredictableRandomness,
  GUESSABLE_TIME_TEXT_NOTE,
  isFromClock,
} from './values/value.ts';

export type WrittenAssignment = Omit<ExprOf<'assign'>, 'op' | 'target'>;

const SECRET_NAME =
  /(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential|session[_-]?id|session[_-]?key|nonce|csrf)s?$/i;
const PROOF_NAME =
  /(?:reset|verif(?:y|ication)|confirm(?:ation)?|activation|recovery|invit(?:e|ation)|auth|security|login|one[_-]?time)[_-]?(?:code|key|link|hash|pin)s?$/i;
const SHORT_NAME = /(?:^|[_.-])(?:pass|otp|salt)s?$/i;
const INNER_CAPITAL = /(?<=[a-z])(?=[A-Z])/g;

export const isSecretName = (name: string): boolean =>
  SECRET_NAME.test(name) || PROOF_NAME.test(name) || SHORT_NAME.test(name.replace(INNER_CAPITAL, '_'));

const MEANT =
  /(?:reset|session|sess|auth|access|verif\w{0,9}|confirm\w{0,6}|activation|invit\w{0,5}|remember(?:_?me)?|csrf|xsrf|api|refresh|login|password|recovery|security|magic)[_-]?(?:token|id|key|code|hash|secret|link)s?$/i;

export function isWeakSecret(name: string, random: FlowStep): boolean {
  if (!isFromClock(random)) return isSecretName(name);
  if (random.note !== GUESSABLE_TIME_TEXT_NOTE) return MEANT.test(name);
  return isSecretName(name) && !/nonce|salt/i.test(name);
}

const WORDS_AFTER = /_?(?:string|value|text|hex)$/i;

export function checkReturnedSecret(run: AnalysisRun, fn: FunctionNode, value: AbstractValue): void {
  const random = findPredictableRandomness(value);
  const name = (fn.name || run.named?.get(fn) || '').replace(WORDS_AFTER, '');
  if (random && name !== '' && isWeakSecret(name, random))
    run.report({ rule: 'source/weak-random', line: random.line, flow: random });
}

const CREDENTIAL_NAME =
  /(?:password|passwd|passphrase|pwd|secret|secret[_-]?key|api[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key|client[_-]?secret|(?:encryption|crypto|signing|hmac|aes|cipher)[_-]?key|token[_-]?salt)$/i;
const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+|changeme|change[_-]me|example|sample|dummy|placeholder|test\w*|password|passwd|pass|secret|token|string|none|null|undefined|true|false|todo|foo|bar|your[_-].*|<.*>|\$\{?.*|\{\{?.*|%.*|.*[\s/:,(].*)$/i;

export function isHardCodedCredential(name: string, text: string): boolean {
  if (text.length < 8 || text.length > 120) return false;
  if (!CREDENTIAL_NAME.test(name) && !(name === 'KEY' && text.length >= 16)) return false;
  if (PLACEHOLDER.test(text)) return false;
  // A credential is a long number, or a text with a letter and a digit. Labels contain no digits.
  if (/^\d{16,}$/.test(text)) return true;
  return /\d/.test(text) && /[a-z]/i.test(text) && !/^[a-z]+(?:[-_.][a-z0-9]{1,2})?$/i.test(text);
}

export function checkSecretAssignment(
  run: AnalysisRun,
  name: string,
  value: AbstractValue,
  written: WrittenAssignment,
): void {
  const random = findPredictableRandomness(value);
  if (random && isWeakSecret(name, random))
    run.report({ rule: 'source/weak-random', line: random.line, flow: random });
  const text = written.value;
  if (text.op !== 'constant' || typeof text.value !== 'string' || written.adds) return;
  if (isHardCodedCredential(name, text.value)) {
    run.report({ rule: 'source/hard-coded-credentials', line: written.line, secret: text.value });
  }
}

const COUNTED = /tokens$/i;

export function checkSecretEntry(run: AnalysisRun, key: string, value: AbstractValue): void {
  const random = findPredictableRandomness(value);
  if (random && isWeakSecret(key, random) && !COUNTED.test(key))
    run.report({ rule: 'source/weak-random', line: random.line, flow: random });
}

export function checkObjectKey(
  run: AnalysisRun,
  key: string,
  value: AbstractValue,
  line: number,
  fields?: ReadonlyMap<string, AbstractValue>,
): void {
  for (const check of run.rules.rules.keyChecks) {
    if (!check.key.test(key) || !isConditionMet(value, check.is)) continue;
    if (check.imports && !check.imports.test(run.imports)) continue;
    const other = check.beside && fields?.get(check.beside.key);
    const { beside } = check;
    if (!beside || (beside.absent ? !other : other && isConditionMet(other, beside.is)))
      run.report({ rule: check.rule, line, severity: severityInBranch(run, check.rule, check.severity) });
  }
}
