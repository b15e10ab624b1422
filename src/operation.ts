import { z } from 'zod';
import type { Caller, Scope } from './caller.ts';
import type { Logger } from './log.ts';
import type { Prompt } from './prompt.ts';
import type { Services } from './wiring/services.ts';

/** Groups of tools that `--toolsets` selects. They are also the sections of docs/operations.md. */
export const TOOLSETS = ['web', 'knowledge', 'documents', 'automation', 'security'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Method and path of a REST route, such as `'GET /search'`. Path parameters are written as `{name}`. */
export type Route = `${'GET' | 'POST'} /${string}`;

export type ReaderKind = 'model' | 'person';

/** True if the caller who reads a text can use an operation. Texts do not mention other operations. */
export type IsOffered = (operation: string) => boolean;

export type Consent = 'yes' | 'no' | 'unasked';

/** An answer in another media type than JSON. With a file name it is a file, and the size limit of answers does not apply. */
export type FormattedAnswer = string | { readonly content: string | Uint8Array; readonly fileName: string };

export const VIEWS = ['monitors', 'findings', 'compliance'] as const;
export type View = (typeof VIEWS)[number];

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

export interface AnswerPreferences {
  /** True if the answer must be complete, for programs and people at a terminal. Models get a page at a time. */
  readonly whole: boolean;
  /** True if the caller wants an answer at once, with the address of the later result (`Prefer: respond-async` in REST). */
  readonly later: boolean;
}

/** Everything that an operation gets besides its input. */
export interface Context {
  readonly caller: Caller;
  readonly services: Services;
  /** Operations and prompts of this server. The answers of `list` and `help` are made from it. */
  readonly catalog: Catalog;
  /** True if the caller's interface (REST, MCP, terminal) offers the operation and the caller has the scopes for it. */
  offers(operation: string): boolean;
  readonly log: Logger;
  /** Aborts when the caller cancels or the time limit of the call is reached. */
  readonly signal: AbortSignal;
  /** Maximum size of an answer as JSON, in bytes. Some operations shorten their answers themselves to fit. */
  readonly responseBytes: number;
  /** True if the advice to the model may recommend saving its previous answer. */
  readonly saveAdvice: boolean;
  /** The user's answer to the question of the operation. It is `unasked` if the caller's interface cannot ask questions. */
  readonly consent: Consent;
  readonly wishes: AnswerPreferences;
  /** Folders of this machine in which the client works. Empty if the interface cannot ask for them or the call names none. */
  readonly folders: readonly string[];
  /** Counts a fetch. Returns false at the day's limit. Throws AppError `unauthenticated` if the key has become invalid. */
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
  /** Purpose of the credentials, for the user who is asked: `on Make, for: Watch https://...`. */
  readonly purpose: string;
  /** Description of each credential, by the name of its parameter. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Tool, route, command and docs come from an operation. `run` and `render` are methods so that parameters are bivariant. */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  /** Name of the MCP tool, and the operationId in the API contract. */
  readonly name: string;
  readonly title: string;
  /** Description for a language model: what the tool does, what it returns, and when another tool is the better choice. */
  readonly description: string;
  readonly toolset: Toolset;
  /** True if the operation is in the `essential` toolset: one per family, and those that undo or continue its work. */
  readonly essential?: boolean;
  /** Name of the operation of which this one is an alias. The alias is used where the named operation is not offered. */
  readonly family?: string;
  readonly routes: readonly Route[];
  readonly effect: 'read' | 'write' | 'destroy';
  readonly openWorld: boolean;
  readonly scope: Scope;
  /** True if a call with this unparsed input changes data, although most only read. The call then requires the scope `write`. */
  writes?(input: Readonly<Record<string, unknown>>): boolean;
  /** If true, the operation has its own time limit instead of the usual limit of calls. A function decides this by the input. */
  readonly long?: true | ((input: Readonly<Record<string, unknown>>) => boolean);
  /** Lets this process run background jobs that calls create and any node may run. A server calls it once, when it starts. */
  handleJobs?(services: Services): Promise<void>;
  readonly input: In;
  readonly output: Out;
  /** Names of parameters that are credentials. They are passed on, but never stored and never shown in an error or a log. */
  readonly secret?: readonly string[];
  /** Required parameters that are optional in the schema. Every interface lists them, and the operation reports a missing one. */
  readonly needed?: readonly string[];
  /** In the terminal, standard input replaces a missing first parameter if none of `unless` is given. */
  readonly piped?: { readonly unless: readonly string[] };
  /** Default values that all interfaces except REST use. REST requires what the input schema requires. */
  readonly start?: Partial<z.input<In>>;
  readonly helpName?: string;
  /** Optional parameters that the list of tools omits, since every conversation reads the list: `monitoring_options.expect`. */
  readonly unlisted?: readonly string[];
  /** Parts that the list of tools describes only for a similar operation: `output`, or `both` for the input too. */
  readonly terse?: 'output' | 'both';
  /** Example input for the docs. A test runs it on every interface and compares the answers. */
  readonly example: z.input<In>;
  /** Returns a yes-or-no question for the user, asked before the run. The run gets the answer as `consent`. */
  question?(ctx: Context, input: z.output<In>): Promise<string | undefined>;
  inFolders?(input: Readonly<Record<string, unknown>>): boolean;
  /** Returns the secret parameters that the unparsed input lacks. An interface that can ask the user for them does so. */
  lacks?(
    input: Readonly<Record<string, unknown>>,
    ctx: Pick<Context, 'caller' | 'services'>,
  ): Promise<MissingCredentials | undefined>;
  run(input: z.output<In>, ctx: Context): Promise<z.input<Out>>;
  /** True if the output says that the requested object did not exist. The terminal then ends with exit code 1. */
  missed?(output: z.output<Out>): boolean;
  /** Returns the output as text that mentions only available operations. Without this function the text is JSON. */
  render?(output: z.output<Out>, reader: ReaderKind, offers: IsOffered): string;
  /** Returns the REST path at which an unfinished answer can be read later. REST then responds with status 202. */
  laterAt?(output: z.output<Out>): string | undefined;
  readonly types?: readonly string[];
  /** Returns the answer in the requested media type. Returns undefined for an unsupported type, and the answer is then JSON. */
  write?(type: string, output: z.output<Out>, ctx: Context): Promise<FormattedAnswer | undefined>;
  /** Returns the media type that the parameters of a GET request ask for. It takes precedence over the header `Accept`. */
  linkType?(parameters: Readonly<Record<string, unknown>>): string | undefined;
  readonly view?: View;
  viewData?(output: z.output<Out>, ctx: Context): Promise<Readonly<Record<string, unknown>> | undefined>;
  links?(output: z.output<Out>): readonly ResourceLink[];
}

/** Returns the operation with that name. If it is not offered, returns its first alias that is offered. */
export function findOfferedOperation(
  { operations }: Catalog,
  name: string,
  offers: IsOffered,
): Operation | undefined {
  const family = operations.find((operation) => operation.name === name)?.family ?? name;
  const words = operations.filter((operation) => operation.name === family || operation.family === family);
  return [...words.filter((word) => word.name === name), ...words].find((word) => offers(word.name));
}

/** Operation names that are also ordinary words. They count as a name only after a word such as `use` or `call`. */
const PLAIN = /^(?:search|browse|query|insert|document|scan|list|help|reset|hybrid)$/;

/** Returns the operations that one of our own texts mentions. Text in double quotes is from a caller and does not count. */
export function operationsNamed(text: string, names: readonly string[]): string[] {
  const ours = text.replace(/"[^"]*"/g, '""');
  return names.filter((name) => {
    if (!ours.includes(name)) return false;
    const pointer = PLAIN.test(name) ? '(?:with|by|as|like|of|from|use|call|ask|tool)\\s' : '';
    return new RegExp(`(?<![\\w/])${pointer}${name}(?!\\w)`, 'i').test(ours);
  });
}

/** Removes the sentences and clauses that mention an unavailable operation from one of our own texts. */
export function removeUnavailableMentions(text: string, names: readonly string[], offers: IsOffered): string {
  const absent = names.filter((name) => !offers(name));
  if (operationsNamed(text, absent).length === 0) return text;
  const kept = clausesOf(text).filter((clause) => operationsNamed(clause, absent).length === 0);
  return kept
    .join('')
    .trim()
    .replace(/[;:]$/, text.endsWith('.') ? '.' : '');
}

/** Splits a text into clauses that end with a full stop, semicolon or colon and a blank, except within double quotes. */
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

/** Members of output objects that the short list of tools names. Clients also accept other members. */
export const listedFields = z.registry<{ readonly fields: readonly string[] }>();

/** Lets the list of operations hold operations with any types. */
export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
