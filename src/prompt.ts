import type { Caller } from './caller.ts';
import type { Services } from './wiring/services.ts';

/** One argument of a slash command; prompt arguments are always strings. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  /** Values that begin with `value`, best first. */
  complete?(value: string, ctx: CompletionContext): readonly string[] | Promise<readonly string[]>;
}

export interface CompletionContext {
  readonly caller: Caller;
  readonly services: Services;
}

/** A slash command: an MCP prompt that directs the assistant to the operation to call, and with what. */
export interface Prompt {
  /** Without the slash. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The operation that carries the command out. */
  readonly operation: string;
  readonly arguments: readonly PromptArgument[];
  /** What the assistant does with the answer; one or two sentences. */
  readonly after: string;
  /** What must come before the call, if anything (a confirmation). */
  readonly before?: string;
}

export function definePrompt(prompt: Prompt): Prompt {
  return prompt;
}

/** Completes from a fixed list. */
export function completeFrom(values: readonly string[]): NonNullable<PromptArgument['complete']> {
  return (value) => values.filter((candidate) => candidate.startsWith(value));
}
