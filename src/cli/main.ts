import { operations } from '../../tools/index.ts';
import { localCaller } from '../caller.ts';
import type { Command } from '../command.ts';
import { type Config, configuredUrl, findUnknownVariables, loadConfig, secretsOf } from '../config/config.ts';
import { readTelemetry, telemetrySecrets } from '../config/telemetry-settings.ts';
import { asAppError } from '../errors.ts';
import { formatCount } from '../lib/text/format-count.ts';
import { createLog, type Logger, type RecentLogger } from '../log.ts';
import { noMetrics } from '../metrics.ts';
import type { Operation } from '../operation.ts';
import { findOperation } from '../server/invoke.ts';
import { VERSION } from '../version.ts';
import { checkEngines } from '../wiring/engines.ts';
import { createServices, type Services } from '../wiring/services.ts';
import { type CommandLine, type CommandLineRequest, parseServerCommand } from './command-line-request.ts';
import { operationFlags } from './flags.ts';
import type { ProgramIo } from './io.ts';
import { checkToolsSetting, createOperationPipe } from './pipe.ts';
import { type GivenArguments, runCommand, runOperation } from './run.ts';
import { abortOnServerStop, abortOnSignals } from './stop.ts';
import {
  createProgressLine,
  createTerminal,
  EXIT_CODE,
  emphasizeHelp,
  printError,
  type Terminal,
  writeToStream,
} from './terminal.ts';

/** At the end, a command waits up to 120 s for 64 passages to be embedded, then up to 4 s for 436 more. */
const SETTLE = { firstPassages: 64, firstMs: 120_000, morePassages: 436, moreMs: 4000, messageMs: 1500 };

/** Resolves to the exit code and never rejects. Before that, removes its listeners and closes its handles. */
export async function main(args: readonly string[], io: ProgramIo): Promise<number> {
  const terminal = createTerminal(io);
  try {
    return await obey(parseServerCommand(args, io) ?? (await parse(args, io)), terminal, io);
  } catch (error) {
    return printError(error, terminal, args.includes('--json'));
  }
}

async function obey(line: CommandLine, terminal: Terminal, io: ProgramIo): Promise<number> {
  const { asked, values } = line;
  if (values.version || asked.kind === 'version') {
    return print(values.json ? JSON.stringify({ version: VERSION }) : VERSION, terminal);
  }
  if (values.help || asked.kind === 'help' || asked.kind === 'settings' || asked.kind === 'group') {
    return print(emphasizeHelp(await helpText(asked, terminal), terminal), terminal);
  }
  if (asked.kind === 'completion') {
    const { completionScript } = await import('./completion.ts');
    return print(completionScript(asked.shell, await allCommands()), terminal);
  }
  const config = loadConfig(values, io.env);
  const serves = asked.kind === 'serve' || asked.kind === 'stdio';
  const level = !serves && config.logLevel === 'info' ? 'error' : config.logLevel;
  const log = createLog(level, io.log, [
    ...secretsOf(config),
    ...telemetrySecrets(serves ? readTelemetry(io.env) : undefined),
  ]);
  checkEngines(config);
  checkToolsSetting(config);
  const warnings = findUnknownVariables(io.env);
  // A server prints its warnings later, after its address.
  if (!serves) for (const warning of warnings) terminal.stderr.write(`magpie: ${warning}\n`);
  switch (asked.kind) {
    case 'operation':
      return callOperation(asked.operation, line, config, log, io);
    case 'command':
      return callCommand(asked.command, line, config, log, io);
    case 'serve':
    case 'stdio':
      return runServer(asked.kind, config, log, warnings, io);
  }
}

async function runServer(
  kind: 'serve' | 'stdio',
  config: Config,
  log: RecentLogger,
  warnings: readonly string[],
  io: ProgramIo,
): Promise<number> {
  const run =
    kind === 'serve'
      ? (await import('./serve.ts')).runHttpServer
      : (await import('./stdio.ts')).runStdioServer;
  const stop = abortOnServerStop(io);
  try {
    await run(config, log, warnings, io, stop.signal);
    return EXIT_CODE.done;
  } finally {
    stop.release();
  }
}

async function parse(args: readonly string[], io: ProgramIo): Promise<CommandLine> {
  const { readCommandLine } = await import('./command-line.ts');
  const commands = args[0] === 'serve' || args[0] === 'stdio' ? [] : await allCommands();
  return readCommandLine(args, commands, io);
}

const allCommands = async (): Promise<readonly Command[]> => (await import('../commands/index.ts')).commands;

