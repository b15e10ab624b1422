import { prompts } from '../../prompts/index.ts';
import { operations } from '../../tools/index.ts';
import { type Config, getSettingOrigins } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import type { Logger } from '../log.ts';
import type { OperationCatalog } from '../operation.ts';
import { createCredentialPages } from '../server/credential-pages.ts';
import { type OperationPipeline, selectCatalog } from '../server/invoke.ts';
import { checkToolNames } from '../server/tool-selection.ts';
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
    catalog: selectCatalog(CATALOG, { readOnly: config.readOnly, toolsets: [], tools: [] }),
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

export const toolNames = (config: Config): ReadonlySet<string> =>
  new Set(selectCatalog(CATALOG, config).operations.map(({ name }) => name));

/** Throws AppError `bad_request` if the setting `tools` names an unknown tool. */
export function checkToolsSetting(config: Config): void {
  const { tools: origin } = getSettingOrigins(config);
  const outside = origin === 'flag' ? '--tools' : SETTINGS.tools.env;
  checkToolNames(CATALOG, config.tools, origin === 'file' ? 'tools in the settings file' : outside);
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
