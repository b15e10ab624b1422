import { AppError } from '../../errors.ts';
import type { Catalog } from '../../operation.ts';
import type { CompletionContext, Prompt } from '../../prompt.ts';
import { inputSchema } from '../input.ts';

/** Most suggestions of one completion; MCP's own limit. */
const MAX_SUGGESTIONS = 100;

/**
 * The instruction of a slash command to the assistant: which operation to call with which arguments, written from
 * both declarations. Values that are not given take the operation's start values.
 */
export function promptText(
  catalog: Catalog,
  prompt: Prompt,
  given: Readonly<Record<string, string | undefined>>,
): string {
  const operation = catalog.operations.find(({ name }) => name === prompt.operation);
  if (!operation) {
    return `The user typed /${prompt.name}, but this server does not offer ${prompt.operation}. Say so, and call nothing in its place.`;
  }
  const start = (operation.start ?? {}) as Record<string, unknown>;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(inputSchema(operation).properties ?? {})) {
    const argument = prompt.arguments.find((candidate) => candidate.name === name);
    const value = given[name]?.trim() || start[name];
    if (value !== undefined) values[name] = value;
    else if (argument?.required) throw missing(name, argument.description);
    else if (inputSchema(operation).required?.includes(name)) values[name] = '';
  }
  const call = `Call the tool ${operation.name} with ${JSON.stringify(values)}.`;
  return [`The user typed /${prompt.name}.`, prompt.before, call, prompt.after].filter(Boolean).join(' ');
}

function missing(name: string, description: string): AppError {
  const what = name === 'q' ? 'no query was provided: q is required' : `${name} is required`;
  return new AppError(
    'bad_request',
    `${what}, ${description.charAt(0).toLowerCase()}${description.slice(1)}`,
  );
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
