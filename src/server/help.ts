import type { Command } from '../command.ts';
import { flagOf } from '../config.ts';
import type { Operation } from '../operation.ts';
import { SETTINGS } from '../settings.ts';
import { VERSION } from '../version.ts';
import { inputSchema, takes } from './input.ts';

/** The help texts of the command line, written from the declarations. */

/** The help of one operation: its flags, what each takes, where it starts. */
export function operationHelp(operation: Operation): string {
  const { properties = {}, required = [] } = inputSchema(operation);
  const start = (operation.start ?? {}) as Record<string, unknown>;
  const [first] = Object.keys(properties);
  const rows = Object.entries(properties).map(([name, schema]) => {
    const value =
      start[name] !== undefined
        ? `, ${start[name] === '' ? 'empty' : start[name]} when left out`
        : required.includes(name)
          ? ''
          : ', optional';
    const about = schema.description ? `. ${schema.description}` : '';
    return `  --${name.padEnd(18)} ${takes(schema)}${value}${about}`;
  });
  return [
    `magpie ${operation.name}${first ? ` <${first}>` : ''} [flags]`,
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

/** `magpie --help`: all there is. */
export function usage(operations: readonly Operation[], commands: readonly Command[]): string {
  const width = Math.max(...[...operations, ...commands].map(({ name }) => name.length));
  return [
    `Magpie ${VERSION}: finds, keeps and warns, for AI assistants.`,
    '',
    'magpie serve                 MCP, REST and docs over HTTP on http://127.0.0.1:8787',
    'magpie stdio                 MCP over stdio, as desktop assistants start it',
    'magpie <operation> [words]   one operation; --help tells its flags, --json gives JSON',
    'magpie call <operation> --key value',
    'magpie <command> [words]     one of the commands below; --help tells its flags',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Operations:',
    ...operations.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`),
    '',
    'Settings, each also an environment variable and a key of the settings file (docs/settings.md):',
    ...Object.entries(SETTINGS).map(([name, { about }]) => `  --${flagOf(name).padEnd(18)} ${about}`),
    '  --config             The settings file. Default: settings.json in the data folder.',
  ].join('\n');
}
