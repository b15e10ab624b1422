import { operations } from '../../tools/index.ts';
import type { Command } from '../command.ts';
import { badRequestError } from '../errors.ts';
import { inputSchema } from '../server/input.ts';
import { commandFlags, enumValues, type Flag, GLOBAL_FLAGS, operationFlags, SETTING_FLAGS } from './flags.ts';

/** A completion script lists all candidates itself, because starting Magpie at each Tab would be slow. */

const SHELLS = { bash, zsh, fish, powershell } as const;

interface CliBranch {
  readonly path: string;
  readonly about?: string;
  readonly words: readonly (readonly [word: string, about: string])[];
  readonly flags: readonly Flag[];
}

export function completionScript(shell: string | undefined, commands: readonly Command[]): string {
  if (shell !== undefined && Object.hasOwn(SHELLS, shell)) {
    return SHELLS[shell as keyof typeof SHELLS](places(commands));
  }
  const shells = Object.keys(SHELLS).join(', ');
  throw badRequestError(
    `completion ${shell === undefined ? 'takes' : `does not know ${JSON.stringify(shell)}; it takes`} one of ${shells}`,
  );
}

const COMMON = GLOBAL_FLAGS.filter((flag) => !SETTING_FLAGS.includes(flag) && flag.name !== 'version');

function places(commands: readonly Command[]): CliBranch[] {
  const families = Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] ?? '',
  );
  const single = commands.filter(({ name }) => !name.includes(' '));
  const operationWords = operations.map(({ name, title }) => [name, title] as const);
  const taken = new Set(single.map(({ name }) => name));
  const first: CliBranch['words'] = [
    ['serve', 'MCP, REST and docs over HTTP'],
    ['stdio', 'MCP over stdio'],
    ['call', 'one operation'],
    ['completion', 'a script for a shell'],
    ['version', 'the version'],
    ['help', 'the help of a command'],
    ...single.map(({ name, summary }) => [name, summary] as const),
    ...[...families].map(([name, family]) => [name, family.map((one) => one.name).join(', ')] as const),
    ...operationWords.filter(([name]) => !taken.has(name) && name !== 'help'),
  ];
  const ofOperation = (path: string, operation: (typeof operations)[number]): CliBranch => {
    return { path, words: [], flags: [...operationFlags(operation), ...COMMON] };
  };
  return [
    { path: '', words: first, flags: GLOBAL_FLAGS },
    { path: 'serve', words: [], flags: GLOBAL_FLAGS },
    { path: 'stdio', words: [], flags: GLOBAL_FLAGS },
    { path: 'completion', words: Object.keys(SHELLS).map((name) => [name, 'a shell']), flags: COMMON },
    { path: 'help', words: [...first, ['settings', 'every setting'] as const], flags: [] },
    { path: 'version', words: [], flags: COMMON },
    { path: 'call', words: operationWords, flags: COMMON },
    ...[...families].map(
      ([path, family]): CliBranch => ({
        path,
        words: family.map(({ name, summary }) => [name.slice(path.length + 1), summary]),
        flags: COMMON,
      }),
    ),
    ...commands.map(
      (one): CliBranch => ({ path: one.name, words: wordsOf(one), flags: [...commandFlags(one), ...COMMON] }),
    ),
    ...operations.filter(({ name }) => !taken.has(name)).map((one) => ofOperation(one.name, one)),
    ...operations.map((one) => ofOperation(`call ${one.name}`, one)),
  ];
}

function wordsOf({ words: [first = ''], input }: Command): CliBranch['words'] {
  const schema = inputSchema({ name: first, input }).properties?.[first];
  return (schema && enumValues(schema))?.map((value) => [value, schema?.description ?? ''] as const) ?? [];
}

