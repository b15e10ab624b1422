import SIGNS from './signs.json' with { type: 'json' };

const ENTRY = /^:(!?)(\w[\w-]{0,60})(!?):(?:[ \t]{1,99}(\S.{0,4000})?)?$/;
/** Matches the lines around code, literal text and comments, whose references are only signs. */
const FENCE = /^(?:-{4,99}|\.{4,99}|\+{4,99}|\/{4,99}|`{3,99})/;
const REFERENCE = /(\\?|\+)\{(\w[\w-]{0,60})\}/g;
/** Maximum characters that references add to a document. Further references stay as they are. */
const MAX_ADDED = 1_000_000;

/** Puts the values of attributes (`:name: value`) in the place of their references (`{name}`) in AsciiDoc. */
export function readAsciiDoc(text: string): { readonly title: string; readonly markdown: string } {
  const values = new Map(Object.entries(SIGNS));
  let added = 0;
  const fill = (line: string): string =>
    line.replace(REFERENCE, (whole, before: string, name: string) => {
      const value = before === '' && added < MAX_ADDED ? values.get(name.toLowerCase()) : undefined;
      added += value?.length ?? 0;
      return value ?? whole;
    });
  const note = (line: string): boolean => {
    const [entry, before, name = '', after, value = ''] = ENTRY.exec(line) ?? [];
    if (before || after) values.delete(name.toLowerCase());
    else if (entry !== undefined) values.set(name.toLowerCase(), fill(value.trim()));
    return entry !== undefined;
  };
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const from = lines.findIndex((line) => !/^(?:\/\/.*|:.*|\s*)$/.test(line));
  const [heading = '', author = '', revision = ''] = lines.slice(Math.max(from, 0));
  const title = /^[=#][ \t]{1,99}(\S.*)/.exec(heading)?.[1]?.trim();
  const [, name, mail] = /^([^:/<]{2,200}?)(?: <([^<>\s]{1,200})>)?$/.exec(title ? author : '') ?? [];
  const [, number, day] = /^v?(\d[\w.-]{0,40})(?:, ?([^:]{1,60}))?/.exec(name ? revision : '') ?? [];
  for (const [key, value] of Object.entries({ author: name, email: mail, revnumber: number, revdate: day }))
    if (value) values.set(key, value);
  // The title may refer to the attributes below it.
  for (const line of lines.slice(0, Math.max(lines.indexOf('', Math.max(from, 0)), 0))) note(line);
  let fence: string | undefined;
  let isRaw = false;
  const filled = lines.map((line, at) => {
    const isTitle = fence === undefined && isUnderline(line, lines[at - 1], lines[at - 2]);
    const sign = isTitle ? undefined : FENCE.exec(line)?.[0];
    if (fence === undefined) {
      fence = sign;
      isRaw = sign !== undefined && !/\bsubs=[^\]]{0,99}(?:attributes|normal)/.test(lines[at - 1] ?? '');
      if (sign === undefined) note(line);
    } else if (sign === fence) fence = undefined;
    return isRaw && fence !== undefined ? line : fill(line);
  });
  return { title: fill(title ?? ''), markdown: filled.join('\n') };
}

/** True for the line under a title, which has the title's length give or take a letter. */
function isUnderline(line: string, title = '', before = ''): boolean {
  if (!/^[-+]+$/.test(line) || Math.abs(line.length - title.length) > 1) return false;
  return /^[^[.:|].{0,99}$/.test(title) && /^(?:\s*|\[.*\])$/.test(before);
}
