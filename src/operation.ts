import { z } from 'zod';
import type { Caller, Scope } from './caller.ts';
import type { Logger } from './log.ts';
import type { Prompt } from './prompt.ts';
import type { Services } from './wiring/services.ts';

/** Groups of tools that `--toolsets` switches; the sections of docs/operations.md. */
export const TOOLSETS = ['web', 'knowledge', 'documents', 'automation', 'security'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** `'GET /search'`; path parameters as `{name}`. */
export type Route = `${'GET' | 'POST'} /${string}`;

/** Who reads a rendered text: advice meant for an assistant does not help a person. */
export type Reader = 'model' | 'person';

/** Whether an operation is there for the caller who reads a text: what is not is not named. */
export type Offers = (operation: string) => boolean;

export type Consent = 'yes' | 'no' | 'unasked';

/**
 * An answer in another media type. One with a name is a file, which is not read as a whole into a conversation: it is
 * not held to the size of answers.
 */
export type Written = string | { readonly content: string | Uint8Array; readonly fileName: string };

/** Views in which an assistant that can may show an answer, beside what its model reads. */
export const VIEWS = ['monitors', 'findings', 'compliance'] as const;
export type View = (typeof VIEWS)[number];

/** A resource that an answer leads to. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** How the caller wants to be answered. */
export interface Wishes {
  /** All of it, however long: programs, and people at a terminal. Models read a page at a time. */
  readonly whole: boolean;
  /** At once, with where the answer will be found (`Prefer: respond-async` of REST). */
  readonly later: boolean;
}

/** What an operation gets besides its input. */
export interface Context {
  readonly caller: Caller;
  readonly services: Services;
  /** What this server offers; `list` and `help` are written from it. */
  readonly catalog: Catalog;
  /** Whether this caller can call the operation as things are: it is offered on this surface, and the scopes suffice. */
  offers(operation: string): boolean;
  readonly log: Logger;
  /** Aborted when the caller cancels or the call's time is up. */
  readonly signal: AbortSignal;
  /** Most bytes of one answer as JSON; an operation that can say how to fit in it does so itself. */
  readonly responseBytes: number;
  /** Whether advice to the model may be to save its previous answer. */
  readonly saveAdvice: boolean;
  /** What the user said to the operation's question; `unasked` where the surface cannot ask. */
  readonly consent: Consent;
  readonly wishes: Wishes;
  /** Folders of this machine that the client works in, where its surface can ask for them and the call names a folder. */
  readonly folders: readonly string[];
  /**
   * Counts one more fetch of a call that reads many pages; false when those of the day are used up. It may be called after the
   * call has ended, by work that outlasts it. AppError `unauthenticated` when the caller's key would be let in no longer.
   */
  countFetch(): Promise<boolean>;
  /** Reports how far the work is, in plain words; cheap to call often. */
  progress(message: string): void;
}

/** The two lists that everything is read from. */
export interface Catalog {
  readonly operations: readonly Operation[];
  /** Operations that --read-only keeps from running, so that a caller who asks for one learns why. */
  readonly withheld?: readonly Operation[];
  /** Calls that change something are refused. */
  readonly readOnly?: boolean;
  readonly prompts: readonly Prompt[];
}

/** Credentials that a call needs and has not. */
export interface Lacking {
  /** For what they are, for the person who is asked: `on Make, for: Watch https://...`. */
  readonly purpose: string;
  /** By the parameter's name, what each is, in words. */
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * One operation, declared once: MCP tool, REST route, OpenAPI entry, CLI sub-command and docs are all
 * read from this. `run` and `render` are methods on purpose: bivariance lets `readonly Operation[]` hold
 * every operation without `any`.
 */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  /** The contract's operationId, and the MCP tool's name. */
  readonly name: string;
  readonly title: string;
  /** Sentences for a language model: what it does, what comes back, and when another tool fits better. */
  readonly description: string;
  readonly toolset: Toolset;
  /** The `essential` toolset has one name a family, and what undoes or follows up on the others in it. */
  readonly essential?: boolean;
  /** The name of the operation that this is another word for: it stands in where this one is not offered. */
  readonly family?: string;
  readonly routes: readonly Route[];
  readonly effect: 'read' | 'write' | 'destroy';
  /** Reaches beyond this machine. */
  readonly openWorld: boolean;
  readonly scope: Scope;
  /**
   * Whether a call with this input changes what is kept, though most calls read: it takes the scope `write` besides, and is refused where
   * Magpie runs read-only, and of a browser that was not asked for it. The input is as it came.
   */
  writes?(input: Readonly<Record<string, unknown>>): boolean;
  /** Takes as long as its own limit allows: that of the call does not hold. With some inputs alone where it is a function. */
  readonly long?: true | ((input: Readonly<Record<string, unknown>>) => boolean);
  /** Has this process do work that calls leave behind and any node may do; called once, where a server begins to work. */
  handleJobs?(services: Services): Promise<void>;
  readonly input: In;
  readonly output: Out;
  /**
   * Names of parameters that are credentials: passed on and never shown, in an error or a log, nor kept.
   */
  readonly secret?: readonly string[];
  /**
   * Parameters that the contract requires and that are declared optional, because some calls do without: every
   * surface lists them as required, and the run says when one is missing.
   */
  readonly needed?: readonly string[];
  /**
   * In the terminal its first parameter, where it is left out, is standard input: a text that a script hands over. Not where one of
   * these parameters is given.
   */
  readonly piped?: { readonly unless: readonly string[] };
  /**
   * The contract's start values, which stand for a parameter that is not given: over MCP, in the terminal and in slash
   * commands these parameters are optional. REST requires what the input requires.
   */
  readonly start?: Partial<z.input<In>>;
  /** The name under which the contract's help text describes it. */
  readonly helpName?: string;
  /**
   * Optional parameters that the tool takes but its listing leaves out: a family's first name lists them,
   * and every tool's list is read at the start of every conversation. A member of an object by its path:
   * `monitoring_options.expect`.
   */
  readonly unlisted?: readonly string[];
  /**
   * What its listing leaves to that of an operation like it, which has the same: of the output the types, of the input
   * the descriptions and bounds. Another word of a family leaves both to the first.
   */
  readonly terse?: 'output' | 'both';
  /** For the docs; a test runs it over every surface and compares the answers. */
  readonly example: z.input<In>;
  /**
   * What the user is asked before it runs, where the surface can ask: a question for yes and no. Undefined
   * when there is nothing to ask. The answer is `consent` of the run.
   */
  question?(ctx: Context, input: z.output<In>): Promise<string | undefined>;
  /** Whether a call with this input, as it came, may be about a folder of the client's. */
  inFolders?(input: Readonly<Record<string, unknown>>): boolean;
  /**
   * Secret parameters that a call needs and its input, as it came, has not: a surface that can ask its user for them
   * does so before the run.
   */
  lacks?(
    input: Readonly<Record<string, unknown>>,
    ctx: Pick<Context, 'caller' | 'services'>,
  ): Promise<Lacking | undefined>;
  run(input: z.output<In>, ctx: Context): Promise<z.input<Out>>;
  /** Whether the output says that what was asked for was not there to be done: the terminal ends with exit code 1. */
  missed?(output: z.output<Out>): boolean;
  /** The output as text, which names what is offered only; JSON when left out. */
  render?(output: z.output<Out>, reader: Reader, offers: Offers): string;
  /** Path of REST at which an answer that is not there yet will be found; REST then says 202. */
  laterAt?(output: z.output<Out>): string | undefined;
  /** Other media types in which REST answers who asks for them by `Accept`. */
  readonly types?: readonly string[];
  /** The answer in one of those; undefined where there is none, and the answer is JSON. */
  write?(type: string, output: z.output<Out>, ctx: Context): Promise<Written | undefined>;
  /** The media type that the parameters of a GET ask for, so that a link gives what it says; goes before `Accept`. */
  linkType?(parameters: Readonly<Record<string, unknown>>): string | undefined;
  /** The view that shows its answers. */
  readonly view?: View;
  /** What the view draws besides the answer, and the model does not read. */
  viewData?(output: z.output<Out>, ctx: Context): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Resources of MCP that go with the text. */
  links?(output: z.output<Out>): readonly ResourceLink[];
}

/** The operation of that name, else another word for it: the first that is offered. */
export function offeredWord({ operations }: Catalog, name: string, offers: Offers): Operation | undefined {
  const family = operations.find((operation) => operation.name === name)?.family ?? name;
  const words = operations.filter((operation) => operation.name === family || operation.family === family);
  return [...words.filter((word) => word.name === name), ...words].find((word) => offers(word.name));
}

/** Names that are words of any text: they name the operation only where one is pointed to. */
const PLAIN = /^(?:search|browse|query|insert|document|scan|list|help|reset|hybrid)$/;

/** The operations that a text of ours names. What stands in double quotes is a caller's. */
export function operationsNamed(text: string, names: readonly string[]): string[] {
  const ours = text.replace(/"[^"]*"/g, '""');
  return names.filter((name) => {
    if (!ours.includes(name)) return false;
    const pointer = PLAIN.test(name) ? '(?:with|by|as|like|of|from|use|call|ask|tool)\\s' : '';
    return new RegExp(`(?<![\\w/])${pointer}${name}(?!\\w)`, 'i').test(ours);
  });
}

/** A text of ours without the sentences and clauses that name an operation which is not offered. */
export function withoutAbsent(text: string, names: readonly string[], offers: Offers): string {
  const absent = names.filter((name) => !offers(name));
  if (operationsNamed(text, absent).length === 0) return text;
  const kept = clausesOf(text).filter((clause) => operationsNamed(clause, absent).length === 0);
  return kept
    .join('')
    .trim()
    .replace(/[;:]$/, text.endsWith('.') ? '.' : '');
}

/** Pieces that end in a full stop, semicolon or colon, and the blank after it; none of those between double quotes counts. */
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
 * Which members of an output's object the tool's listing names: the space of all listings is small, and a client takes
 * members that a schema does not name. All of them for an object that is not in here.
 */
export const briefly = z.registry<{ readonly fields: readonly string[] }>();

/** Checks a declaration's types where it is written, and forgets them for the list. */
export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
