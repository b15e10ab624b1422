import type { Command } from '../command.ts';
import { flagOf } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import type { Operation } from '../operation.ts';
import { inputSchema, takes } from '../server/input.ts';
import { VERSION } from '../version.ts';

/** The help texts of the command line, written from the declarations. */

/** The help of one operation: its flags, what each takes, where it starts. */
export function operationHelp(operation: Operation): string {
  const { properties = {}, required = [] } = inputSchema(operation);
  const start = (operation.start ?? {}) as Record<string, unknown>;
  const [first] = Object.keys(properties);
  const needed = required.filter((name) => name !== first && start[name] === undefined);
  const rows = Object.entries(properties).map(([name, schema]) => {
    const value =
      start[name] !== undefined
        ? `, ${start[name] === '' ? 'empty' : start[name]} when left out`
        : required.includes(name)
          ? ''
          : ', optional';
    const about = schema.description ? `. ${schema.description}` : '';
    const wanted = schema.type === 'boolean' ? `a switch: --${name}, or --no-${name}` : takes(schema);
    const unseen = operation.secret?.includes(name)
      ? '. As - it is a line of standard input; at a terminal it is asked for'
      : '';
    return `  --${name.padEnd(18)} ${wanted}${value}${about}${unseen}`;
  });
  return [
    `magpie ${operation.name}${first ? ` <${first}>` : ''}${needed.map((name) => ` --${name} <${name}>`).join('')} [flags]`,
    '',
    operation.description,
    '',
    ...rows,
    ...(operation.question ? ['  --yes                does it without asking, for scripts'] : []),
    '  --json               the answer as JSON, for scripts',
  ].join('\n');
}

/** The help of one command: its words, flags and examples. */
export function commandHelp(command: Command): string {
  const { properties = {}, required = [] } = inputSchema(command);
  const words = command.words.map((name) => (required.includes(name) ? ` <${name}>` : ` [${name}]`));
  const rows = Object.entries(properties).map(([name, schema]) => {
    const word = command.words.includes(name);
    const label = word ? name : `--${flagOf(name)}`;
    const value = schema.type === 'boolean' || word ? '' : `${takes(schema)}. `;
    return `  ${label.padEnd(20)} ${value}${schema.description ?? ''}`;
  });
  const width = Math.max(...command.examples.map(([line]) => line.length));
  return [
    `magpie ${command.name}${words.join('')} [flags]`,
    '',
    command.description,
    '',
    ...rows,
    ...(command.question ? ['  --yes                does it without asking, for scripts'] : []),
    '  --json               the answer as JSON, for scripts',
    '',
    'Examples:',
    ...command.examples.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`),
  ].join('\n');
}

/** `magpie serve --help` and `magpie stdio --help`: what it does, and the settings that it heeds. */
export function serverHelp(kind: 'serve' | 'stdio'): string {
  return [
    `magpie ${kind} [flags]`,
    '',
    ...SERVERS[kind],
    '',
    ...settingLines((name) => kind === 'serve' || !ONLY_HTTP.includes(name)),
  ].join('\n');
}

/** `magpie kb --help`, `magpie call --help`: the commands that begin with the word, or every operation. */
export function groupHelp(
  name: string,
  operations: readonly Operation[],
  commands: readonly Command[],
): string {
  const call = name === 'call';
  const rows: [string, string][] = call
    ? operations.map((operation) => [operation.name, operation.title])
    : commands
        .filter((command) => command.name.startsWith(`${name} `))
        .map((command) => [`magpie ${command.name}`, command.summary]);
  return [
    call ? 'magpie call <operation> [words] [flags]' : `magpie ${name} <command> [words] [flags]`,
    '',
    ...table(rows),
    '',
    `magpie ${name} ${call ? '<operation>' : '<command>'} --help tells its flags.`,
  ].join('\n');
}

/** `magpie --help`: all there is. */
export function usage(operations: readonly Operation[], commands: readonly Command[]): string {
  const rows = (list: readonly [string, string][]) => table(list, [...operations, ...commands]);
  return [
    `Magpie ${VERSION}: finds, keeps and warns, for AI assistants.`,
    '',
    'magpie serve                 MCP, REST and docs over HTTP on http://127.0.0.1:8787',
    'magpie stdio                 MCP over stdio, as desktop assistants start it',
    'magpie <operation> [words]   one operation; --json gives JSON',
    'magpie call <operation> --key value',
    'magpie <command> [words]     one of the commands below',
    'magpie help <any of these>   its flags, as --help after it',
    '',
    'Commands:',
    ...rows(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Operations:',
    ...rows(operations.map(({ name, title }) => [name, title])),
    '',
    EXIT_CODES,
    '',
    ...settingLines(() => true),
  ].join('\n');
}

const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 the command line is wrong, 130 stopped by Ctrl-C.';

const SERVERS = {
  serve: [
    'Serves MCP at /mcp, REST, the upload page at /app and the reference at /docs over HTTP, until Ctrl-C or SIGTERM;',
    'calls under way are given 10 s to end. The first line on stderr names the address.',
  ],
  stdio: [
    'Talks MCP over its pipes, as desktop assistants start it, until its input ends and the calls under way are',
    'answered, or SIGTERM. Standard output is for messages alone; the log goes to stderr.',
  ],
} as const;

/** Settings that say nothing to a server without HTTP. */
const ONLY_HTTP: readonly string[] = [
  'host',
  'port',
  'publicUrl',
  'proxies',
  'corsOrigins',
  'oauthIssuer',
  'oauthAudience',
  'rateRequests',
  'rateConcurrent',
  'dayFetches',
  'dayInserts',
  'storedBytes',
  'usageDays',
  'alertWebhook',
];

function settingLines(wanted: (name: string) => boolean): string[] {
  const rows = Object.entries(SETTINGS)
    .filter(([name]) => wanted(name))
    .map(([name, { about }]): [string, string] => [`--${flagOf(name)}`, about]);
  const file: [string, string] = [
    '--config',
    'The settings file. Default: settings.json in the data folder.',
  ];
  return [
    'Settings, each also an environment variable and a key of the settings file (docs/settings.md):',
    ...table([...rows, file]),
  ];
}

/** Rows of two columns; the first as wide as its widest cell, or as the names of `among`. */
function table(
  rows: readonly (readonly [string, string])[],
  among: readonly { name: string }[] = [],
): string[] {
  const width = Math.max(...rows.map(([name]) => name.length), ...among.map(({ name }) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}
