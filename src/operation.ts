import type { z } from 'zod';
import type { Caller, Scope } from './caller.ts';
import type { Logger } from './log.ts';
import type { Prompt } from './prompt.ts';
import type { Services } from './wiring/services.ts';

/** Groups of tools that `--toolsets` switches; README's sections. */
export const TOOLSETS = ['web', 'knowledge', 'documents', 'automation', 'security'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** `'GET /search'`; path parameters as `{name}`. */
export type Route = `${'GET' | 'POST'} /${string}`;

/** Who reads a rendered text: advice meant for an assistant does not help a person. */
export type Reader = 'model' | 'person';

export type Consent = 'yes' | 'no' | 'unasked';

/**
 * An answer in another media type. One with a name is a file, which is not read as a whole into a conversation: it is
 * not held to the size of answers.
 */
export type Written = string | { readonly content: string | Uint8Array; readonly fileName: string };

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
  /** What the user said to the operation's question; `unasked` where the surface cannot ask. */
  readonly consent: Consent;
  readonly wishes: Wishes;
  /** Reports how far the work is, in plain words; cheap to call often. */
  progress(message: string): void;
}

/** The two lists that everything is read from. */
export interface Catalog {
  readonly operations: readonly Operation[];
  /** Operations that --read-only keeps from running, so that a caller who asks for one learns why. */
  readonly withheld?: readonly Operation[];
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
  /** Written for the model: when to use it, what to do next. */
  readonly description: string;
  readonly toolset: Toolset;
  /** The one name of its family that the `essential` toolset keeps. */
  readonly essential?: boolean;
  readonly routes: readonly Route[];
  readonly effect: 'read' | 'write' | 'destroy';
  /** Reaches beyond this machine. */
  readonly openWorld: boolean;
  readonly scope: Scope;
  /** Takes as long as its own limit allows: that of the call does not hold. */
  readonly long?: true;
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
   * The contract's start values, which stand for a parameter that is not given: over MCP, in the terminal and in slash
   * commands these parameters are optional. REST requires what the input requires.
   */
  readonly start?: Partial<z.input<In>>;
  /** The name under which the contract's help text describes it. */
  readonly helpName?: string;
  /**
   * Optional parameters that the tool takes but its listing leaves out: a family's first name lists them,
   * and every tool's list is read at the start of every conversation.
   */
  readonly unlisted?: readonly string[];
  /** For the docs; a test runs it over every surface and compares the answers. */
  readonly example: z.input<In>;
  /**
   * What the user is asked before it runs, where the surface can ask: a question for yes and no. Undefined
   * when there is nothing to ask. The answer is `consent` of the run.
   */
  question?(ctx: Context): Promise<string | undefined>;
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
  /** The output as text; JSON when left out. */
  render?(output: z.output<Out>, reader: Reader): string;
  /** Path of REST at which an answer that is not there yet will be found; REST then says 202. */
  laterAt?(output: z.output<Out>): string | undefined;
  /** Other media types in which REST answers who asks for them by `Accept`. */
  readonly types?: readonly string[];
  /** The answer in one of those; undefined where there is none, and the answer is JSON. */
  write?(type: string, output: z.output<Out>, ctx: Context): Promise<Written | undefined>;
  /** The media type that the parameters of a GET ask for, so that a link gives what it says; goes before `Accept`. */
  linkType?(parameters: Readonly<Record<string, unknown>>): string | undefined;
  /** Resources of MCP that go with the text. */
  links?(output: z.output<Out>): readonly ResourceLink[];
}

/** Checks a declaration's types where it is written, and forgets them for the list. */
export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
