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

/** Kind of reader of a rendered text. Advice for an assistant does not help a person. */
export type Reader = 'model' | 'person';

/** True if an operation is available to the caller who reads a text. Texts do not mention other operations. */
export type Offers = (operation: string) => boolean;

export type Consent = 'yes' | 'no' | 'unasked';

/**
 * An answer in another media type than JSON. An answer with a file name is a file, so the size limit of answers does not apply.
 */
export type Written = string | { readonly content: string | Uint8Array; readonly fileName: string };

/** Views (MCP apps) in which an assistant can show an answer to the user, besides the text for the model. */
export const VIEWS = ['monitors', 'findings', 'compliance'] as const;
export type View = (typeof VIEWS)[number];

/** A resource that an answer links to. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** How the caller wants the answer. */
export interface Wishes {
  /** True for the complete answer, however long, as for programs and people at a terminal. Models read a page at a time. */
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
  /** True if this caller can call the operation: this surface offers it, and the caller has the scopes. */
  offers(operation: string): boolean;
  readonly log: Logger;
  /** Aborts when the caller cancels or the time limit of the call is reached. */
  readonly signal: AbortSignal;
  /** Maximum size of an answer as JSON, in bytes. An operation that knows how to shorten its answer does so itself. */
  readonly responseBytes: number;
  /** True if the advice to the model may recommend saving its previous answer. */
  readonly saveAdvice: boolean;
  /** The user's answer to the question of the operation. It is `unasked` if the surface cannot ask. */
  readonly consent: Consent;
  readonly wishes: Wishes;
  /** Folders of this machine in which the client works, if its surface can ask for them and the call names a folder. */
  readonly folders: readonly string[];
  /**
   * Counts one more fetch of a call that reads many pages. Returns false when the limit of the day is reached. Work that outlasts
   * the call may call it too. Throws AppError `unauthenticated` if the caller's key has become invalid.
   */
  countFetch(): Promise<boolean>;
  /** Reports progress in plain words. It may be called often. */
  progress(message: string): void;
}

/** All operations and prompts that a server offers. */
export interface Catalog {
  readonly operations: readonly Operation[];
  /** Operations that --read-only hides. They are kept here so that a call to one gets the reason. */
  readonly withheld?: readonly Operation[];
  /** True if calls that change something are refused. */
  readonly readOnly?: boolean;
  readonly prompts: readonly Prompt[];
}

