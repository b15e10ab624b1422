import { bitsOf } from '../../harm.ts';
import type { EvaluatedCall } from '../report.ts';
import { concatenateValues, preventedByPrefix } from '../values/fold.ts';
import type { AbstractValue } from '../values/value.ts';

const BUILDS = /^(?:toString|ToString|getvalue|String|to_s|decode|encode|strip|trim|format)$/;
/** Returns the harms that a format's fixed start prevents. In `https://a.org/%s`, the host is fixed. */
export function preventedByFormat({ name, path, receiver, args }: EvaluatedCall): number {
  const [first, base] = args;
  if (FORMATS.test(name)) {
    const format = receiver?.constant ?? first?.value.constant;
    return typeof format === 'string' ? preventedByPrefix(format.split(/[%{]/, 1)[0] ?? '') : 0;
  }
  const start = String(first?.value.constant ?? first?.value.text ?? '');
  // True for a path on the same site: `new URL('/login', request.url)`.
  const isOwn =
    path === 'URL' && /^\/(?![/\\])/.test(start) && /(?:url|origin|href)$/i.test(base?.value.path ?? '');
  // True if `..` cannot lead out of the folder: `path.Clean("/" + name)` removes each `..` at the start.
  const isRooted = /^(?:Clean|normalize|normpath)$/.test(name) && start.startsWith('/');
  return (isOwn ? bitsOf(['redirect', 'ssrf']) : 0) | (isRooted ? bitsOf(['path']) : 0);
}

export function isNumericFormat({ name, receiver, args }: EvaluatedCall): boolean {
  if (!FORMATS.test(name)) return false;
  const format = receiver?.constant ?? args[0]?.value.constant;
  return typeof format === 'string' && NUMBERS.test(format.replaceAll('%%', ''));
}

const KEEPS =
  /^(?:to_?string|getvalue|string|to_s|str|strval|decode|encode|trim\w*|l?r?strip|squish|dedent|cleandoc|replace\w*|gsub|stripIndent|stripMargin)$/i;
const PRINTS = /^(?:v?f?printf|Fprintf|Printf)$/;

/** True for a call that prints only numbers: `printf('%d', $_GET['id'])`. */
export function printsNumbers({ name, args }: EvaluatedCall): boolean {
  const format = args.slice(0, 2).find(({ value }) => typeof value.constant === 'string')?.value.constant;
  return PRINTS.test(name) && NUMBERS.test(String(format).replaceAll('%%', ''));
}

const FORMATS = /^(?:v?sprintf|format|formatted|concat|StringBuilder|StringBuffer)$/i;
const NUMBERS = /^[^%]{0,2000}(?:%[-+ #0-9.$]{0,9}[bcdeEfFgGiouxX][^%]{0,2000}){1,50}$/;

export function callResultText(call: EvaluatedCall): Pick<AbstractValue, 'text' | 'built'> {
  const { name, receiver, args } = call;
  const put = typeof receiver?.constant === 'string' ? receiver.constant : receiver?.text;
  // The result of a text builder contains the texts that were appended to it.
  const kept = (BUILDS.test(name) && receiver?.built) || undefined;
  if (KEEPS.test(name)) return { built: kept, text: put ?? args[0]?.value.text };
  if (!FORMATS.test(name)) return { built: kept };
  const own = receiver && put !== undefined ? [receiver] : [];
  // A number in a text builder's constructor is its capacity and not part of the text.
  const parts = args.map((arg) => arg.value).filter((value) => typeof value.constant !== 'number');
  const { constant, text, built } = concatenateValues([...own, ...parts]);
  const isOfNumbers = typeof constant !== 'string' && NUMBERS.test((text ?? '').replaceAll('%%', ''));
  return { text: typeof constant === 'string' ? constant : text, built: isOfNumbers ? kept : built || kept };
}
