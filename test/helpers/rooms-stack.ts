import { createConnectors } from '../../src/cli/serve.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { noMetrics } from '../../src/metrics.ts';
import type { OperationPipeline } from '../../src/server/invoke.ts';
import { createServices } from '../../src/wiring/services.ts';
import { operations } from '../../tools/index.ts';
import { withoutModel } from './embeddings-api.ts';
import { environment, temporaryFolder } from './magpie.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';
import { putDatabase } from './test-database.ts';

export interface RoomsStack {
  readonly stack: Stack;
  readonly pipe: OperationPipeline;
  /** The data folder. */
  readonly folder: string;
  /** Ends the server and the rooms, and removes their data folder. */
  close(): Promise<void>;
}

/** A server in this process with all its rooms and operations, on a data folder of its own; it loads no model unless it is told one. */
export async function startRooms(
  settings: Readonly<Record<string, string>> = {},
  { callTimeout = 60_000, http = {} }: Pick<StackOptions, 'http'> & { readonly callTimeout?: number } = {},
): Promise<RoomsStack> {
  const folder = temporaryFolder();
  await putDatabase(folder.path);
  const config = loadConfig({}, { ...environment(folder.path), ...(await withoutModel()), ...settings });
  const log = createLog('silent');
  const services = createServices(config, log, async () => stack.url);
  const pipe: OperationPipeline = {
    catalog: { operations, prompts: [] },
    services,
    log,
    metrics: noMetrics,
    callTimeout,
    responseBytes: 1_000_000,
    running: new Set(),
  };
  const connectors = createConnectors(pipe);
  const stack = await startStack({ pipe, http: { connectors, ...http } });
  return {
    stack,
    pipe,
    folder: folder.path,
    async close() {
      await stack.close();
      await Promise.all([...connectors.values()].map((endpoint) => endpoint.close()));
      await services.lifecycle.close();
      folder.remove();
    },
  };
}
