import { Help } from 'commander';
import type { Command } from '../command.ts';
import { flagOf } from '../config/config.ts';
import type { Operation } from '../operation.ts';
import { describeAcceptedValues, inputSchema } from '../server/input.ts';
import type { JsonSchema } from '../server/json-schema.ts';
import { VERSION } from '../version.ts';
import { commandFlags, type Flag, operationFlags, SETTING_FLAGS } from './flags.ts';
import HELP from './help.json' with { type: 'json' };

const TERM_WIDTH = 19;
const GAPS = 4;
const NARROW = 24;

type HelpRow = readonly [term: string, about: string];

export function operationHelp(operation: Operation, width = Number.POSITIVE_INFINITY): string {
  const { properties = {}, required = [] } = inputSchema(operation);
  const start = (operation.start ?? {}) as Record<string, unknown>;
  const [first] = Object.keys(properties);
  const needed = required.filter((name) => name !== first && start[name] === undefined);
  const optional = (name: string) => {
    if (start[name] !== undefined) return `, ${start[name] === '' ? 'empty' : start[name]} when left out`;
    return required.includes(name) ? '' : ', optional';
  };
  const rows = operationFlags(operation).map(({ name, about }): HelpRow => {
    const schema = properties[name];
    if (schema === undefined) return [`--${name}`, about ?? ''];
    const wanted =
      schema.type === 'boolean' ? `a switch: --${name}, or --no-${name}` : describeAcceptedValues(schema);
    return [
      `--${name}`,
      `${wanted}${optional(name)}${about ? `. ${about}` : ''}${fromInput(operation, name)}`,
    ];
  });
  const words = `${first ? ` <${first}>` : ''}${needed.map((name) => ` --${name} <${name}>`).join('')}`;
  return [
    `magpie ${operation.name}${words} [flags]`,
    '',
    paragraph(operation.description, width),
    '',
    ...table([...rows, JSON_ROW], width, TERM_WIDTH),
  ].join('\n');
}

function fromInput({ secret, piped, input }: Operation, name: string): string {
  if (secret?.includes(name)) return '. As - it is a line of standard input; at a terminal it is asked for';
  if (piped && name === Object.keys(input.shape)[0])
    return '. As -, or left out in a pipe, it is standard input';
  return '';
}

export function commandHelp(command: Command, width = Number.POSITIVE_INFINITY): string {
  const { properties = {}, required = [] } = inputSchema(command);
  const words = command.words.map((name) => (required.includes(name) ? ` <${name}>` : ` [${name}]`));
  const schemas = new Map(Object.entries(properties).map(([key, schema]) => [flagOf(key), schema]));
  const rows = command.words.map((name): HelpRow => [name, properties[name]?.description ?? '']);
  const flags = commandFlags(command).map(
    (flag): HelpRow => [`--${flag.name}`, aboutFlag(flag, schemas.get(flag.name))],
  );
  return [
    `magpie ${command.name}${words.join('')} [flags]`,
    '',
    paragraph(command.description, width),
    '',
    ...table([...rows, ...flags, JSON_ROW], width, TERM_WIDTH),
    '',
    'Examples:',
    ...table(command.examples, width),
  ].join('\n');
}

const JSON_ROW: HelpRow = ['--json', 'the answer as JSON, for scripts'];

export function serverHelp(kind: 'serve' | 'stdio', width = Number.POSITIVE_INFINITY): string {
  return [
    `magpie ${kind} [flags]`,
    '',
    paragraph(HELP.servers[kind], width),
    '',
    ...settingLines((name) => kind === 'serve' || !HELP.onlyHttp.includes(name), width),
  ].join('\n');
}

export function groupHelp(
  name: string,
  operations: readonly Operation[],
  commands: readonly Command[],
  width = Number.POSITIVE_INFINITY,
): string {
  const call = name === 'call';
  const rows: HelpRow[] = call
    ? operations.map((operation) => [operation.name, operation.title])
    : commands
        .filter((command) => command.name.startsWith(`${name} `))
        .map((command) => [`magpie ${command.name}`, command.summary]);
  return [
    call ? 'magpie call <operation> [words] [flags]' : `magpie ${name} <command> [words] [flags]`,
    '',
    ...table(rows, width),
    '',
    `magpie ${name} ${call ? '<operation>' : '<command>'} --help lists its flags.`,
  ].join('\n');
}

export function overviewHelp(
  operations: readonly Operation[],
  commands: readonly Command[],
  width = Number.POSITIVE_INFINITY,
): string {
  const widest = Math.max(...[...operations, ...commands].map(({ name }) => name.length));
  const rows = (list: readonly HelpRow[]) => table(list, width, widest);
  return [
    paragraph(`Magpie ${VERSION}: finds, keeps and warns, for AI assistants.`, width),
    '',
    ...table(Object.entries(HELP.beginnings), width),
    '',
    'Commands:',
    ...rows(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Operations:',
    ...rows(operations.map(({ name, title }) => [name, title])),
    '',
    paragraph(EXIT_CODES_HELP, width),
  ].join('\n');
}

export const settingsHelp = (width = Number.POSITIVE_INFINITY): string =>
  ['magpie <any command> [--setting value]', '', ...settingLines(() => true, width)].join('\n');

export const EXIT_CODES_HELP =
  'Exit codes: 0 done, 1 failed (3 with scan and compliance, whose 1 is what --fail-on names, or a report that was changed), 2 the command line is wrong, ' +
  '3 done in part (the help of the command says which), ' +
  '130 stopped by Ctrl-C.';

export function completionHelp(width = Number.POSITIVE_INFINITY): string {
  return [
    'magpie completion <bash|zsh|fish|powershell>',
    '',
    paragraph(
      'Prints a script with which the shell completes commands, operations, flags and the values that they take.',
      width,
    ),
    '',
    'Examples:',
    ...table(Object.entries(HELP.completion), width),
  ].join('\n');
}

function settingLines(wanted: (name: string) => boolean, width: number): string[] {
  const rows = SETTING_FLAGS.filter(({ name }) => wanted(name));
  return [
    'Settings, also variables and keys of the settings file (docs/settings.md):',
    ...table(
      rows.map(({ name, about = '' }) => [`--${name}`, about]),
      width,
    ),
  ];
}

const aboutFlag = ({ about = '' }: Flag, schema: JsonSchema | undefined): string =>
  schema === undefined || schema.type === 'boolean' ? about : `${describeAcceptedValues(schema)}. ${about}`;

function table(rows: readonly HelpRow[], width: number, least = 0): string[] {
  const layout = layoutOf(width);
  const widest = Math.max(least, ...rows.map(([term]) => term.length));
  if (width - widest - GAPS < layout.minWidthToWrap) {
    return rows.map(
      ([term, about]) => `  ${term}\n${paragraph(about, width - 6).replace(/^(?=.)/gm, '      ')}`,
    );
  }
  return rows.map(([term, about]) => layout.formatItem(term, widest, about, layout));
}

const paragraph = (text: string, width: number): string => layoutOf(width).boxWrap(text, width);

const layoutOf = (width: number): Help =>
  Object.assign(new Help(), { helpWidth: width, minWidthToWrap: NARROW });
