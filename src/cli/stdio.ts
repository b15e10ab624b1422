import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { localCaller } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { readTelemetry } from '../config/telemetry-settings.ts';
import type { Logger } from '../log.ts';
import { createMetrics, noMetrics } from '../metrics.ts';
import { createLoopbackPage } from '../server/app/loopback.ts';
import type { OperationPipeline } from '../server/invoke.ts';
import { createMcpServer } from '../server/mcp/mcp.ts';
import { createChangeNotifications } from '../server/mcp/resources/change-notifications.ts';
import { createStdioTransport } from '../server/mcp/stdio.ts';
import { VERSION } from '../version.ts';
import type { ProgramIo } from './io.ts';
import { createMonitoringRun } from './monitoring-run.ts';
import { createOperationPipe, STOP_GRACE_MS, toolNames, waitForCalls } from './pipe.ts';
import { waitForAbort } from './stop.ts';
import { startTelemetryExport } from './telemetry.ts';

/** Monitoring starts after this delay, so that the first answers are fast. */
const WATCH_DELAY_MS = 3000;

export async function runStdioServer(
  config: Config,
  log: Logger,
  warnings: readonly string[],
  io: ProgramIo,
  stop: AbortSignal,
): Promise<void> {
  const metrics = readTelemetry(io.env)?.metrics ? createMetrics(VERSION) : noMetrics;
  const endTelemetry = await startTelemetryExport(io.env, metrics, log);
  const pipe: OperationPipeline = createOperationPipe(config, log, metrics, () => uploads.url(), io.waits);
  const uploads = createLoopbackPage(pipe);
  const tools = toolNames(config);
  const caller = localCaller(config.user, 'stdio');
  const notifications = createChangeNotifications(pipe.services, pipe.log);
  const wire = createStdioTransport(io.stdin, io.stdout, config.callTimeout + STOP_GRACE_MS);
  const handle = serveStdio(({ era }) => createMcpServer(pipe, tools, caller, { notifications, era }), {
    transport: wire.transport,
    onerror: (error) => log.debug({ err: error }, 'stdio transport'),
  });
  log.debug('magpie is listening on stdio');
  if (io.stdin.isTTY)
    io.stderr.write(
      'magpie waits for an assistant on standard input; Ctrl-C ends it, and `magpie help` shows the commands\n',
    );
  for (const warning of warnings) log.warn(warning);
  const watch = createMonitoringRun(pipe, config, 'stdio');
  const afterwards = setTimeout(watch.begin, io.waits?.watchDelayMs ?? WATCH_DELAY_MS).unref();
  await Promise.race([waitForAbort(stop), wire.ended]);
  clearTimeout(afterwards);
  watch.stop();
  wire.end();
  await waitForCalls(pipe, wire.ended);
  notifications.close();
  await handle.close();
  await uploads.close();
  await pipe.services.lifecycle.close();
  await endTelemetry();
  watch.release();
}
