import { z } from 'zod';
import type { Setting } from './setting.ts';

export const AUTOMATION_PLATFORMS = ['make', 'n8n', 'apify'] as const;
export type PlatformName = (typeof AUTOMATION_PLATFORMS)[number];

/** Matches a platform's name before an address, for example in `n8n=https://...`. */
const OWN_NAME = new RegExp(`^(?:${AUTOMATION_PLATFORMS.join('|')})=`);
const address = z.url({ protocol: /^https?$/ }).refine((url) => !/[?#@]/.test(url));

export const AUTOMATION_SETTINGS = {
  automationPlatform: {
    env: 'MAGPIE_AUTOMATION_PLATFORM',
    schema: z.enum(AUTOMATION_PLATFORMS).default('make'),
    takes: `one of ${AUTOMATION_PLATFORMS.join(', ')}`,
    about: 'Platform on which `automationrpa` creates automations when a call names none.',
  },
  automationUrl: {
    env: 'MAGPIE_AUTOMATION_URL',
    schema: z
      .array(z.string().refine((entry) => address.safeParse(entry.replace(OWN_NAME, '')).success))
      .default([]),
    takes: 'an http or https URL without query, or name=URL pairs, separated by commas',
    about:
      'Base address of that platform, or of several as `n8n=https://n8n.example,make=https://us1.make.com`; may be on a private network. Default: `https://eu1.make.com` (the zone of your organization is in its address) and `https://api.apify.com`; n8n has none.',
  },
  automationKey: {
    env: 'MAGPIE_AUTOMATION_KEY',
    schema: z.string().trim().min(1).max(2000).optional(),
    takes: 'the key, as the platform shows it',
    secret: true,
    about:
      'API key of that platform, for the one local user of the command line and of stdio, so that it stands on no command line; never used over HTTP.',
  },
  automationTeam: {
    env: 'MAGPIE_AUTOMATION_TEAM',
    schema: z.string().trim().min(1).max(100).optional(),
    takes: 'the team on that platform',
    secret: true,
    about: 'Team that goes with it.',
  },
  chatModel: {
    env: 'MAGPIE_CHAT_MODEL',
    schema: z.string().trim().min(1).max(200).optional(),
    takes: 'the name of a chat model at OPENAI_BASE_URL',
    about: 'Model that turns the words of a task into the plan of an automation; without it, rules do.',
  },
} as const satisfies Record<string, Setting>;
