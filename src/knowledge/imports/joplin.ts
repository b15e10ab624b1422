import type { ImportFields } from '../importing/import-values.ts';

/** Parses an item of Joplin: title and text, then lines `name: value`. Undefined for a file that is none. */
export function parseJoplinItem(file: string): ImportFields | undefined {
  const whole = file.replaceAll('\r\n', '\n').trimEnd();
  const start = whole.lastIndexOf('\n\n');
  const meta = whole
    .slice(start + 1)
    .trim()
    .split('\n');
  const pairs = meta.flatMap((line) => {
    const [, name, value = ''] = /^([a-z_]{1,40}):(?: (.*))?$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  if (pairs.length < meta.length || !pairs.some(([name]) => name === 'type_')) return undefined;
  const [title = '', ...lines] = whole.slice(0, Math.max(start, 0)).split('\n');
  const isSet = ([, value]: readonly [string, string]) => value !== '' && Number(value) !== 0;
  return { title, content: lines.join('\n').trim(), ...Object.fromEntries(pairs.filter(isSet)) };
}
