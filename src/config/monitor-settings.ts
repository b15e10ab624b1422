import { resolve } from 'node:path';
import { z } from 'zod';
import { parseChannelAddress } from '../lib/network/channel-address.ts';
import { optionalUrlSetting, type Setting, wholeNumberSetting } from './setting.ts';

const address = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s<>@]+@[^\s<>@]+$/);

function isOperatorChannel(text: string): boolean {
  const address = parseChannelAddress(text);
  return address !== undefined && address.kind !== 'mail';
}

export const MONITOR_SETTINGS = {
  inventory: {
    env: 'MAGPIE_INVENTORY',
    schema: z
      .string()
      .min(1)
      .transform((path) => resolve(path))
      .optional(),
    takes: 'the path of a file as docs/monitoring.md describes it',
    about:
      'The infrastructure that may be watched besides public addresses: hosts, URLs, ports, repositories by name (`infrastructure.yaml`).',
  },
  monitors: {
    ...wholeNumberSetting('MAGPIE_MONITORS', 1, 100_000, 100),
    about: 'Most monitors of one user.',
  },
  monitorAtOnce: {
    ...wholeNumberSetting('MAGPIE_MONITOR_AT_ONCE', 1, 1000, 32),
    about: 'Most targets that are probed at once.',
  },
  monitorSurvey: {
    ...wholeNumberSetting('MAGPIE_MONITOR_SURVEY', 10, 2_592_000, 3600),
    about:
      'Seconds between two probes of what changes seldom or takes many connections: TLS versions, ports, redirects, DNS, security.txt.',
  },
  monitorScan: {
    ...wholeNumberSetting('MAGPIE_MONITOR_SCAN', 60, 2_592_000, 86_400),
    about: 'Seconds between two scans of a watched repository.',
  },
  monitorWebhook: {
    ...optionalUrlSetting('MAGPIE_MONITOR_WEBHOOK'),
    about: 'Address that alerts of monitors are posted to as JSON; may be on a private network.',
    secret: true,
  },
  monitorSecret: {
    env: 'MAGPIE_MONITOR_SECRET',
    schema: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,200}={0,2}$/)
      .optional(),
    takes: '`whsec_` and at least 24 random bytes in base64',
    about: 'Key that those posts are signed with (HMAC-SHA256, as Standard Webhooks have it).',
    secret: true,
  },
  monitorSlack: {
    ...optionalUrlSetting('MAGPIE_MONITOR_SLACK'),
    about: 'Incoming webhook of Slack or a service that takes the same body; may be on a private network.',
    secret: true,
  },
  monitorChannels: {
    env: 'MAGPIE_MONITOR_CHANNELS',
    schema: z
      .array(z.string().refine((text) => isOperatorChannel(text)))
      .max(20)
      .default([]),
    takes:
      'addresses of channels as docs/monitoring.md lists them, separated by commas; mail has its own settings',
    about:
      'Further places of alerts: Slack, Discord, Teams, Telegram, ntfy or webhooks; may be on a private network.',
    secret: true,
  },
  monitorSmtp: {
    env: 'MAGPIE_MONITOR_SMTP',
    schema: z.url({ protocol: /^smtps?$/ }).optional(),
    takes: 'smtp://user:password@host:port or smtps://...',
    about: 'Mail server that alerts of monitors are sent through.',
    secret: true,
  },
  monitorMailFrom: {
    env: 'MAGPIE_MONITOR_MAIL_FROM',
    schema: address.optional(),
    takes: 'a mail address',
    about: 'Whom those mails come from.',
  },
  monitorMailTo: {
    env: 'MAGPIE_MONITOR_MAIL_TO',
    schema: z.array(address).max(50).default([]),
    takes: 'mail addresses, separated by commas',
    about: 'Who gets them.',
  },
} as const satisfies Record<string, Setting>;
