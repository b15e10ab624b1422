import { EXIT_CODES_HELP } from '../src/cli/help.ts';
import { commands } from '../src/commands/index.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { VERSION } from '../src/version.ts';
import { operations } from '../tools/index.ts';
import { PROJECT, SUMMARY } from './install/project.ts';

/** The manual page, `man/magpie.1`, in the macros of man(7); written from the declarations as the help texts are. */
export function manPage(): string {
  const settings = Object.entries(SETTINGS).map(([key, { env, about, takes }]) => {
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return tagged(`${bold(flag)}, ${bold(env)}`, `${about} Takes ${takes}.`);
  });
  return [
    '.\\" Written by npm run docs from the declarations.',
    `.TH MAGPIE 1 "" "magpie ${VERSION}" "User commands"`,
    section('NAME', [text(`magpie - ${SUMMARY}`)]),
    section('SYNOPSIS', [
      ['serve', 'stdio', '<command> [words] [flags]', '<operation> [words] [flags]', 'help <any of these>']
        .map((words) => `.B magpie\n${text(words)}`)
        .join('\n.br\n'),
    ]),
    section('DESCRIPTION', [
      text(PROJECT.description),
      '.PP',
      text(
        'serve answers MCP, REST and a web page over HTTP on http://127.0.0.1:8787; stdio speaks MCP over its pipes, as assistants start it. ' +
          'With no command a person gets the help, and a program gets stdio.',
      ),
    ]),
    section(
      'COMMANDS',
      [
        ...commands.map(({ name, summary }) => [name, summary] as const),
        ['completion', 'A script for bash, zsh, fish or powershell that completes all of this.'] as const,
        ['version', 'Prints the version.'] as const,
      ].map(([name, summary]) => tagged(bold(name), summary)),
    ),
    section(
      'OPERATIONS',
      operations.map(({ name, title }) => tagged(bold(name), title)),
    ),
    section('SETTINGS', [
      text('Each is a flag, an environment variable and a key of the settings file, in that order of rank.'),
      ...settings,
    ]),
    section('EXIT STATUS', [text(EXIT_CODES_HELP)]),
    section('SEE ALSO', [text(PROJECT.homepage)]),
    '',
  ].join('\n');
}

function section(title: string, parts: readonly string[]): string {
  return `.SH ${title}\n${parts.join('\n')}`;
}

function tagged(term: string, about: string): string {
  return `.TP\n${term}\n${text(about)}`;
}

function bold(words: string): string {
  return `\\fB${escaped(words)}\\fR`;
}

/** A line that begins with a dot or an apostrophe would be a request. */
function text(words: string): string {
  return escaped(words.replaceAll('`', '').replace(/\s+/g, ' ')).replace(/^(?=[.'])/, '\\&');
}

function escaped(words: string): string {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq');
}
