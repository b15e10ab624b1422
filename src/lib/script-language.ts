import programs from './script-programs.json' with { type: 'json' };

const ENDINGS = Object.entries(programs).map(([ending, pattern]) => [ending, new RegExp(pattern)] as const);

const FIRST_LINE = /^#![ \t]{0,8}([^\r\n]{1,250})/;

export function hasNoExtension(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.');
}

/** Returns the file extension for a script's first line, for example `py`. Returns undefined if unknown. */
export function scriptExtension(text: string): string | undefined {
  const line = FIRST_LINE.exec(text)?.[1];
  if (line === undefined) return undefined;
  const [first = '', ...rest] = line.trim().split(/[ \t]{1,20}/);
  const isEnv = /(?:^|\/)env$/.test(first);
  const named = isEnv ? rest.find((word) => !word.startsWith('-') && !word.includes('=')) : first;
  const program = named?.slice(named.lastIndexOf('/') + 1) ?? '';
  return ENDINGS.find(([, pattern]) => pattern.test(program))?.[0];
}
