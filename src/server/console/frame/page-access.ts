import { html } from 'hono/html';
import { asAppError, forbiddenError } from '../../../errors.ts';
import { type Html, toSentence } from '../../html.ts';
import type { OperationPipeline } from '../../invoke.ts';
import type { ConsoleVisitor } from './visitor.ts';

export function explainNoAccess(
  { catalog }: OperationPipeline,
  { caller }: ConsoleVisitor,
  name: string,
): Html | undefined {
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

/** Throws AppError `forbidden` if the server is read-only or the visitor may not call the operation. */
export function checkChangeAllowed(pipe: OperationPipeline, visitor: ConsoleVisitor, name: string): void {
  if (pipe.catalog.readOnly) throw forbiddenError('Magpie runs read-only here: nothing is changed');
  checkReadAllowed(pipe, visitor, name);
}

export function checkReadAllowed(pipe: OperationPipeline, visitor: ConsoleVisitor, name: string): void {
  if (explainNoAccess(pipe, visitor, name) === undefined) return;
  throw forbiddenError(`this needs ${name}, which your key or this server does not allow`);
}

export function noAccessHtml(title: string, why: Html): Html {
  return html`<section class="panel empty"><h2>${title}</h2><p>${why}</p></section>`;
}

export function formErrorMessage(thrown: unknown): string {
  const error = asAppError(thrown);
  if (['internal', 'cancelled'].includes(error.code) || error.scope !== undefined) throw error;
  return toSentence(error.message);
}
