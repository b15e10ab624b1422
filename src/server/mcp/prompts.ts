import { AppError } from '../../errors.ts';
import { type Catalog, type Offers, type Operation, offeredWord, withoutAbsent } from '../../operation.ts';
import type { CompletionContext, Prompt } from '../../prompt.ts';
import { inputSchema, parseInput, withStartValues } from '../input.ts';
import { namesOf } from '../offered.ts';

/** Most suggestions of one completion; MCP's own limit. */
const MAX_SUGGESTIONS = 100;

/**
 * The instruction of a slash command to the assistant: which operation to call with which arguments, written from
 * both declarations. Values that are not given take the operation's start values; those that are given are checked as
 * the operation's parameters are. Another word of the operation's family stands in where it is not offered. AppError `bad_request` names what is wrong and what it takes.
 */
export function promptText(
  catalog: Catalog,
  prompt: Prompt,
  given: Readonly<Record<string, string | undefined>>,
  offers: Offers,
): string {
  const operation = offeredWord(catalog, prompt.operation, offers);
  if (!operation) {
    return `The user typed /${prompt.name}, which is not offered here. Say so, and call nothing in its place.`;
  }
  checkNames(prompt, given);
  const { values, joined } = joinWords(prompt, operation, given);
  const input = parseInput(operation, withStartValues(operation, values), 'reject');
  const call = `Call the tool ${operation.name} with ${JSON.stringify(input)}.`;
  const caution = joined ? CUT_WORDS : undefined;
  const after = withoutAbsent(prompt.after, namesOf(catalog), offers);
  return [`The user typed /${prompt.name}.`, prompt.before, call, caution, after].filter(Boolean).join(' ');
}

const CUT_WORDS =
  'The client gave the words of q one by one and may have left out the last ones: where the user typed more, take all of it as q.';

/** Refuses an argument that the command does not have. What is typed after one that has none changes nothing. */
function checkNames(prompt: Prompt, given: Readonly<Record<string, unknown>>): void {
  const known = prompt.arguments.map(({ name }) => name);
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger === undefined || known.length === 0) return;
  throw new AppError(
    'bad_request',
    `unknown argument ${JSON.stringify(stranger.slice(0, 80))}: /${prompt.name} takes ${known.join(', ')}`,
  );
}

/**
 * Some clients split what the user typed at blanks and fill the arguments in with one word each: `/search how do magpies`
 * comes as `q: how, percentile: do`. Where the question is one word, and a number after it has letters, all of them
 * are words of the question. A client that gives a question of several words has not split it: its arguments stay.
 */
function joinWords(
  { arguments: [first, ...others] }: Pick<Prompt, 'arguments'>,
  operation: Operation,
  given: Readonly<Record<string, string | undefined>>,
): { values: Readonly<Record<string, string | undefined>>; joined: boolean } {
  if (!first) return { values: {}, joined: false };
  const trimmed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value?.trim()]));
  const question = trimmed[first.name];
  const { properties = {} } = inputSchema(operation);
  const isSplit =
    question !== undefined &&
    !/\s/.test(question) &&
    properties[first.name]?.format !== 'uri' &&
    others.some(({ name }) => properties[name]?.type === 'integer' && /\p{L}/u.test(trimmed[name] ?? ''));
  if (!isSplit) return { values: trimmed, joined: false };
  const words = [question, ...others.map(({ name }) => trimmed[name])].filter(Boolean);
  return { values: { [first.name]: words.join(' ') }, joined: true };
}

/** Suggestions for an argument, at most 100, each once. */
export async function completeArgument(
  prompt: Prompt,
  argument: string,
  value: string,
  ctx: CompletionContext,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const found = await prompt.arguments
    .find(({ name }) => name === argument)
    ?.complete?.(value.slice(0, 1000), ctx);
  const all = [...new Set(found ?? [])];
  return { values: all.slice(0, MAX_SUGGESTIONS), total: all.length, hasMore: all.length > MAX_SUGGESTIONS };
}
