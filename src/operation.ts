import { z } from 'zod';
import type { Caller, Scope } from './caller.ts';
import type { Logger } from './log.ts';
import type { Prompt } from './prompt.ts';
import type { Services } from './wiring/services.ts';

/** Groups of operations. The setting `--toolsets` chooses which groups a server offers as tools. */
export const TOOLSETS = ['web', 'knowledge', 'documents', 'automation', 'security'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Method and path of a REST route, such as `'GET /search'`. A parameter in the path is written as `{name}`. */
export type Route = `${'GET' | 'POST'} /${string}`;

export type ReaderKind = 'model' | 'person';

/** True if the reader of a text may use this operation. Texts for this reader mention no other operations. */
export type IsOffered = (operation: string) => boolean;

export type Consent = 'yes' | 'no' | 'unasked';

/** An answer in a media type other than JSON. With a file name, it is a file and may exceed the size limit of answers. */
export type FormattedAnswer = string | { readonly content: string | Uint8Array; readonly fileName: string };

export const VIEWS = ['monitors', 'findings', 'compliance'] as const;
export type View = (typeof VIEWS)[number];

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

export interface AnswerPreferences {
  /** True for programs and people, who get the complete answer. False for language models, which get it in pages. */
  readonly whole: boolean;
  /** True if the caller does not wait for a long answer but reads it later (`Prefer: respond-async` in REST). */
  readonly later: boolean;
}

/** What the `run` method of an operation receives besides its input. */
export interface Context {
  readonly caller: Caller;
  readonly services: Services;
  /** All operations and prompts of this server, for the operations `list` and `help`. */
  readonly catalog: Catalog;
  /** True if the caller may use this operation: their interface (REST, MCP, terminal) has it and their scopes allow it. */
  offers(operation: string): boolean;
  readonly log: Logger;
  /** Aborts when the caller cancels or the time limit of the call is reached. */
  readonly signal: AbortSignal;
  /** Maximum size in bytes of an answer as JSON. Operations that can shorten their answer keep to it themselves. */
  readonly responseBytes: number;
  /** True if texts for a language model may advise it to save its previous answer in the knowledge base. */
  readonly saveAdvice: boolean;
  /** The user's answer to the operation's `question`. `unasked` if the caller's interface cannot ask a user. */
  readonly consent: Consent;
  readonly wishes: AnswerPreferences;
  /** Folders on this machine in which the MCP client works. Empty if they are unknown or the call does not need them. */
  readonly folders: readonly string[];
  /** Counts a fetch. Returns false at the key's daily limit. Throws `unauthenticated` for an invalid key. */
  countFetch(): Promise<boolean>;
  progress(message: string): void;
}

export interface Catalog {
  readonly operations: readonly Operation[];
  readonly withheld?: readonly Operation[];
  readonly readOnly?: boolean;
  readonly prompts: readonly Prompt[];
}

export interface MissingCredentials {
  /** What the credentials are for, shown to the user who is asked for them, such as `on Make, for: Watch https://...`. */
  readonly purpose: string;
  /** Description of each credential, by the name of its parameter. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A function of Magpie. Its MCP tool, REST route, CLI command and documentation are made from this description. */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  /** Name of the MCP tool, which is also the `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly title: string;
  /** Description for a language model: what the tool does and returns, and when another tool is better. */
  readonly description: string;
  readonly toolset: Toolset;
  /** True if the operation is in the `essential` toolset: one per family, and those that undo or continue its work. */
  readonly essential?: boolean;
  /** Name of another operation that this one replaces where that one is not offered. */
  readonly family?: string;
  readonly routes: readonly Route[];
  readonly effect: 'read' | 'write' | 'destroy';
  readonly openWorld: boolean;
  readonly scope: Scope;
  /** True if a call with this input changes data. For operations of which most calls only read; needs the scope `write`. */
  writes?(input: Readonly<Record<string, unknown>>): boolean;
  /** True if the operation sets its own time limit, so that the usual one does not apply. A function decides by the input. */
  readonly long?: true | ((input: Readonly<Record<string, unknown>>) => boolean);
  /** True if an answer may have more than 25,000 tokens, above which some clients do not show it to the model. */
  readonly hasLargeAnswer?: true;
  /** Starts to run the operation's background jobs in this process. Called once, when a server starts. */
  handleJobs?(services: Services): Promise<void>;
  readonly input: In;
  readonly output: Out;
  /** Names of parameters with credentials. Their values are not stored and do not appear in errors or logs. */
  readonly secret?: readonly string[];
  /** Parameters that are optional in the schema but needed. The operation itself reports a missing one. */
  readonly needed?: readonly string[];
  /** In the terminal, standard input is used for the first parameter if it is missing and none of `unless` is given. */
  readonly piped?: { readonly unless: readonly string[] };
  /** Values for parameters that are left out, in all interfaces except REST. */
  readonly start?: Partial<z.input<In>>;
  readonly helpName?: string;
  /** Optional parameters that the list of MCP tools omits to save tokens, such as `monitoring_options.expect`. */
  readonly unlisted?: readonly string[];
  /** What the list of MCP tools does not describe, as a similar tool has it: `output`, or `both` (with input). */
  readonly terse?: 'output' | 'both';
  /** Example input. The documentation shows it, and a test runs it on all interfaces. */
  readonly example: z.input<In>;
  /** Returns a yes-or-no question for the user, to ask before the operation runs. `ctx.consent` then has the answer. */
  question?(ctx: Context, input: z.output<In>): Promise<string | undefined>;
  inFolders?(input: Readonly<Record<string, unknown>>): boolean;
  /** Returns the names of secret parameters that are missing in the input. The interface asks the user for them if it can. */
  lacks?(
    input: Readonly<Record<string, unknown>>,
    ctx: Pick<Context, 'caller' | 'services' | 'signal'>,
  ): Promise<MissingCredentials | undefined>;
  run(input: z.output<In>, ctx: Context): Promise<z.input<Out>>;
  /** True if the output says that the requested object does not exist. The CLI then exits with code 1. */
  missed?(output: z.output<Out>): boolean;
  /** Returns the output as text, in which only operations that `offers` accepts are mentioned. Default: JSON. */
  render?(output: z.output<Out>, reader: ReaderKind, offers: IsOffered): string;
  /** Returns the REST path of a result that is not ready yet. REST then answers with status 202. */
  laterAt?(output: z.output<Out>): string | undefined;
  readonly types?: readonly string[];
  /** Returns the answer in the requested media type, or undefined if it has no such form. The answer is then JSON. */
  write?(type: string, output: z.output<Out>, ctx: Context): Promise<FormattedAnswer | undefined>;
  /** Returns the media type that the parameters of a GET request ask for, instead of the header `Accept`. */
  linkType?(parameters: Readonly<Record<string, unknown>>): string | undefined;
  readonly view?: View;
  viewData?(output: z.output<Out>, ctx: Context): Promise<Readonly<Record<string, unknown>> | undefined>;
  links?(output: z.output<Out>): readonly ResourceLink[];
}

/** Returns the operation with this name or, if it is not offered, the first offered one that can replace it. */
export function findOfferedOperation(
  { operations }: Catalog,
  name: string,
  offers: IsOffered,
): Operation | undefined {
  const family = operations.find((operation) => operation.name === name)?.family ?? name;
  const words = operations.filter((operation) => operation.name === family || operation.family === family);
  return [...words.filter((word) => word.name === name), ...words].find((word) => offers(word.name));
}

/** Names of operations that are also English words. In a text they count as names only after words such as `use`. */
const PLAIN = /^(?:search|browse|query|insert|document|scan|list|help|reset|hybrid)$/;

/** Returns the names of operations that one of Magpie's texts mentions, except in double quotes, which cite a caller. */
export function operationsNamed(text: string, names: readonly string[]): string[] {
  const ours = text.replace(/"[^"]*"/g, '""');
  return names.filter((name) => {
    if (!ours.includes(name)) return false;
    const pointer = PLAIN.test(name) ? '(?:with|by|as|like|of|from|use|call|ask|tool)\\s' : '';
    return new RegExp(`(?<![\\w/])${pointer}${name}(?!\\w)`, 'i').test(ours);
  });
}

/** Removes sentences and clauses that mention an operation that is not offered from one of Magpie's texts. */
export function removeUnavailableMentions(text: string, names: readonly string[], offers: IsOffered): string {
  const absent = names.filter((name) => !offers(name));
  if (operationsNamed(text, absent).length === 0) return text;
  const kept = clausesOf(text).filter((clause) => operationsNamed(clause, absent).length === 0);
  return kept
    .join('')
    .trim()
    .replace(/[;:]$/, text.endsWith('.') ? '.' : '');
}

/** Splits a text after each full stop, semicolon or colon that a blank follows, except within double quotes. */
function clausesOf(text: string): string[] {
  const clauses: string[] = [];
  let [from, quoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    if (quoted || !'.;:'.includes(text.charAt(at)) || text[at + 1] !== ' ') continue;
    clauses.push(text.slice(from, at + 2));
    from = at + 2;
  }
  return [...clauses, text.slice(from)];
}

/** Members of output objects that the list of MCP tools describes. An output may have others too. */
export const listedFields = z.registry<{ readonly fields: readonly string[] }>();

export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
