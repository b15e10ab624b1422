import type { Caller } from './caller.ts';
import type { Services } from './wiring/services.ts';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  complete?(value: string, ctx: CompletionContext): readonly string[] | Promise<readonly string[]>;
}

export interface CompletionContext {
  readonly caller: Caller;
  readonly services: Services;
}

/** A slash command: an MCP prompt that asks the assistant to call an operation. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: string;
  readonly arguments: readonly PromptArgument[];
  /** Instruction for the assistant: what to do with the operation's result. */
  readonly after: string;
  /** Instruction for the assistant before the call, for example to ask the user for confirmation. */
  readonly before?: string;
}

export const definePrompt = (prompt: McpPrompt): McpPrompt => prompt;

export function completeFrom(values: readonly string[]): NonNullable<PromptArgument['complete']> {
  return (value) => values.filter((candidate) => candidate.startsWith(value));
}