function candidates(all: readonly CliBranch[]): string {
  const cases = (rows: readonly (readonly [pattern: string, action: string])[]) =>
    rows.map(([pattern, action]) => `    ${pattern}) ${action} ;;`).join('\n');
  const print = (words: readonly string[]) => `printf '%s\\n' ${words.map(quoted).join(' ')}`;
  const long = (flags: readonly Flag[]) => flags.map(({ name }) => `--${name}`);
  const switches = all.flatMap(({ path, flags }) =>
    flags.filter(({ kind }) => kind === 'switch').map(({ name }) => `${path} --${name}`),
  );
  const settings = SETTING_FLAGS.filter(({ kind }) => kind === 'switch').map(({ name }) => `*' --${name}'`);
  const values = all.flatMap(({ path, flags }) =>
    flags.map(({ name, values = [] }) => [`${path} --${name}`, values] as const),
  );
  return `_magpie_is_place() {
  case "$1" in
${cases([
  [
    all
      .slice(1)
      .map(({ path }) => quoted(path))
      .join('|'),
    'return 0',
  ],
])}
  esac
  return 1
}
_magpie_is_switch() {
  case "$1" in
${cases([[[...switches.map(quoted), ...settings, "*' -h'", "*' -v'", "*' --no-'*"].join('|'), 'return 0']])}
  esac
  return 1
}
_magpie_words() {
  case "$1" in
${cases(all.filter(({ words }) => words.length > 0).map(({ path, words }) => [quoted(path), print(words.map(([word]) => word))]))}
  esac
}
_magpie_flags() {
  case "$1" in
${cases(all.filter(({ flags }) => flags.length > 0).map(({ path, flags }) => [quoted(path), print(long(flags))]))}
  esac
}
_magpie_values() {
  case "$1" in
${cases(values.filter(([, words]) => words.length > 0).map(([flag, words]) => [quoted(flag), print(words)]))}
  esac
}
_magpie_candidates() {
  _magpie_path=''
  _magpie_flag=''
  while [ $# -gt 1 ]; do
    if [ -n "$_magpie_flag" ]; then
      _magpie_flag=''
    else
      case "$1" in
        --) return ;;
        --*=*) ;;
        -*) _magpie_is_switch "$_magpie_path $1" || _magpie_flag="$1" ;;
        *) if _magpie_is_place "$_magpie_path\${_magpie_path:+ }$1"; then _magpie_path="$_magpie_path\${_magpie_path:+ }$1"; fi ;;
      esac
    fi
    shift
  done
  if [ -n "$_magpie_flag" ]; then
    _magpie_values "$_magpie_path $_magpie_flag"
  else
    case "$1" in
      --*=*) _magpie_values "$_magpie_path \${1%%=*}" | sed "s/^/\${1%%=*}=/" ;;
      -*) _magpie_flags "$_magpie_path" ;;
      *) _magpie_words "$_magpie_path" ;;
    esac
  fi
}`;
}

function bash(all: readonly CliBranch[]): string {
  return `# Completes magpie in bash: source <(magpie completion bash)
${candidates(all)}
_magpie() {
  local word current words=()
  # Bash makes three words of --flag=value.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == = ]] || words+=("$word")
  done
  current=\${COMP_WORDS[COMP_CWORD]}
  if [[ $current == = ]]; then
    current=''
    words+=('')
  fi
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(_magpie_candidates "\${words[@]}")" -- "$current"))
}
complete -o default -F _magpie magpie magpie-mcp`;
}

function zsh(all: readonly CliBranch[]): string {
  return `#compdef magpie magpie-mcp
# Completes magpie in zsh: source <(magpie completion zsh), after compinit
${candidates(all)}
_magpie() {
  local -a found
  found=("\${(@f)$(_magpie_candidates "\${(@)words[2,CURRENT]}")}")
  if [[ -n $found[1] ]]; then
    compadd -a found
  else
    _files
  fi
}
compdef _magpie magpie magpie-mcp`;
}

