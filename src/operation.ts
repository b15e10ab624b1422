import { z } from 'zod';
import type { AccessScope, Caller } from './caller.ts';
import type { Logger } from './log.ts';
import type { McpPrompt } from './prompt.ts';
import type { Services } from './wiring/services.ts';

export const TOOLSETS = ['web', 'knowledge', 'documents', 'automation', 'security'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Method and path of a REST route, for example `'GET /search/{name}'` with a parameter `name`. */
export type RestRoute = `${'GET' | 'POST'} /${string}`;

export type AnswerReaderKind = 'model' | 'person';

/** Returns true if a caller may use the operation. Texts for the caller name no other operations. */
export type IsOffered = (operation: string) => boolean;

export type UserConsent = 'yes' | 'no' | 'unasked';

/** An answer that is not JSON. With `fileName`, it may be larger than other answers. */
export type FormattedAnswer = string | { readonly content: string | Uint8Array; readonly fileName: string };

export const MCP_APP_VIEWS = ['monitors', 'findings', 'compliance'] as const;
export type McpAppView = (typeof MCP_APP_VIEWS)[number];

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

export interface AnswerPreferences {
  /** True for programs and people, who get the complete answer. Language models get it in pages. */
  readonly whole: boolean;
  /** True if a slow result is fetched later by a second call (REST: `Prefer: respond-async`). */
  readonly later: boolean;
}

export interface OperationContext {
  readonly caller: Caller;
  readonly services: Services;
  readonly catalog: OperationCatalog;
  /** Returns true if this interface (REST, MCP, terminal) has the operation and the caller may call it. */
  offers(operation: string): boolean;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** When the call's time ends, on the clock of `performance.now()`. Long operations have no end. */
  readonly endsAt?: number;
  /** Maximum bytes of the answer as JSON, for operations that can shorten their answer. */
  readonly responseBytes: number;
  /** True if texts for a language model may advise saving the last answer. */
  readonly saveAdvice: boolean;
  /** The user's answer to `question`. It is `unasked` if the interface cannot ask questions. */
  readonly consent: UserConsent;
  readonly wishes: AnswerPreferences;
  readonly folders: readonly string[];
  /** Counts a fetch, or returns false at the daily limit. Throws AppError `unauthenticated`. */
  countFetch(): Promise<boolean>;
  progress(message: string): void;
}

export interface JobStopContext extends Pick<OperationContext, 'caller' | 'services'> {
  /** Milliseconds since 1970. A job that started before was started by another call, and goes on. */
  readonly startedAt: number;
}

export interface OperationCatalog {
  readonly operations: readonly Operation[];
  readonly withheld?: readonly Operation[];
  /** `connection`: only the connection of the call is read-only. */
  readonly readOnly?: boolean | 'connection';
  readonly prompts: readonly McpPrompt[];
}

export interface MissingCredentials {
  /** Follows the operation's title in a request for credentials, for example `on Make, for: Watch ...`. */
  readonly purpose: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** A function of Magpie, from which its MCP tool, REST route, CLI command and documentation are made. */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a language model: what the tool does and returns, and when to use another tool. */
  readonly description: string;
  readonly toolset: Toolset;
  /** True for the toolset `essential`: main operations, and operations that undo or continue a main one. */
  readonly essential?: boolean;
  /** Name of a similar main operation. If the main operation is not offered, this operation replaces it. */
  readonly family?: string;
  readonly routes: readonly RestRoute[];
  readonly effect: 'read' | 'write' | 'destroy';
  readonly openWorld: boolean;
  readonly scope: AccessScope;
  /** Returns true if this input needs the scope `write`, although the operation mostly only reads. */
  writes?(input: Readonly<Record<string, unknown>>): boolean;
  /** True if the operation has its own time limit, or a function that returns true for such an input. */
  readonly long?: true | ((input: Readonly<Record<string, unknown>>) => boolean);
  /** True if calls within the time limit often take so long that clients stop waiting. */
  readonly slow?: true;
  /** True if answers may exceed 25,000 tokens. Without this mark, Claude Code would save them to a file. */
  readonly hasLargeAnswer?: true;
  /** Starts processing the operation's background jobs. A server calls it once when it starts. */
  handleJobs?(services: Services): Promise<void>;
  readonly input: In;
  readonly output: Out;
  /** Parameters with credentials, which are never stored and never appear in errors or logs. */
  readonly secret?: readonly string[];
  /** Required parameters that the schema makes optional. The operation itself reports a missing one. */
  readonly needed?: readonly string[];
  /** In the terminal, standard input can give the first parameter, if no parameter of `unless` is given. */
  readonly piped?: { readonly unless: readonly string[] };
  /** Default values of parameters for all interfaces except REST. */
  readonly start?: Partial<z.input<In>>;
  readonly helpName?: string;
  /** Optional parameters that tool listings leave out to save tokens. */
  readonly unlisted?: readonly string[];
  /** Schemas that tool listings shorten, because a similar tool has them in full. `both`: input, output. */
  readonly terse?: 'output' | 'both';
  /** Example input for the documentation. A test runs the operation with it on all interfaces. */
  readonly example: z.input<In>;
  /** Returns a yes-or-no question to ask the user before `run`. `ctx.consent` then has the answer. */
  question?(ctx: OperationContext, input: z.output<In>): Promise<string | undefined>;
  inFolders?(input: Readonly<Record<string, unknown>>): boolean;
  /** Returns which secret parameters are missing, so that the interface can ask the user for them. */
  lacks?(
    input: Readonly<Record<string, unknown>>,
    ctx: Pick<OperationContext, 'caller' | 'services' | 'signal'>,
  ): Promise<MissingCredentials | undefined>;
  run(input: z.output<In>, ctx: OperationContext): Promise<z.input<Out>>;
  missed?(output: z.output<Out>): boolean;
  /** Writes the output as text. The text may name only operations that `offers` allows. Default: JSON. */
  render?(output: z.output<Out>, reader: AnswerReaderKind, offers: IsOffered): string;
  /** REST path of a result that is not ready yet. REST then answers with status 202. */
  laterAt?(output: z.output<Out>): string | undefined;
  /** Ends the job that a call with such an output started. */
  stopJob?(output: z.output<Out>, ctx: JobStopContext): Promise<void>;
  readonly types?: readonly string[];
  /** Formats the answer as media type `type`. Returns undefined if the answer should be JSON instead. */
  write?(type: string, output: z.output<Out>, ctx: OperationContext): Promise<FormattedAnswer | undefined>;
  /** Returns the media type for a GET request, chosen by the parameters instead of the header `Accept`. */
  linkType?(parameters: Readonly<Record<string, unknown>>): string | undefined;
  readonly view?: McpAppView;
  viewData?(
    output: z.output<Out>,
    ctx: OperationContext,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
  links?(output: z.output<Out>): readonly ResourceLink[];
}

/** Returns the operation if it is offered, otherwise the first offered operation of its family. */
export function findOfferedOperation(
  { operations }: OperationCatalog,
  name: string,
  offers: IsOffered,
): Operation | undefined {
  const family = operations.find((operation) => operation.name === name)?.family ?? name;
  const words = operations.filter((operation) => operation.name === family || operation.family === family);
  return [...words.filter((word) => word.name === name), ...words].find((word) => offers(word.name));
}

/** Names of operations that are also English words. In a text, they count only after a word like `use`. */
const PLAIN = /^(?:search|browse|query|insert|document|scan|list|help|reset|hybrid)$/;

/** Finds the operations that a text of Magpie names. Ignores text in double quotes: it quotes the input. */
export function operationsNamed(text: string, names: readonly string[]): string[] {
  const ours = text.replace(/"[^"]*"/g, '""');
  return names.filter((name) => {
    if (!ours.includes(name)) return false;
    const pointer = PLAIN.test(name) ? '(?:with|by|as|like|of|from|use|call|ask|tool)\\s' : '';
    return new RegExp(`(?<![\\w/])${pointer}${name}(?!\\w)`, 'i').test(ours);
  });
}

/** Removes the sentences and clauses of a text that name operations which are not offered. */
export function removeUnavailableMentions(text: string, names: readonly string[], offers: IsOffered): string {
  const absent = names.filter((name) => !offers(name));
  if (operationsNamed(text, absent).length === 0) return text;
  const kept = clausesOf(text).filter((clause) => operationsNamed(clause, absent).length === 0);
  return kept
    .join('')
    .trim()
    .replace(/[;:]$/, text.endsWith('.') ? '.' : '');
}

/** Splits a text after full stops, semicolons and colons before a space, but not in double quotes. */
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

export const listedFields = z.registry<{ readonly fields: readonly string[] }>();

/** Creates the schema of an object in an answer. Listings of tools have only its `fields`. */
export function listedObject<Shape extends z.ZodRawShape>(
  fields: readonly (keyof Shape & string)[],
  shape: Shape,
): z.ZodObject<Shape> {
  return z.object(shape).register(listedFields, { fields });
}

/** A field that may be left out, with its description. */
export const optional = <Schema extends z.ZodType>(schema: Schema, what: string) =>
  schema.optional().describe(what);

export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
