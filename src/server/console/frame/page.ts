import type { Context } from 'hono';
import type { Scope } from '../../../caller.ts';
import type { SettingInForce } from '../../../config/origins.ts';
import type { Wishes } from '../../../operation.ts';
import type { UploadForm } from '../../app/form.ts';
import type { Edge } from '../../http/edge.ts';
import type { Pipe } from '../../invoke.ts';
import { lacksScope } from '../../scope.ts';
import type { FramedPage } from './frame.ts';
import type { ConsoleOptions, Visitor } from './visitor.ts';

/** What a page shows: a framed page, or an answer of its own such as a file. */
export type Shown = FramedPage | Response;

/** What a page's routes get. */
export interface ConsoleParts {
  readonly pipe: Pipe;
  /** The settings in force, and the last lines of the log, oldest first; both without secrets. */
  settings(): readonly SettingInForce[];
  recentLog(): readonly string[];
  localStart: NonNullable<ConsoleOptions['localStart']>;
  /** Opens a session with a key in place of the present one. */
  signIn(c: Context<Edge>, key: string): Promise<void>;
  /** The visitor's session goes on although all passes of its user were ended. */
  renew(c: Context<Edge>, visitor: Visitor): Promise<void>;
  /** AppError `forbidden` for who does not run this server. */
  needOperator(visitor: Visitor): void;
  /** A page for those who are signed in, and where it `opens` by a link to files, for who has such a link; others get the sign-in page. */
  get(
    path: string,
    page: (c: Context<Edge>, visitor: Visitor) => Promise<Shown>,
    opens?: 'keys' | 'files',
  ): void;
  /**
   * A form of a page, checked to be the visitor's own; its files may have `maxBytes` together. Answers where to go on, or the page
   * again, with what is wrong in `alert` and the values as they were entered.
   */
  post(
    path: string,
    act: (c: Context<Edge>, visitor: Visitor, form: UploadForm) => Promise<string | Shown>,
    settings?: { readonly maxBytes?: number | (() => Promise<number>); readonly opens?: 'keys' | 'files' },
  ): void;
  /** A request of a page's script that changes something, with the form's word in the header `X-Form`. Errors are JSON. */
  put(path: string, act: (c: Context<Edge>, visitor: Visitor) => Promise<Response>): void;
  /** Runs an operation as tools and REST do. AppError as theirs. */
  call(
    c: Context<Edge>,
    visitor: Visitor,
    operation: string,
    input: Readonly<Record<string, unknown>>,
    wishes?: Wishes,
  ): Promise<Record<string, unknown>>;
}

/** AppError `forbidden` where the visitor's key lacks the scope: what is not an operation checks it itself. */
export function needScope({ caller }: Visitor, scope: Scope): void {
  if (!caller.scopes.has(scope)) throw lacksScope('the console', scope, caller);
}
