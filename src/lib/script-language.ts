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
  return ENDINGS.find(([pattern]) => pattern.test(program))?.[1];
}