/** Credentials that a call needs but does not have. */
export interface Lacking {
  /** Purpose of the credentials, for the user who is asked: `on Make, for: Watch https://...`. */
  readonly purpose: string;
  /** Description of each credential, by the name of its parameter. */
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Declaration of an operation. The MCP tool, REST route, OpenAPI entry, CLI sub-command and docs are all generated from it. `run`
 * and `render` are methods so that, thanks to bivariance, `readonly Operation[]` can hold every operation without `any`.
 */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  /** Name of the MCP tool, and the operationId in the API contract. */
  readonly name: string;
  readonly title: string;
  /** Description for a language model: what the tool does, what it returns, and when another tool is the better choice. */
  readonly description: string;
  readonly toolset: Toolset;
  /** True if it is in the `essential` toolset: one name per family, and the operations that undo or continue their work. */
  readonly essential?: boolean;
  /** Name of the operation of which this one is an alias. The alias is used where that one is not offered. */
  readonly family?: string;
  readonly routes: readonly Route[];
  readonly effect: 'read' | 'write' | 'destroy';
  /** True if the operation uses the network beyond this machine. */
  readonly openWorld: boolean;
  readonly scope: Scope;
  /**
   * True if a call with this unparsed input changes stored data although most calls only read. It then also requires the scope
   * `write`, and is refused on a read-only server and for requests that a browser sends unasked or for another site's page.
   */
  writes?(input: Readonly<Record<string, unknown>>): boolean;
  /** If true, the operation has its own time limit, and that of calls does not apply. A function decides it by the input. */
  readonly long?: true | ((input: Readonly<Record<string, unknown>>) => boolean);
  /** Lets this process run background jobs that calls create and any node may run. Called once, when a server starts. */
  handleJobs?(services: Services): Promise<void>;
  readonly input: In;
  readonly output: Out;
  /** Names of parameters that are credentials. They are passed on, but never stored and never shown in an error or a log. */
  readonly secret?: readonly string[];
  /**
   * Parameters that the API contract requires but that are optional in the schema, since some calls do not need them. Every
   * surface lists them as required, and the run reports a missing one.
   */
  readonly needed?: readonly string[];
  /**
   * In the terminal, the first parameter is read from standard input if it is left out and none of the parameters in `unless` is
   * given.
   */
  readonly piped?: { readonly unless: readonly string[] };
  /**
   * Default values of the API contract. Over MCP, in the terminal and in slash commands these parameters are optional; REST
   * requires what the input schema requires.
   */
  readonly start?: Partial<z.input<In>>;
  /** Name of the operation in the help text of the API contract. */
  readonly helpName?: string;
  /**
   * Optional parameters that the tool accepts but does not list, since every conversation starts by reading all listings; the
   * first operation of a family lists them. A member of an object is given by its path: `monitoring_options.expect`.
   */
  readonly unlisted?: readonly string[];
  /**
   * Parts that this tool's listing leaves to that of a similar operation: `output` leaves out the output's types, `both` also the
   * descriptions and limits of the input. An alias leaves out both.
   */
  readonly terse?: 'output' | 'both';
  /** Example input for the docs. A test runs it on every surface and compares the answers. */
  readonly example: z.input<In>;
  /**
   * Returns a yes-or-no question for the user, asked before the run on surfaces that can ask. Undefined if there is nothing to
   * ask. The run gets the answer as `consent`.
   */
  question?(ctx: Context, input: z.output<In>): Promise<string | undefined>;
  /** True if a call with this unparsed input may refer to a folder of the client. */
  inFolders?(input: Readonly<Record<string, unknown>>): boolean;
  /**
   * Returns the secret parameters that a call needs and its unparsed input lacks. A surface that can ask the user for them does
   * so before the run.
   */
  lacks?(
    input: Readonly<Record<string, unknown>>,
    ctx: Pick<Context, 'caller' | 'services'>,
  ): Promise<Lacking | undefined>;
  run(input: z.output<In>, ctx: Context): Promise<z.input<Out>>;
  /** True if the output says that the requested object did not exist. The terminal then ends with exit code 1. */
  missed?(output: z.output<Out>): boolean;
  /** Returns the output as text that mentions only available operations. Without this function the text is JSON. */
  render?(output: z.output<Out>, reader: Reader, offers: Offers): string;
  /** Returns the REST path at which an unfinished answer can be read later. REST then responds with status 202. */
  laterAt?(output: z.output<Out>): string | undefined;
  /** Other media types that REST can return if the client asks for them with `Accept`. */
  readonly types?: readonly string[];
  /** Returns the answer in the requested media type. Undefined if there is none in that type; the answer is then JSON. */
  write?(type: string, output: z.output<Out>, ctx: Context): Promise<Written | undefined>;
  /** Returns the media type that a GET's parameters ask for, so that a link decides it. It takes precedence over `Accept`. */
  linkType?(parameters: Readonly<Record<string, unknown>>): string | undefined;
  readonly view?: View;
  /** Returns data that the view shows besides the answer and that the model does not read. */
  viewData?(output: z.output<Out>, ctx: Context): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Returns MCP resources to link to in the answer. */
  links?(output: z.output<Out>): readonly ResourceLink[];
}

/** Returns the operation with that name or, if it is not offered, the first alias that is. */
export function offeredWord({ operations }: Catalog, name: string, offers: Offers): Operation | undefined {
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
export function withoutAbsent(text: string, names: readonly string[], offers: Offers): string {
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

/**
 * Members of output objects to name in the tool's listing, which must be short; clients also accept members that the schema does
 * not name. An object that is not registered is listed with all its members.
 */
export const briefly = z.registry<{ readonly fields: readonly string[] }>();

/** Checks the types of a declaration. The list of operations can then hold operations with any types. */
export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
