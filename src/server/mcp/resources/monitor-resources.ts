import { AppError } from '../../../errors.ts';
import { MONITORS_URI, monitorIdOf, monitorUri } from '../../../lib/resource-uri.ts';
import listings from './listings.json' with { type: 'json' };
import type { ResourceFamily, ResourceScope } from './resource-family.ts';

export const monitorResources: ResourceFamily = {
  scheme: MONITORS_URI,
  ...listings.monitor,
  async listResources(scope, limit, cursor) {
    const rest = (await monitorsOf(scope)).filter(({ id }) => cursor === undefined || id > cursor);
    const resources = rest.slice(0, limit).map(({ id, status, openAlerts }) => ({
      uri: monitorUri(id),
      name: id,
      description: openAlerts > 0 ? `${status}, open alerts: ${openAlerts}` : status,
      mimeType: 'application/json',
    }));
    return { resources, next: rest.length > limit ? rest[limit - 1]?.id : undefined };
  },
  async readResource({ caller, services }, uri) {
    const id = monitorIdOf(uri);
    if (id === undefined || !caller.scopes.has('monitor')) return undefined;
    const room = await services.monitor();
    try {
      const monitor = await room.getMonitor(caller.id, id);
      const history = await room.readHistory(caller.id, monitor.id);
      return {
        mimeType: 'application/json',
        text: JSON.stringify(room.describeMonitor(monitor, { whole: false, history })),
      };
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    }
  },
  async completeVariable(scope, argument, value) {
    if (argument !== 'id') return [];
    return (await monitorsOf(scope))
      .map(({ id }) => encodeURIComponent(id))
      .filter((id) => id.includes(value));
  },
};

async function monitorsOf({ caller, services }: ResourceScope) {
  if (!caller.scopes.has('monitor')) return [];
  const all = await (await services.monitor()).listMonitors(caller.id);
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}