type HelpRequest = Exclude<CommandLineRequest, { readonly kind: 'version' }>;

async function helpText(asked: HelpRequest, { stdout }: Terminal): Promise<string> {
  const help = await import('./help.ts');
  const width = stdout.isTTY ? stdout.columns : undefined;
  switch (asked.kind) {
    case 'operation':
      return help.operationHelp(asked.operation, width);
    case 'command':
      return help.commandHelp(asked.command, width);
    case 'group':
      return help.groupHelp(asked.name, operations, await allCommands(), width);
    case 'completion':
      return help.completionHelp(width);
    case 'serve':
    case 'stdio':
      return help.serverHelp(asked.kind, width);
    case 'settings':
      return help.settingsHelp(width);
    case 'help':
      return help.overviewHelp(operations, await allCommands(), width);
  }
}

async function callOperation(
  operation: Operation,
  line: CommandLine,
  config: Config,
  log: Logger,
  io: ProgramIo,
) {
  const pipe = createOperationPipe(config, log, noMetrics, () => pageUrl(config), io.waits);
  const served = findOperation(pipe.catalog, operation.name);
  const own = operationFlags(served);
  // A read-only operation must not create the data folder, unless it stores web pages or scans there.
  if (served.effect === 'read' && served.scope !== 'write' && !served.openWorld)
    pipe.services.lifecycle.onlyRead();
  const values = Object.fromEntries(own.map(({ name }) => [name, line.values[name]]));
  return withEnd(pipe.services, served.effect === 'write', io, (signal, terminal) =>
    runOperation(
      pipe,
      localCaller(config.user, 'cli'),
      served,
      { ...givenBy(line, signal), values },
      terminal,
    ),
  );
}

async function pageUrl(config: Config): Promise<string | undefined> {
  const { runningServerUrl: serverUrl } = await import('../storage/lock.ts');
  const elsewhere = config.database.startsWith('postgres') ? configuredUrl(config) : config.publicUrl;
  return serverUrl(config.data) ?? elsewhere;
}

async function callCommand(command: Command, line: CommandLine, config: Config, log: Logger, io: ProgramIo) {
  const services = createServices(config, log, undefined, io.waits);
  const caller = localCaller(config.user, 'cli');
  const machine = { platform: io.platform, env: io.env, node: io.node };
  const context = { caller, services, log, machine, config };
  return withEnd(services, command.keepsTexts === true, io, (signal, terminal) =>
    runCommand(command, givenBy(line, signal), context, terminal),
  );
}

function givenBy({ values, positionals }: CommandLine, signal: AbortSignal): GivenArguments {
  return { values, positionals, json: values.json === true, signal };
}

async function withEnd(
  services: Services,
  keeps: boolean,
  io: ProgramIo,
  work: (signal: AbortSignal, terminal: Terminal) => Promise<number>,
): Promise<number> {
  const terminal = createTerminal(io);
  const stop = abortOnSignals(io);
  try {
    const code = await work(stop.signal, terminal);
    const missed = await settle(services, keeps, stop.signal, terminal, io.waits?.settleMs);
    if (missed && keeps && code === EXIT_CODE.done) {
      const why = asAppError(missed).message;
      await writeToStream(
        terminal.stderr,
        `magpie: what was kept is found by its words only until its vectors are made: ${why}\n`,
      );
    }
    return code;
  } finally {
    await services.lifecycle.close();
    stop.release();
  }
}

async function settle(
  services: Services,
  keeps: boolean,
  signal: AbortSignal,
  terminal: Terminal,
  moreMs = SETTLE.moreMs,
): Promise<Error | undefined> {
  const status = createProgressLine(terminal);
  let embedded = 0;
  const show = () =>
    status.show(
      `what was kept is being embedded, so that it is found by meaning (${formatCount(embedded, 'passage')} so far); ` +
        'Ctrl-C leaves it for later',
    );
  const message = setInterval(show, SETTLE.messageMs);
  const wait = (most: number, ms: number) => {
    const before = embedded;
    return services.lifecycle.settle(most, AbortSignal.any([signal, AbortSignal.timeout(ms)]), (count) => {
      embedded = before + count;
    });
  };
  const first = keeps ? await wait(SETTLE.firstPassages, SETTLE.firstMs) : undefined;
  const error = first ?? (await wait(SETTLE.morePassages, moreMs));
  clearInterval(message);
  status.clear();
  return error;
}

async function print(text: string, { stdout }: Terminal): Promise<number> {
  await writeToStream(stdout, `${text}\n`);
  return EXIT_CODE.done;
}
