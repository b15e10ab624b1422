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
  /** Neither the settings nor the log lines contain secrets. Lines are oldest first. */
  settings(): readonly SettingInForce[];
  recentLog(): readonly string[];
  localStart: NonNullable<ConsoleOptions['localStart']>;
  signIn(c: Context<HttpEnv>, key: string): Promise<void>;
  renew(c: Context<HttpEnv>, visitor: Visitor): Promise<void>;
  requireOperator(visitor: Visitor): void;
  /** With `opens: 'files'`, visitors who have only a link to files may open the page too. */
  get(
    path: string,
    page: (c: Context<HttpEnv>, visitor: Visitor) => Promise<PageResult>,
    opens?: 'keys' | 'files',
  ): void;
  /** Adds a form, which must contain the visitor's token. `act` returns the next address, or a page with an error. */
  post(
    path: string,
    act: (c: Context<HttpEnv>, visitor: Visitor, form: SubmittedForm) => Promise<string | PageResult>,
    settings?: { readonly maxBytes?: number | (() => Promise<number>); readonly opens?: 'keys' | 'files' },
  ): void;
  /** Adds a route for scripts. The header `X-Form` must contain the form's token. Errors are JSON. */
  put(path: string, act: (c: Context<HttpEnv>, visitor: Visitor) => Promise<Response>): void;
  call<Answer = Record<string, unknown>>(
    c: Context<HttpEnv>,
    visitor: Visitor,
    operation: string,
    input: Readonly<Record<string, unknown>>,
    wishes?: AnswerPreferences,
  ): Promise<Answer>;
}

/** Throws AppError `forbidden` without the scope. Calls of operations already include this check. */
export function requireScope({ caller }: Visitor, scope: Scope): void {
  if (!caller.scopes.has(scope)) throw missingScopeError('the console', scope, caller);
}
