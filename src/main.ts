#!/usr/bin/env node
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { prompts } from '../prompts/index.ts';
import { operations } from '../tools/index.ts';
import { localCaller } from './caller.ts';
import { type Config, flagOf, loadConfig } from './config.ts';
import { checkEngines } from './engines.ts';
import { AppError } from './errors.ts';
import { createLog, type Logger } from './log.ts';
import { createMetrics, noMetrics } from './metrics.ts';
import type { Catalog, Operation } from './operation.ts';
import { select } from './server/catalog.ts';
import { commandHelp, EXIT, failWith, operationFlags, runCommand } from './server/cli.ts';
import { findOperation, type Pipe } from './server/invoke.ts';
import { createServices } from './services.ts';
import { SETTINGS } from './settings.ts';
import { VERSION } from './version.ts';

/** Milliseconds that calls under way have to end after SIGTERM. */
const GRACE = 10_000;

const CATALOG: Catalog = { operations, prompts };

const FLAGS = {
  ...Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { takes }]) => [
      flagOf(name),
      { type: takes === 'true or false' ? ('boolean' as const) : ('string' as const) },
    ]),
  ),
  config: { type: 'string' as const },
  json: { type: 'boolean' as const },
  help: { type: 'boolean' as const, short: 'h' },
  version: { type: 'boolean' as const, short: 'v' },
};

async function main(args: readonly string[]): Promise<number> {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24) {
    throw new AppError(
      'unavailable',
      `this is Node.js ${process.versions.node}, and Magpie needs 24 or newer`,
    );
  }
  // Whoever reads the output may stop reading, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
  );
  const argv = plainBooleans(args);
  const { command, rest, operation } = findCommand(argv);
  const { values, positionals } = parse(rest, operation);
  if (values.version) return print(VERSION);
  if (operation && values.help) return print(commandHelp(operation));
  if (command === 'help' || values.help) return print(usage());

  const config = loadConfig(values as Record<string, string | boolean | undefined>);
  const log = createLog(operation && config.logLevel === 'info' ? 'error' : config.logLevel);
  checkEngines(config);
  if (!operation) return command === 'serve' ? serve(config, log) : stdio(config, log);

  const pipe = createPipe(config, log, noMetrics);
  const served = findOperation(pipe.catalog, operation.name);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const own = Object.keys(operationFlags(served));
  try {
    return await runCommand(
      pipe,
      localCaller(config.user, 'cli'),
      {
        operation: served,
        values: Object.fromEntries(own.map((name) => [name, values[name]])),
        positionals,
        json: values.json === true,
        signal: stop.signal,
      },
      process,
    );
  } finally {
    await pipe.services.close();
  }
}

/** `--read-only=false` and `--read-only false` as parseArgs knows them: `--no-read-only`. */
function plainBooleans(argv: readonly string[]): string[] {
  const out: string[] = [];
  for (const word of argv) {
    const [, flag = '', joined] = /^--([a-z-]+)(?:=(true|false))?$/.exec(word) ?? [];
    const before = /^--(?!no-)([a-z-]+)$/.exec(out.at(-1) ?? '')?.[1] ?? '';
    if (joined !== undefined && isBoolean(flag)) out.push(joined === 'true' ? `--${flag}` : `--no-${flag}`);
    else if ((word === 'true' || word === 'false') && isBoolean(before)) {
      if (word === 'false') out.splice(-1, 1, `--no-${before}`);
    } else out.push(word);
  }
  return out;
}

function isBoolean(flag: string): boolean {
  return (FLAGS as Record<string, { type: string }>)[flag]?.type === 'boolean';
}

/** The first word is the command; `call <operation>` and the operation's own name are the same. */
function findCommand(argv: readonly string[]): { command: string; rest: string[]; operation?: Operation } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: FLAGS,
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  });
  const words = tokens.filter((token) => token.kind === 'positional');
  const rest = [...argv];
  const [word] = words;
  if (!word) return { command: defaultCommand(), rest };
  rest.splice(word.index, 1);
  if (['serve', 'stdio', 'help'].includes(word.value)) return { command: word.value, rest };
  if (word.value === 'call') {
    const [, name] = words;
    if (!name)
      throw new AppError('bad_request', 'call takes an operation: magpie call <operation> --key value');
    rest.splice(name.index - 1, 1);
    return { command: 'call', rest, operation: namedOperation(name.value) };
  }
  const operation = operations.find(({ name }) => name === word.value);
  if (operation) return { command: 'call', rest, operation };
  throw new AppError(
    'bad_request',
    `there is no command ${JSON.stringify(word.value)}; magpie --help lists what there is`,
  );
}

function namedOperation(name: string): Operation {
  try {
    return findOperation(CATALOG, name);
  } catch (error) {
    throw new AppError('bad_request', (error as AppError).message);
  }
}

/** Desktop clients start the bin with no command and talk over its pipes; a person at a terminal gets the help. */
function defaultCommand(): string {
  const asked = basename(process.argv[1] ?? '').startsWith('magpie-mcp');
  return asked || !process.stdin.isTTY ? 'stdio' : 'help';
}