function fish(all: readonly CliBranch[]): string {
  const lines = all.flatMap(({ path, words, flags }) => {
    const here = `complete -c magpie -n ${quoted(`test "$(__magpie_path)" = "${path}"`)}`;
    return [
      ...words.map(([word, about]) => `${here} -f -a ${quoted(word)} -d ${quoted(firstSentence(about))}`),
      ...flags.map((flag) => `${here} ${fishFlag(flag)}`),
    ];
  });
  return `# Completes magpie in fish: magpie completion fish > ~/.config/fish/completions/magpie.fish
set -g __magpie_places ${all
    .slice(1)
    .map(({ path }) => quoted(path))
    .join(' ')}
function __magpie_path
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$path $word")
    contains -- "$next" $__magpie_places; and set path "$next"
  end
  echo "$path"
end
${lines.join('\n')}`;
}

function fishFlag({ name, short, kind, values, about = '' }: Flag): string {
  const named = `-l ${name}${short === undefined ? '' : ` -s ${short}`} -d ${quoted(firstSentence(about))}`;
  if (kind === 'switch') return named;
  return values === undefined ? `${named} -r` : `${named} -x -a ${quoted(values.join(' '))}`;
}

/** The script uses .NET dictionaries, because PowerShell's own tables ignore case. */
function powershell(all: readonly CliBranch[]): string {
  const list = (words: readonly string[]) => `@(${words.map(literal).join(', ')})`;
  const table = (name: string, rows: readonly (readonly [key: string, words: readonly string[]])[]) => {
    const lines = rows.map(([key, words]) => `$t[${literal(key)}] = ${list(words)}`);
    return `$t = [Collections.Generic.Dictionary[string, string[]]]::new()\n${lines.join('\n')}\n$script:Magpie${name} = $t`;
  };
  const flagged = all.map(({ path, flags }) => [path, flags.map(({ name }) => `--${name}`)] as const);
  const taking = all.map(
    ({ path, flags }) =>
      [path, flags.filter(({ kind }) => kind !== 'switch').map(({ name }) => `--${name}`)] as const,
  );
  const values = all.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, values: some = [] }) =>
      some.length > 0 ? [[`${path} --${name}`, some] as const] : [],
    ),
  );
  return `# Completes magpie in PowerShell: magpie completion powershell | Out-String | Invoke-Expression
${table(
  'Words',
  all.map(({ path, words }) => [path, words.map(([word]) => word)]),
)}
${table('Flags', flagged)}
${table('Taking', taking)}
${table('Values', values)}
Register-ArgumentCompleter -Native -CommandName magpie, magpie-mcp -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $path = ''
  $flag = ''
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1)
  foreach ($element in $words) {
    $word = $element.ToString()
    if ($flag -ne '') { $flag = ''; continue }
    if ($word -eq '--') { return }
    if ($word.StartsWith('-')) {
      if (-not $word.Contains('=') -and $script:MagpieTaking[$path] -ccontains $word) { $flag = $word }
      continue
    }
    $next = "$path $word".Trim()
    if ($script:MagpieWords.ContainsKey($next)) { $path = $next }
  }
  $start = ''
  $found = @()
  if ($flag -ne '') {
    if ($script:MagpieValues.ContainsKey("$path $flag")) { $found = $script:MagpieValues["$path $flag"] }
  } elseif ($wordToComplete -match '^(--[^=]+)=') {
    $start = $Matches[1] + '='
    $key = "$path " + $Matches[1]
    if ($script:MagpieValues.ContainsKey($key)) { $found = $script:MagpieValues[$key] }
  } elseif ($wordToComplete.StartsWith('-')) {
    $found = $script:MagpieFlags[$path]
  } else {
    $found = $script:MagpieWords[$path]
  }
  $found | ForEach-Object { $start + $_ } | Where-Object { $_.StartsWith($wordToComplete, 'OrdinalIgnoreCase') } |
    ForEach-Object { [Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const firstSentence = (text: string): string =>
  (/^.*?[.:;](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/[.:;]$/, '');

/** Returns a string literal for bash, zsh and fish. Drops backslashes, because no name contains one. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '').replaceAll("'", "'\\''")}'`;
