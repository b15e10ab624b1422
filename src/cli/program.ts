import { operations } from '../../tools/index.ts';
import { localCaller } from '../caller.ts';
import type { Command } from '../command.ts';
import { type Config, isDumbTerminal, loadConfig, secretsOf, strangersIn } from '../config/config.ts';
import { createLog, type Logger } from '../log.ts';
import { noMetrics } from '../metrics.ts';
import type { Operation } from '../operation.ts';
import { findOperation } from '../server/invoke.ts';
import { VERSION } from '../version.ts';
import { checkEngines } from '../wiring/engines.ts';
import { createServices, type Services } from '../wiring/services.ts';
import { type Asked, type CommandLine, readCommandLine, startsServer } from './argv.ts';
import { type Given, operationFlags, runCommand, runOperation } from './run.ts';
import { createPipe, serve, stdio } from './serve.ts';
import { EXIT, failWith, progressLine, type Terminal, write } from './terminal.ts';

/** Passages that get their vectors before a command ends, and milliseconds for them, without a word and in all. */
const SETTLE = { passages: 500, patience: 1500, time: 4000 };

const terminal: Terminal = {
  // Made when a question is asked: most calls read nothing.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  dumb: isDumbTerminal(),
};

async function main(args: readonly string[]): Promise<number> {
  // Whoever reads the output may stop reading, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
  );
  const line = readCommandLine(args, startsServer(args) ? [] : await allCommands());
  const { asked, values } = line;
  if (values.version) return print(VERSION);
  if (values.help || asked.kind === 'help' || asked.kind === 'group') return print(await helpOf(asked));

  const config = loadConfig(values);
  const serving = asked.kind === 'serve' || asked.kind === 'stdio';
  const level = !serving && config.logLevel === 'info' ? 'error' : config.logLevel;
  const log = createLog(level, undefined, secretsOf(config));
  checkEngines(config);
  const strangers = strangersIn();
  // The first line of a server is its address.
  if (!serving) for (const stranger of strangers) process.stderr.write(`magpie: ${stranger}\n`);
  switch (asked.kind) {
    case 'operation':
      return callOperation(asked.operation, line, config, log);
    case 'command':
      return callCommand(asked.command, line, config, log);
    case 'serve':
      await serve(config, log, strangers);
      return EXIT.done;
    case 'stdio':
      await stdio(config, log, strangers);
      return EXIT.done;
  }
}

/** Read where a word of the command line may be one: the servers do without. */
async function allCommands(): Promise<readonly Command[]> {
  return (await import('../commands/index.ts')).commands;
}

async function helpOf(asked: Asked): Promise<string> {
  const { commandHelp, groupHelp, operationHelp, serverHelp, usage } = await import('./help.ts');
  switch (asked.kind) {
    case 'operation':
      return operationHelp(asked.operation);
    case 'command':
      return commandHelp(asked.command);
    case 'group':
      return groupHelp(asked.name, operations, await allCommands());
    case 'serve':
    case 'stdio':
      return serverHelp(asked.kind);
    case 'help':
      return usage(operations, await allCommands());
  }
}

async function callOperation(operation: Operation, line: CommandLine, config: Config, log: Logger) {
  const pipe = createPipe(config, log, noMetrics);
  const served = findOperation(pipe.catalog, operation.name);
  const own = Object.keys(operationFlags(served));
  const values = Object.fromEntries(own.map((name) => [name, line.values[name]]));
  const caller = localCaller(config.user, 'cli');
  const asked = { ...given(line), values };
  try {
    const code = await runOperation(pipe, caller, served, asked, terminal);
    await settle(pipe.services, asked.signal);
    return code;
  } finally {
    await pipe.services.close();
  }
}

async function callCommand(command: Command, line: CommandLine, config: Config, log: Logger) {
  const services = createServices(config, log);
  const caller = localCaller(config.user, 'cli');
  const asked = given(line);
  try {
    const code = await runCommand(
      command,
      asked,
      { caller, services, log, readOnly: config.readOnly },
      terminal,
    );
    await settle(services, asked.signal);
    return code;
  } finally {
    await services.close();
  }
}

/** What was kept gets its vectors before the process ends, within bounds: the rest waits for the next. */
async function settle(services: Services, signal: AbortSignal): Promise<void> {
  const status = progressLine(terminal);
  const word = setTimeout(
    () =>
      status.show(
        'what was kept is being embedded, so that it is found by meaning; Ctrl-C leaves it for later',
      ),
    SETTLE.patience,
  );
  await services.settle(SETTLE.passages, AbortSignal.any([signal, AbortSignal.timeout(SETTLE.time)]));
  clearTimeout(word);
  status.clear();
}

/** The rest of the line, with a signal that Ctrl-C and SIGTERM give. */
function given({ values, positionals }: CommandLine): Given {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  return { values, positionals, json: values.json === true, signal: stop.signal };
}

async function print(text: string): Promise<number> {
  await write(process.stdout, `${text}\n`);
  return EXIT.done;
}

const args = process.argv.slice(2);
process.exitCode = await main(args).catch((error: unknown) =>
  failWith(error, terminal, args.includes('--json')),
);
