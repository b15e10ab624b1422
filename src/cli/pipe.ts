import { prompts } from '../../prompts/index.ts';
import { operations } from '../../tools/index.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import type { OperationCatalog } from '../operation.ts';
import { createCredentialPages } from '../server/credential-pages.ts';
import { type OperationPipeline, selectCatalog } from '../server/invoke.ts';
import { createServices, type Services } from '../wiring/services.ts';
import type { WaitTimes } from '../wiring/waits.ts';

export const STOP_GRACE_MS = 3000;

const CATALOG: OperationCatalog = { operations, prompts };

export function createOperationPipe(
  config: Config,
  log: Logger,
  metrics: OperationPipeline['metrics'],
  appUrl?: Services['appUrl'],
  waits?: WaitTimes,
): OperationPipeline {
  return {
    catalog: selectCatalog(CATALOG, { readOnly: config.readOnly, toolsets: [] }),
    services: createServices(config, log, appUrl, waits),
    log,
    metrics,
    callTimeout: config.callTimeout,
    responseBytes: config.responseBytes,
    saveAdvice: config.saveAdvice,
    running: new Set(),
    desk: createCredentialPages(),
  };
}

export function toolNames(config: Config): ReadonlySet<string> {
  return new Set(selectCatalog(CATALOG, config).operations.map(({ name }) => name));
}

export async function waitForCalls(
  { running }: OperationPipeline,
  ...others: Promise<void>[]
): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, STOP_GRACE_MS);
  await Promise.race([Promise.allSettled([...running, ...others]), late]);
  clearTimeout(timer);
}
