import type { EvaluatedArgument } from '../report.ts';
import type { VariableScope } from '../values/value.ts';

/**
 * Name of a variable that the analysis adds to a scope. Its value is true if the PHP code has set a content type
 * in which scripts do not run.
 */
export const CONTENT_TYPE_VARIABLE = '#content-type';
const PLAIN_TYPE = /^(?:content-type:\s{0,9})?(?!.{0,80}(?:html|xml|svg))[\w.+-]{1,60}\/./i;

export function noteContentType(args: readonly EvaluatedArgument[], scope: VariableScope): void {
  const sent = String(args[0]?.value.constant ?? '');
  if (/^content-type:/i.test(sent))
    scope.values.set(CONTENT_TYPE_VARIABLE, { constant: PLAIN_TYPE.test(sent) });
}

export function hasScriptlessType({ value }: EvaluatedArgument): boolean {
  const headers = value.fields?.get('headers')?.fields ?? value.fields;
  const type = headers?.get('Content-Type') ?? headers?.get('content-type');
  return PLAIN_TYPE.test(String(type?.constant ?? ''));
}
