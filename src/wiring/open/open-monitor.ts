import { createHmac } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { badRequestError } from '../../errors.ts';
import { CHANNEL_ADDRESS_FORMATS, parseChannelAddress } from '../../lib/network/channel-address.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { createUrlGuard } from '../../lib/network/url-guard.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import type { NotificationSender } from '../../monitor/alerts/notification.ts';
import { checks } from '../../monitor/checks/list.ts';
import { createMonitorService } from '../../monitor/monitor.ts';
import { getTimeLimitMs } from '../../monitor/probing/check.ts';
import type { CheckCadence } from '../../monitor/probing/check-cadence.ts';
import { DEFAULT_PROBE_TIMEOUTS_MS } from '../../monitor/probing/probe-context.ts';
import { createResolver } from '../../monitor/probing/resolver.ts';
import { createRegistrationLookup } from '../../monitor/registration/registration-lookup.ts';
import { createProbeSchedule } from '../../monitor/scheduling/schedule.ts';
import { createChannelSender, maskSender } from '../../monitor/senders/channel.ts';
import { createMailSender } from '../../monitor/senders/mail.ts';
import { createOwnSender } from '../../monitor/senders/own.ts';
import { createSlackSender, createWebhookSender } from '../../monitor/senders/webhook.ts';
import { createFixedInventorySource, createInventorySource } from '../../monitor/targets/inventory-source.ts';
import type { PageWatcher, RepositoryScan } from '../../monitor/types.ts';
import type { ServicesFoundation } from '../foundation.ts';
import type { Stores } from '../stores.ts';

export interface MonitorFoundation
  extends Pick<ServicesFoundation, 'config' | 'fetch' | 'log' | 'userAgent' | 'waits'> {
  stores(): Promise<Pick<Stores, 'monitors' | 'secret'>>;
}

/** CVSS score from which a problem raises an alert (7 is "high"), and milliseconds between probes. */
const DEFAULTS = { threshold: 7, intervalMs: 300_000 };
const JOB_SLACK_MS = 60_000;

function limitOfAll(sort: CheckCadence): number {
  return checks
    .filter((check) => check.sort === sort)
    .reduce((sum, check) => sum + getTimeLimitMs(check), JOB_SLACK_MS);
}

export async function openMonitor(base: MonitorFoundation, scan: RepositoryScan, pages: PageWatcher) {
  const { config, fetch, userAgent, log } = base;
  const {
    pollMs,
    inventoryMs,
    retryMs = DEFAULT_PROBE_TIMEOUTS_MS.retry,
    ...others
  } = base.waits.monitor ?? {};
  const set = await base.stores();
  const [stores, secret] = await Promise.all([set.monitors(), set.secret()]);
  const ownSecret = (owner: string) =>
    createHmac('sha256', secret).update(`monitor webhook ${owner}`).digest();
  const mailTo = mailOf(config);
  const guard = createUrlGuard({ allowHosts: [] });
  return createMonitorService({
    stores,
    schedule: createProbeSchedule({
      store: stores.schedule,
      log,
      concurrency: config.monitorAtOnce,
      pollMs,
      limits: {
        watch: limitOfAll('watch'),
        survey: limitOfAll('survey'),
        scan: config.scanTimeout + JOB_SLACK_MS,
      },
    }),
    checks,
    listing:
      config.inventory === undefined
        ? createFixedInventorySource()
        : createInventorySource(config.inventory, log, inventoryMs),
    guard,
    findRegistration: createRegistrationLookup({ fetch, guard }),
    resolver: createResolver(),
    scan,
    pages,
    userAgent,
    senders: sendersOf(config, fetch),
    ownSecret,
    ownSender: (owner, url) => createOwnSender({ url, fetch, secret: ownSecret(owner), mail: mailTo }),
    mayMail: (to) => mailTo(to) !== undefined,
    defaults: DEFAULTS,
    surveyMs: config.monitorSurvey * 1000,
    scanMs: config.monitorScan * 1000,
    maxMonitors: config.monitors,
    log,
    timeouts: { ...DEFAULT_PROBE_TIMEOUTS_MS, retry: retryMs },
    ...others,
  });
}

/** Allows mail only to the domains of the operator's addresses. Users cannot send mail to strangers. */
function mailOf(config: Config): (to: string) => NotificationSender | undefined {
  const { monitorSmtp, monitorMailFrom, monitorMailTo } = config;
  const domainOf = (address: string) => address.split('@').at(-1)?.toLowerCase();
  const own = [...monitorMailTo, ...(monitorMailFrom === undefined ? [] : [monitorMailFrom])];
  const domains = new Set(own.map(domainOf));
  const from = monitorMailFrom ?? monitorMailTo[0];
  return (to) =>
    monitorSmtp !== undefined && from !== undefined && domains.has(domainOf(to))
      ? createMailSender({ server: monitorSmtp, from, to: [to] })
      : undefined;
}

function channelsOf({ monitorChannels }: Config, fetch: GuardedFetch, taken: readonly string[]) {
  const names = new Set(taken);
  const entries = monitorChannels.map((text): [string, NotificationSender] => {
    const address = parseChannelAddress(text);
    if (!address) throw badRequestError(`MAGPIE_MONITOR_CHANNELS: each takes ${CHANNEL_ADDRESS_FORMATS}`);
    let name: string = address.kind;
    for (let count = 2; names.has(name); count += 1) name = `${address.kind}-${count}`;
    names.add(name);
    const sender = createChannelSender(address, { fetch, trusted: true });
    return [name, address.url === undefined ? sender : discreet(address.url, sender)];
  });
  return Object.fromEntries(entries);
}

function sendersOf(config: Config, fetch: GuardedFetch): Record<string, NotificationSender> {
  const { monitorWebhook, monitorSecret, monitorSlack, monitorSmtp, monitorMailFrom, monitorMailTo } = config;
  const secret = monitorSecret && Buffer.from(monitorSecret.slice('whsec_'.length), 'base64');
  const named = omitUndefined({
    webhook:
      monitorWebhook !== undefined
        ? discreet(
            monitorWebhook,
            createWebhookSender({ url: monitorWebhook, fetch, trusted: true, secret: secret || undefined }),
          )
        : undefined,
    slack:
      monitorSlack !== undefined
        ? discreet(monitorSlack, createSlackSender({ url: monitorSlack, fetch, trusted: true }))
        : undefined,
    mail:
      monitorSmtp !== undefined && monitorMailTo.length > 0
        ? createMailSender({
            server: monitorSmtp,
            from: monitorMailFrom ?? monitorMailTo[0] ?? '',
            to: monitorMailTo,
          })
        : undefined,
  });
  return { ...named, ...channelsOf(config, fetch, Object.keys(named)) };
}

/** Hides the operator's webhook address in errors, which all users can read. */
function discreet(url: string, sender: NotificationSender): NotificationSender {
  const { host, hostname } = new URL(url);
  return maskSender(sender, [host, hostname], true);
}
