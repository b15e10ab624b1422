import type { Context } from 'hono';
import type { Scope } from '../../../caller.ts';
import type { SettingInForce } from '../../../config/settings-in-force.ts';
import type { AnswerPreferences } from '../../../operation.ts';
import type { SubmittedForm } from '../../app/form.ts';
import type { HttpEnv } from '../../http/edge.ts';
import type { Pipe } from '../../invoke.ts';
import { missingScopeError } from '../../scope.ts';
import type { ConsolePage } from './frame.ts';
import type { ConsoleOptions, Visitor } from './visitor.ts';

export type PageResult = ConsolePage | Response;

export interface ConsoleContext {
  readonly pipe: Pipe;
  /** Returns the current settings. `recentLog` returns the last log lines, oldest first. Neither contains secrets. */
  settings(): readonly SettingInForce[];
  recentLog(): readonly string[];
  localStart: NonNullable<ConsoleOptions['localStart']>;
  signIn(c: Context<HttpEnv>, key: string): Promise<void>;
  /** Opens a new session for the visitor after all sessions and links of the user were ended. */
  renew(c: Context<HttpEnv>, visitor: Visitor): Promise<void>;
  requireOperator(visitor: Visitor): void;
  /** Adds a page for signed-in visitors. With `opens: 'files'`, it is also for visitors who have only a link to files. */
  get(
    path: string,
    page: (c: Context<HttpEnv>, visitor: Visitor) => Promise<PageResult>,
    opens?: 'keys' | 'files',
  ): void;
  /**
   * Adds the route of a form. A sent form must contain the visitor's token, and its files may have at most `maxBytes` in total.
   * `act` returns the address to open next, or the form's page with the error in `alert` and the entered values.
   */
  post(
    path: string,
    act: (c: Context<HttpEnv>, visitor: Visitor, form: SubmittedForm) => Promise<string | PageResult>,
    settings?: { readonly maxBytes?: number | (() => Promise<number>); readonly opens?: 'keys' | 'files' },
  ): void;
  /** Adds a route for scripts that change data. The header `X-Form` must contain the form's token. Errors are JSON. */
  put(path: string, act: (c: Context<HttpEnv>, visitor: Visitor) => Promise<Response>): void;
  /** Runs an operation like a tool call or a REST request does. Throws the same AppErrors. */
  call<Answer = Record<string, unknown>>(
    c: Context<HttpEnv>,
    visitor: Visitor,
    operation: string,
    input: Readonly<Record<string, unknown>>,
    wishes?: AnswerPreferences,
  ): Promise<Answer>;
}

/** Throws AppError `forbidden` if the visitor's key lacks the scope. Calls of operations already include this check. */
export function requireScope({ caller }: Visitor, scope: Scope): void {
  if (!caller.scopes.has(scope)) throw missingScopeError('the console', scope, caller);
}
