import { z } from 'zod';
import type { Caller, Scope } from './caller.ts';
import type { Logger } from './log.ts';
import type { Prompt } from './prompt.ts';
import type { Services } from './wiring/services.ts';

export const TOOLSETS = ['web', 'knowledge', 'documents', 'automation', 'security'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Method and path, such as `'GET /search'`. `{name}` in the path is a parameter. */
export type Route = `${'GET' | 'POST'} /${string}`;

export type ReaderKind = 'model' | 'person';

/** True if the reader of a text may use the operation. Texts mention no other operations. */
export type IsOffered = (operation: string) => boolean;

export type Consent = 'yes' | 'no' | 'unasked';

/** An answer in a media type other than JSON. With `fileName`, it may exceed the size limit of answers. */
export type FormattedAnswer = string | { readonly content: string | Uint8Array; readonly fileName: string };

export const VIEWS = ['monitors', 'findings', 'compliance'] as const;
export type View = (typeof VIEWS)[number];

export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

export interface AnswerPreferences {
  /** Programs and people get the complete answer, language models get it in pages. */
  readonly whole: boolean;
  /** The caller does not wait for a slow result, but fetches it later (`Prefer: respond-async` in REST). */
  readonly later: boolean;
}

export interface Context {
  readonly caller: Caller;
  readonly services: Services;
  readonly catalog: Catalog;
  /** True if the interface (REST, MCP, terminal) has this operation and the caller's scopes allow it. */
  offers(operation: string): boolean;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Maximum bytes of an answer as JSON. Operations that can shorten their answer do so themselves. */
  readonly responseBytes: number;
  /** True if texts for a language model may advise it to save its last answer. */
  readonly saveAdvice: boolean;
  /** The user's answer to the operation's `question`. `unasked` if the interface cannot ask. */
  readonly consent: Consent;
  readonly wishes: AnswerPreferences;
  readonly folders: readonly string[];
  /** False if the daily limit is used up. Throws AppError `unauthenticated` for an invalid key. */
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
  /** Shown when the user is asked for the credentials, such as `on Make, for: Watch https://...`. */
  readonly purpose: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** A function of Magpie. Its MCP tool, REST route, CLI command and documentation are generated from this. */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a language model: what the tool does and returns, and when to use another tool. */
  readonly description: string;
  readonly toolset: Toolset;
  /** True for the toolset `essential`: one operation per family, and operations that undo or continue its work. */
  readonly essential?: boolean;
  /** Name of the family's main operation. This operation replaces it where the main one is not offered. */
  readonly family?: string;
  readonly routes: readonly Route[];
  readonly effect: 'read' | 'write' | 'destroy';
  readonly openWorld: boolean;
  readonly scope: Scope;
  /** True if a call with this input needs the scope `write`. For operations whose calls mostly read. */
  writes?(input: Readonly<Record<string, unknown>>): boolean;
  /** True if the operation has its own time limit instead of the usual one. A function decides by the input. */
  readonly long?: true | ((input: Readonly<Record<string, unknown>>) => boolean);
  /** Answers may have over 25,000 tokens. Claude Code writes such answers to a file unless the tool is marked. */
  readonly hasLargeAnswer?: true;
  /** Starts to run the operation's background jobs. A server calls it once, at its start. */
  handleJobs?(services: Services): Promise<void>;
  readonly input: In;
  readonly output: Out;
  /** Parameters with credentials. Their values are never stored and never appear in errors or logs. */
  readonly secret?: readonly string[];
  /** Parameters that are optional in the schema, but that a call needs. The operation reports a missing one. */
  readonly needed?: readonly string[];
  /** In the terminal, a missing first parameter is read from standard input, unless one of `unless` is given. */
  readonly piped?: { readonly unless: readonly string[] };
  /** Values for missing parameters, in all interfaces except REST. */
  readonly start?: Partial<z.input<In>>;
  readonly helpName?: string;
  /** Optional parameters that tool listings omit to save tokens, such as `monitoring_options.expect`. */
  readonly unlisted?: readonly string[];
  /** Schemas that tool listings omit, because a similar tool has them: `output`, or `both` (also input). */
  readonly terse?: 'output' | 'both';
  /** Shown in the documentation. A test calls it on all interfaces. */
  readonly example: z.input<In>;
  /** A yes-or-no question for the user, asked before `run`. `ctx.consent` then is the answer. */
  question?(ctx: Context, input: z.output<In>): Promise<string | undefined>;
  inFolders?(input: Readonly<Record<string, unknown>>): boolean;
  /** The secret parameters that the input lacks. The interface may ask the user for them. */
  lacks?(
    input: Readonly<Record<string, unknown>>,
    ctx: Pick<Context, 'caller' | 'services' | 'signal'>,
  ): Promise<MissingCredentials | undefined>;
  run(input: z.output<In>, ctx: Context): Promise<z.input<Out>>;
  missed?(output: z.output<Out>): boolean;
  /** The output as text. It mentions only operations for which `offers` is true. Default: JSON. */
  render?(output: z.output<Out>, reader: ReaderKind, offers: IsOffered): string;
  /** REST path of a result that is not ready. REST then answers with status 202. */
  laterAt?(output: z.output<Out>): string | undefined;
  readonly types?: readonly string[];
  /** The answer in the media type. If undefined, the operation cannot write it, and the answer is JSON. */
  write?(type: string, output: z.output<Out>, ctx: Context): Promise<FormattedAnswer | undefined>;
  /** Media type that the parameters of a GET request ask for, in place of `Accept`. */
  linkType?(parameters: Readonly<Record<string, unknown>>): string | undefined;
  readonly view?: View;
  viewData?(output: z.output<Out>, ctx: Context): Promise<Readonly<Record<string, unknown>> | undefined>;
  links?(output: z.output<Out>): readonly ResourceLink[];
}

/** If the operation is not offered, returns the first offered one of its family. */
export function findOfferedOperation(
  { operations }: Catalog,
  name: string,
  offers: IsOffered,
): Operation | undefined {
  const family = operations.find((operation) => operation.name === name)?.family ?? name;
  const words = operations.filter((operation) => operation.name === family || operation.family === family);
  return [...words.filter((word) => word.name === name), ...words].find((word) => offers(word.name));
}

/** Names that are also English words. In a text, they count only after words such as `use`. */
const PLAIN = /^(?:search|browse|query|insert|document|scan|list|help|reset|hybrid)$/;

/** Finds the operations that a text of Magpie mentions. Ignores double quotes, which enclose callers' text. */
export function operationsNamed(text: string, names: readonly string[]): string[] {
  const ours = text.replace(/"[^"]*"/g, '""');
  return names.filter((name) => {
    if (!ours.includes(name)) return false;
    const pointer = PLAIN.test(name) ? '(?:with|by|as|like|of|from|use|call|ask|tool)\\s' : '';
    return new RegExp(`(?<![\\w/])${pointer}${name}(?!\\w)`, 'i').test(ours);
  });
}

/** Removes the sentences and clauses that mention operations which are not offered. */
export function removeUnavailableMentions(text: string, names: readonly string[], offers: IsOffered): string {
  const absent = names.filter((name) => !offers(name));
  if (operationsNamed(text, absent).length === 0) return text;
  const kept = clausesOf(text).filter((clause) => operationsNamed(clause, absent).length === 0);
  return kept
    .join('')
    .trim()
    .replace(/[;:]$/, text.endsWith('.') ? '.' : '');
}

/** Splits after full stops, semicolons and colons before a space, but not within double quotes. */
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

export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
): Operation<In, Out> {
  return operation;
}