function parse(args: string[], operation: Operation | undefined) {
  const options = operation ? { ...operationFlags(operation), ...FLAGS } : FLAGS;
  try {
    return parseArgs({
      args,
      options,
      allowPositionals: operation !== undefined,
      allowNegative: true,
    }) as { values: Record<string, string | boolean | undefined>; positionals: string[] };
  } catch (cause) {
    const why = (cause as Error).message.split('. To specify')[0];
    throw new AppError('bad_request', `${why}; magpie --help lists the flags`, { cause });
  }
}

function createPipe(config: Config, log: Logger, metrics: Pipe['metrics']): Pipe {
  return {
    catalog: select(CATALOG, { readOnly: config.readOnly, toolsets: [] }),
    services: createServices(config, log),
    log,
    metrics,
    callTimeout: config.callTimeout,
    responseBytes: config.responseBytes,
    running: new Set(),
  };
}

/** Names of the tools that MCP clients see. */
function toolNames(config: Config): ReadonlySet<string> {
  return new Set(select(CATALOG, config).operations.map(({ name }) => name));
}

async function stdio(config: Config, log: Logger): Promise<number> {
  const [{ serveStdio }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./server/mcp.ts'),
  ]);
  const pipe = createPipe(config, log, noMetrics);
  const tools = toolNames(config);
  const caller = localCaller(config.user, 'stdio');
  const handle = serveStdio(() => createMcpServer(pipe, tools, caller), {
    onerror: (error) => log.debug({ err: error }, 'stdio transport'),
  });
  log.debug('magpie is listening on stdio');
  await ended(process.stdin);
  await drain(pipe);
  await handle.close();
  await pipe.services.close();
  return EXIT.done;
}

async function serve(config: Config, log: Logger): Promise<number> {
  if (!['127.0.0.1', 'localhost', '::1'].includes(config.host)) {
    throw new AppError(
      'bad_request',
      `MAGPIE_HOST is ${JSON.stringify(config.host)}: without keys the server is open to whoever reaches it, ` +
        'so it listens on 127.0.0.1, localhost or ::1 only',
    );
  }
  const [{ createApp, listen, BODY_BYTES }, { createMcpEndpoint }, { createMcpServer }, { lockFolder }] =
    await Promise.all([
      import('./server/http.ts'),
      import('./server/mcp-http.ts'),
      import('./server/mcp.ts'),
      import('./storage/lock.ts'),
    ]);
  const over = ended();
  const lock = await lockFolder(config.data);
  const pipe = createPipe(config, log, await createMetrics(VERSION));
  await pipe.services.ready();
  const tools = toolNames(config);
  const mcp = createMcpEndpoint((caller) => createMcpServer(pipe, tools, caller), {
    log,
    bodyBytes: BODY_BYTES,
  });
  const caller = localCaller(config.user, 'http');
  const app = createApp(pipe, mcp, { ...config, identify: () => caller });
  const server = await listen(app, config.host, config.port);
  process.stderr.write(
    `magpie is listening on ${server.url} (MCP at ${server.url}/mcp, docs at ${server.url}/docs)\n`,
  );
  log.info({ user: config.user }, 'open mode: no key is made, so whoever reaches this address is this user');
  await over;
  if (pipe.running.size > 0) {
    process.stderr.write(
      `magpie ends when ${pipe.running.size} running calls have, at the latest in ${GRACE / 1000} s; Ctrl-C ends it now\n`,
    );
  }
  const closed = server.close(GRACE);
  await drain(pipe);
  await mcp.close();
  await closed;
  await pipe.services.close();
  lock.release();
  return EXIT.done;
}

/** Resolves on SIGTERM or SIGINT, or at the end of `input`. */
function ended(input?: NodeJS.ReadStream): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    input?.once('end', () => resolve());
    input?.once('close', () => resolve());
  });
}

/** Waits for the calls under way, but no longer than the grace. */
async function drain({ running }: Pipe): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, GRACE);
  await Promise.race([Promise.allSettled(running), late]);
  clearTimeout(timer);
}

function usage(): string {
  const width = Math.max(...operations.map(({ name }) => name.length));
  return [
    `Magpie ${VERSION}: finds, keeps and warns, for AI assistants.`,
    '',
    'magpie serve                 MCP, REST and docs over HTTP on http://127.0.0.1:8787',
    'magpie stdio                 MCP over stdio, as desktop assistants start it',
    'magpie <operation> [words]   one operation; --help tells its flags, --json gives JSON',
    'magpie call <operation> --key value',
    '',
    'Operations:',
    ...operations.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`),
    '',
    'Settings, each also an environment variable and a key of the settings file (docs/settings.md):',
    ...Object.entries(SETTINGS).map(([name, { about }]) => `  --${flagOf(name).padEnd(18)} ${about}`),
    '  --config             The settings file. Default: settings.json in the data folder.',
  ].join('\n');
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.done;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) =>
  failWith(error, process.stderr),
);
