import { badRequestError } from '../../errors.ts';
import {
  findOfferedOperation,
  type IsOffered,
  type Operation,
  type OperationCatalog,
  removeUnavailableMentions,
} from '../../operation.ts';
import type { CompletionContext, McpPrompt } from '../../prompt.ts';
import { addInputDefaults, inputSchema, parseInput } from '../input.ts';
import { listOperationNames } from '../offer-check.ts';

const MAX_SUGGESTIONS = 100;

export function promptText(
  catalog: OperationCatalog,
  prompt: McpPrompt,
  given: Readonly<Record<string, string | undefined>>,
  offers: IsOffered,
): string {
  const operation = findOfferedOperation(catalog, prompt.operation, offers);
  if (!operation) {
    return `The user typed /${prompt.name}, which is not offered here. Say so, and call nothing in its place.`;
  }
  checkNames(prompt, given);
  const { values, joined } = joinWords(prompt, operation, given);
  const input = parseInput(operation, addInputDefaults(operation, values), 'reject');
  const lacking = prompt.arguments.find(({ name, required }) => required && !values[name]);
  if (lacking) throw badRequestError(`${lacking.name} is required: ${lacking.description}`);
  const call = `Call the tool ${operation.name} with ${JSON.stringify(input)}.`;
  const caution = joined ? CUT_WORDS : undefined;
  const after = removeUnavailableMentions(prompt.after, listOperationNames(catalog), offers);
  return [`The user typed /${prompt.name}.`, prompt.before, call, caution, after].filter(Boolean).join(' ');
}

const CUT_WORDS =
  'The client gave the words of q one by one and may have left out the last ones: where the user typed more, take all of it as q.';

function checkNames(prompt: McpPrompt, given: Readonly<Record<string, unknown>>): void {
  const known = prompt.arguments.map(({ name }) => name);
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger === undefined || known.length === 0) return;
  throw badRequestError(
    `unknown argument ${JSON.stringify(stranger.slice(0, 80))}: /${prompt.name} takes ${known.join(', ')}`,
  );
}

/** Joins arguments that a client split at blanks: `how do magpies` arrives as `q: how, percentile: do`. */
function joinWords(
  { arguments: [first, ...others] }: Pick<McpPrompt, 'arguments'>,
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

export async function completeArgument(
  prompt: McpPrompt,
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
