import { AppError, badRequestError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { runInWorker } from '../../lib/workers/worker-pool.ts';
import type { UserRuleMistake, UserRules } from '../scanners/source/rules/own.ts';
import type { RuleCheckResult, RulesAnswer, RulesJob } from './own-rules-job.ts';

const [READ_MS, CHECK_MS] = [10_000, 120_000];
const MAX_NAMED = 200;

export async function readRules(path: string, signal: AbortSignal): Promise<UserRules> {
  const answer = await ask({ path, check: false }, READ_MS, signal);
  if ('rules' in answer) return answer.rules;
  throw refusal(path, answer);
}

export async function checkRules(path: string, signal: AbortSignal): Promise<RuleCheckResult> {
  const answer = await ask({ path, check: true }, CHECK_MS, signal);
  if ('checked' in answer) return answer.checked;
  throw refusal(path, answer);
}

/** Runs the job in a worker thread with a time limit, because a pattern in a rule file may run very long. */
async function ask(job: RulesJob, limitMs: number, signal: AbortSignal): Promise<RulesAnswer> {
  const file = moduleUrl('./own-rules-worker.ts', import.meta.url);
  const outcome = await runInWorker<RulesJob, RulesAnswer>(file, job, limitMs, signal);
  if ('answer' in outcome) return outcome.answer;
  return { unreadable: outcome.failed === 'time' ? 'they take too long' : 'they cannot be worked on' };
}

function refusal(path: string, answer: RulesAnswer): AppError {
  const where = `the rules in ${quoteName(path)}`;
  if ('unreadable' in answer) return badRequestError(`${where} cannot be read: ${answer.unreadable}`);
  if (!('mistakes' in answer)) return new AppError('internal', `${where} were not read`);
  const named = answer.mistakes.slice(0, MAX_NAMED).map(inWords);
  const more = answer.mistakes.length - named.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  const what = formatCount(answer.mistakes.length, 'mistake');
  return badRequestError(`${where} have ${what}:\n${[...named, ...rest].join('\n')}`);
}

const inWords = ({ file, line, rule, what }: UserRuleMistake): string =>
  `${file}:${line}: ${rule === undefined ? '' : `rule ${rule}: `}${what}`;
