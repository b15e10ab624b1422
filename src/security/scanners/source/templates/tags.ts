/** Name of the function that a translated template calls to output a value without escaping. */
export const RAW_OUTPUT_FUNCTION = '$raw';
/** Name of the function for output that is escaped unless the program's settings turn escaping off. */
export const OUTPUT_FUNCTION = '$print';

/** Name of `OUTPUT_FUNCTION` in Ruby, whose function names cannot contain `$`. */
export const RUBY_OUTPUT_FUNCTION = 'erb_print';

const MAX_CODE_CHARACTERS = 5000;

export const keepOnlyLineBreaks = (text: string): string => text.replace(/[^\n]+/g, '');

export const putOnOneLine = (code: string, tagText: string): string =>
  ` ${code.replaceAll('\n', ' ')}${keepOnlyLineBreaks(tagText)}`;

export interface TemplateTag {
  readonly open: string;
  readonly inner: string;
  readonly text: string;
}

export interface TemplateTagOptions {
  readonly longest?: number;
  /** Translates the text between tags. The default keeps only line breaks, so that line numbers stay correct. */
  readonly between?: (text: string) => string;
}

/** Replaces each tag by translated code, in linear time. In `pairs`, `{{{` must come before `{{`. */
export function replaceTags(
  text: string,
  pairs: readonly (readonly [open: string, close: string])[],
  write: (mark: TemplateTag) => string,
  { longest = MAX_CODE_CHARACTERS, between = keepOnlyLineBreaks }: TemplateTagOptions = {},
): string {
  const next = pairs.map(([open]) => text.indexOf(open));
  const out: string[] = [];
  let at = 0;
  for (;;) {
    const from = Math.min(...next.filter((one) => one >= 0));
    const kind = next.indexOf(from);
    const [open, close] = pairs[kind] ?? [];
    if (open === undefined || close === undefined) break;
    const end = text.indexOf(close, from + open.length);
    if (end < 0) {
      next[kind] = -1;
      continue;
    }
    const mark = {
      open,
      inner: text.slice(from + open.length, end),
      text: text.slice(from, end + close.length),
    };
    out.push(between(text.slice(at, from)));
    out.push(mark.inner.length > longest ? keepOnlyLineBreaks(mark.text) : write(mark));
    at = end + close.length;
    for (const [index, place] of next.entries())
      if (place >= 0 && place < at) next[index] = text.indexOf(pairs[index]?.[0] ?? '', at);
  }
  out.push(between(text.slice(at)));
  return out.join('');
}
