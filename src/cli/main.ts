import { operations } from '../../tools/index.ts';
import { localCaller } from '../caller.ts';
import type { Command } from '../command.ts';
import { type Config, loadConfig, secretsOf, strangersIn } from '../config/config.ts';
import { createLog, type Logger } from '../log.ts';
import { noMetrics } from '../metrics.ts';
import type { Operation } from '../operation.ts';
import { findOperation } from '../server/invoke.ts';
import { VERSION } from '../version.ts';
import { checkEngines } from '../wiring/engines.ts';
import { createServices, type Services } from '../wiring/services.ts';
import { type Asked, type CommandLine, readCommandLine, startsServer } from './argv.ts';
import type { Io } from './io.ts';
import { createPipe } from './pipe.ts';
import { type Given, operationFlags, runCommand, runOperation } from './run.ts';
import { followServerStop, followSignals } from './stop.ts';
import { createTerminal, EXIT, failWith, progressLine, type Terminal, write } from './terminal.ts';

/** Before a command ends, passages that it kept get their vectors: how many, for how long, and when a person is told. */
const SETTLE = { passages: 500, noticeMs: 1500, timeoutMs: 4000 };

/**
 * The program: does what `args` ask for and resolves with the exit code; never rejects. A server runs until its input
 * ends or `io.signals` stops it. Nothing stays behind in the process: no listener, no open handle, no exit code.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const terminal = createTerminal(io);
  try {
    const line = readCommandLine(args, startsServer(args) ? [] : await allCommands(), io);
    return await obey(line, terminal, io);
  } catch (error) {
    return failWith(error, terminal, args.includes('--json'));
  }
}

async function obey(line: CommandLine, terminal: Terminal, io: Io): Promise<number> {
  const { asked, values } = line;
  if (values.version) return print(VERSION, terminal);
  if (values.help || asked.kind === 'help' || asked.kind === 'group') {
    return print(await helpOf(asked), terminal);
  }
  const config = loadConfig(values, io.env);
  const serves = asked.kind === 'serve' || asked.kind === 'stdio';
  const level = !serves && config.logLevel === 'info' ? 'error' : config.logLevel;
  const log = createLog(level, io.log, secretsOf(config));
  checkEngines(config);
  const warnings = strangersIn(io.env);
  // A server's first line is its address: its warnings come after it.
  if (asked.kind === 'serve' || asked.kind === 'stdio') {
    return runServer(asked.kind, config, log, warnings, io);
  }
  for (const warning of warnings) terminal.stderr.write(`magpie: ${warning}\n`);
  const stop = followSignals(io);
  const given = { values, positionals: line.positionals, json: values.json === true, signal: stop.signal };
  try {
    return asked.kind === 'operation'
      ? await callOperation(asked.operation, given, config, log, terminal)
      : await callCommand(asked.command, given, config, log, terminal);
  } finally {
    stop.release();
  }
}

async function runServer(
  kind: 'serve' | 'stdio',
  config: Config,
  log: Logger,
  warnings: readonly string[],
  io: Io,
): Promise<number> {
  const run = kind === 'serve' ? (await import('./serve.ts')).serve : (await import('./stdio.ts')).stdio;
  const stop = followServerStop(io);
  try {
    await run(config, log, warnings, io, stop.signal);
    return EXIT.done;
  } finally {
    stop.release();
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

async function callOperation(
  operation: Operation,
  line: Given,
  config: Config,
  log: Logger,
  terminal: Terminal,
): Promise<number> {
  const pipe = createPipe(config, log, noMetrics);
  const served = findOperation(pipe.catalog, operation.name);
  const own = Object.keys(operationFlags(served));
  const given = { ...line, values: Object.fromEntries(own.map((name) => [name, line.values[name]])) };
  try {
    const code = await runOperation(pipe, localCaller(config.user, 'cli'), served, given, terminal);
    await settle(pipe.services, given.signal, terminal);
    return code;
  } finally {
    await pipe.services.close();
  }
}

async function callCommand(
  command: Command,
  given: Given,
  config: Config,
  log: Logger,
  terminal: Terminal,
): Promise<number> {
  const services = createServices(config, log);
  const caller = localCaller(config.user, 'cli');
  const context = { caller, services, log, readOnly: config.readOnly };
  try {
    const code = await runCommand(command, given, context, terminal);
    await settle(services, given.signal, terminal);
    return code;
  } finally {
    await services.close();
  }
}

/** Waits, within bounds, until what was kept has its vectors: the next process makes the rest. */
async function settle(services: Services, signal: AbortSignal, terminal: Terminal): Promise<void> {
  const status = progressLine(terminal);
  const notice = setTimeout(
    () =>
      status.show(
        'what was kept is being embedded, so that it is found by meaning; Ctrl-C leaves it for later',
      ),
    SETTLE.noticeMs,
  );
  await services.settle(SETTLE.passages, AbortSignal.any([signal, AbortSignal.timeout(SETTLE.timeoutMs)]));
  clearTimeout(notice);
  status.clear();
}

async function print(text: string, { stdout }: Terminal): Promise<number> {
  await write(stdout, `${text}\n`);
  return EXIT.done;
}
