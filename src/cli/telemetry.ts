import type { Environment } from '../config/config.ts';
import { readTelemetry } from '../config/telemetry-settings.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';

export async function startTelemetryExport(
  env: Environment,
  metrics: Metrics,
  log: Logger,
): Promise<() => Promise<void>> {
  const settings = readTelemetry(env);
  if (!settings) return async () => {};
  const { startTelemetry } = await import('../wiring/open/open-telemetry.ts');
  const telemetry = await startTelemetry(settings, metrics, log);
  return () => telemetry.close();
}
