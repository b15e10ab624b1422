/** What names of files in a language end in, by the programs that run its scripts. */
const ENDINGS: readonly (readonly [program: RegExp, ending: string])[] = [
  [/^(?:python|pypy)[\d.]{0,8}$/, 'py'],
  [/^(?:node|nodejs|bun|zx)$/, 'js'],
  [/^(?:deno|ts-node|tsx)$/, 'ts'],
  [/^(?:j|truffle)?ruby[\d.]{0,8}$/, 'rb'],
  [/^php[\d.]{0,8}$/, 'php'],
  [/^(?:ba|da|k|z|a|fi)?sh$|^busybox$/, 'sh'],
  [/^(?:perl[\d.]{0,8}|plackup)$/, 'pl'],
  [/^lua(?:jit)?[\d.]{0,8}$/, 'lua'],
  [/^(?:tclsh|wish|expect)[\d.]{0,8}$/, 'tcl'],
  [/^Rscript$/, 'r'],
  [/^groovy$/, 'groovy'],
  [/^(?:pwsh|powershell)$/, 'ps1'],
  [/^(?:guile|racket|sbcl|csi)$/, 'scm'],
  [/^(?:julia)$/, 'jl'],
  [/^(?:elixir|iex)$/, 'exs'],
  [/^(?:escript)$/, 'erl'],
  [/^(?:run(?:ghc|haskell)|stack)$/, 'hs'],
  [/^scala(?:-cli)?$/, 'scala'],
  [/^swift$/, 'swift'],
  [/^crystal$/, 'cr'],
];

/** Its first line, up to a length that no system takes a longer one of. */
const FIRST_LINE = /^#![ \t]{0,8}([^\r\n]{1,250})/;

/** Whether a file's name says nothing of its language. */
export function isWithoutEnding(path: string): boolean {
  return !path.slice(path.lastIndexOf('/') + 1).includes('.');
}

/**
 * What the name of a script would end in, by the program that its first line names: `py` of `#!/usr/bin/env python3`. Undefined for
 * what names none, or one that is not known.
 */
export function scriptEnding(text: string): string | undefined {
  const line = FIRST_LINE.exec(text)?.[1];
  if (line === undefined) return undefined;
  const [first = '', ...rest] = line.trim().split(/[ \t]{1,20}/);
  const isEnv = /(?:^|\/)env$/.test(first);
  // Options of `env`, and variables that it sets.
  const named = isEnv ? rest.find((word) => !word.startsWith('-') && !word.includes('=')) : first;
  const program = named?.slice(named.lastIndexOf('/') + 1) ?? '';
  return ENDINGS.find(([pattern]) => pattern.test(program))?.[1];
}
