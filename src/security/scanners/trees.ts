import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { TreeScanner } from '../scans/scanner.ts';
import type { Fetch } from './dependencies/advisories/ask.ts';
import { createRegistries } from './dependencies/registries/ask-registries.ts';
import { createSources } from './dependencies/sources.ts';
import { createDependenciesScanner } from './dependencies.ts';
import { createExternalScanners } from './external.ts';

export function openTreeScanners(config: Config, fetch: Fetch): readonly TreeScanner[] {
  const {
    advisories,
    data,
    osvUrl,
    npmRegistryUrl: npmUrl,
    advisoriesDays: days,
    privatePackages,
    denyLicenses,
  } = config;
  const mirrors = config.registryUrls.map((one) => one.split(/=(.*)/s, 2));
  const registries = createRegistries({ fetch, urls: { npm: npmUrl, ...Object.fromEntries(mirrors) } });
  const mayAsk =
    config.packageFacts === 'on' && !advisories.some((one) => one === 'offline' || one === 'off');
  return [
    createDependenciesScanner({
      sources: createSources({ chosen: advisories, folder: data, fetch, osvUrl, npmUrl, days }),
      privateNames: privatePackages,
      deniedLicenses: denyLicenses,
      registries: () => (mayAsk ? registries : undefined),
    }),
    ...createExternalScanners({
      programs: config.scanners,
      searchPath: config.scannerPath,
      folder: join(data, 'scanner-work'),
    }),
  ];
}
