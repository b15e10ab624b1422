import { type ConfiguredPlatform, createAutomationService } from '../../automation/automation.ts';
import { createApifyPlatform } from '../../automation/platforms/apify.ts';
import { createMakePlatform } from '../../automation/platforms/make.ts';
import { createN8nPlatform } from '../../automation/platforms/n8n.ts';
import type { AutomationService } from '../../automation/types.ts';
import { AUTOMATION_PLATFORMS, type PlatformName } from '../../config/automation-settings.ts';
import type { Config } from '../../config/config.ts';
import { createGuardedFetch, type GuardedFetch } from '../../lib/network/fetch.ts';
import { createUrlGuard } from '../../lib/network/url-guard.ts';
import type { Logger } from '../../log.ts';

/** Public addresses of platforms. Make has several zones, each with an address of its own. */
const PUBLIC = { make: 'https://eu1.make.com', apify: 'https://api.apify.com' } as const;
const APIFY_CONSOLE = 'https://console.apify.com';

export async function openAutomation(options: {
  readonly config: Config;
  readonly fetch: GuardedFetch;
  readonly userAgent: string;
  readonly log: Logger;
}): Promise<AutomationService> {
  const { config, fetch, userAgent, log } = options;
  const { automationPlatform: platform, automationUrl, allowHosts, publicUrl, chatModel: model } = config;
  const set = addresses(automationUrl, platform);
  const [makeUrl, apifyUrl, n8nUrl] = [
    set.get('make') ?? PUBLIC.make,
    set.get('apify') ?? PUBLIC.apify,
    set.get('n8n'),
  ];
  const platforms: Readonly<Record<PlatformName, ConfiguredPlatform>> = {
    make: { platform: createMakePlatform(makeUrl), baseUrl: makeUrl },
    n8n: { platform: createN8nPlatform(n8nUrl ?? ''), baseUrl: n8nUrl },
    apify: { platform: createApifyPlatform(apifyUrl, APIFY_CONSOLE), baseUrl: apifyUrl },
  };
  const planner =
    model === undefined
      ? undefined
      : (await import('../../automation/planners/openai.ts')).createModelPlanner({
          fetch,
          baseUrl: config.openaiBaseUrl,
          key: config.openaiKey,
          model,
        });
  return createAutomationService({
    openFetch: () => createGuardedFetch({ allowHosts, userAgent }),
    guard: createUrlGuard({ allowHosts }),
    platforms,
    platform,
    knowledgeUrl: publicUrl === undefined ? undefined : `${publicUrl}/upsertjson`,
    planner,
    local: { key: config.automationKey, team: config.automationTeam },
    log,
  });
}

function addresses(entries: readonly string[], platform: PlatformName): Map<PlatformName, string> {
  return new Map(
    entries.map((entry) => {
      const named = AUTOMATION_PLATFORMS.find((name) => entry.startsWith(`${name}=`));
      const url = named === undefined ? entry : entry.slice(named.length + 1);
      return [named ?? platform, url.replace(/(?<!\/)\/+$/, '')];
    }),
  );
}
