import { html } from 'hono/html';
import { AppError, asAppError } from '../../../errors.ts';
import type { Html } from '../../app/page.ts';
import { sentence } from '../../app/parts.ts';
import type { Pipe } from '../../invoke.ts';
import type { Visitor } from './visitor.ts';

/** What keeps a visitor from an operation, said before it is asked for. */

/** Why the visitor cannot use an operation, and what to do about it; undefined where it can be called. */
export function hindranceOf({ catalog }: Pipe, { caller }: Visitor, name: string): Html | undefined {
  const named = (one: { readonly name: string }) => one.name === name;
  const operation = catalog.operations.find(named);
  const { scope } = operation ?? catalog.withheld?.find(named) ?? {};
  if (scope === undefined) {
    return html`This server does not offer it: <code>MAGPIE_TOOLSETS</code> leaves it out.`;
  }
  if (!caller.scopes.has(scope)) {
    const scopes = [...caller.scopes, scope].join(',');
    return html`Your key lacks the scope <b>${scope}</b>. Sign in with one that has it: <code>magpie key create --scope ${scopes}</code> makes it.`;
  }
  if (!operation) return html`Magpie runs read-only here: nothing can be changed.`;
  return undefined;
}

/** The same for what changes data without being an operation: AppError `forbidden`. */
export function checkChange(pipe: Pipe, visitor: Visitor, name: string): void {
  if (pipe.catalog.readOnly)
    throw new AppError('forbidden', 'Magpie runs read-only here: nothing is changed');
  checkReading(pipe, visitor, name);
}

/** For what an operation does not answer, and its readers may see: AppError `forbidden`. */
export function checkReading(pipe: Pipe, visitor: Visitor, name: string): void {
  if (hindranceOf(pipe, visitor, name) === undefined) return;
  throw new AppError('forbidden', `this needs ${name}, which your key or this server does not allow`);
}

/** A page that may not be used, in place of its content. */
export function hindered(title: string, why: Html): Html {
  return html`<section class="panel empty"><h2>${title}</h2><p>${why}</p></section>`;
}

/**
 * An error that the page shows above its form, with what was given kept. Any other goes on: that of a key that may not do it,
 * and those of our own.
 */
export function shownError(thrown: unknown): string {
  const error = asAppError(thrown);
  if (['internal', 'cancelled'].includes(error.code) || error.scope !== undefined) throw error;
  return sentence(error.message);
}
