import { z } from 'zod';
import { badRequestError } from '../../src/errors.ts';
import { pageWatchFields } from '../../src/lib/watching/page-watch-fields.ts';
import type { MaintenanceWindow, ProbeOptionChanges } from '../../src/monitor/types.ts';
import { optional } from '../../src/operation.ts';

/** Options that decide whether a probe succeeds. Tool listings omit them, as the API contract lacks them. */

const texts = z
  .union([z.array(z.string().min(1).max(500)).max(20), z.string().min(1).max(500)])
  .transform((given) => (typeof given === 'string' ? [given] : given));

const expect = z
  .object({
    status: z
      .string()
      .max(300)
      .meta({ description: 'Codes and ranges; default 200-299', examples: ['200-299, 401'] })
      .optional(),
    contains: texts.optional(),
    lacks: texts.optional(),
    json: texts
      .meta({ description: 'Each a path, and a comparison', examples: ['$.state == "ok"'] })
      .optional(),
    response_ms: z.number().min(1).max(60_000).optional(),
  })
  .describe('What the answer has to be; an empty object takes all of it away');

const moment = z.iso
  .datetime({ offset: true, precision: null })
  .meta({ examples: ['2026-12-01T22:00:00+01:00'] });

const maintenance = z
  .array(
    z.object({
      from: moment.optional(),
      to: moment.optional(),
      cron: z.string().max(100).optional(),
      minutes: z.int().min(1).max(10_080).optional(),
      zone: z.string().max(100).optional(),
    }),
  )
  .max(20)
  .describe('Times without alerts: from and to, or cron, minutes and zone; an empty list takes them away');

export const probingOptions = {
  expect: expect.optional(),
  retries: optional(z.int().min(0).max(20), 'Probes that confirm a failure before its alert; default 1'),
  retry_interval: optional(
    z.number().min(1).max(3600),
    'Seconds between these, from the second on; default 10',
  ),
  maintenance: maintenance.optional(),
  page: optional(
    pageWatchFields,
    'What is watched of a page, and when its change is notified; default: its text, any change',
  ),
  grace: optional(z.number().min(0).max(86_400), 'Seconds that a heartbeat may be late; default 60'),
  new_token: optional(z.boolean(), 'Makes a new address of a heartbeat'),
};

const given = z.object(probingOptions);

export function toProbingOptions({
  expect,
  retries,
  retry_interval: seconds,
  maintenance: windows,
  grace,
  page,
}: z.output<typeof given>): ProbeOptionChanges {
  return {
    expect: expect && expectationsOf(expect),
    page,
    retries,
    graceMs: grace !== undefined ? Math.round(grace * 1000) : undefined,
    retryMs: seconds !== undefined ? Math.round(seconds * 1000) : undefined,
    maintenance: windows && (windows.length > 0 ? windows.map(windowOf) : null),
  };
}

function windowOf({
  from,
  to,
  cron,
  minutes,
  zone,
}: z.output<typeof maintenance>[number]): MaintenanceWindow {
  const isOnce =
    from !== undefined && to !== undefined && [cron, minutes, zone].every((one) => one === undefined);
  if (isOnce) return { from: Date.parse(from), to: Date.parse(to) };
  if (cron !== undefined && minutes !== undefined && from === undefined && to === undefined) {
    return { cron, minutes, zone };
  }
  throw badRequestError('maintenance takes windows with from and to, or with cron, minutes and zone');
}

function expectationsOf({
  response_ms: responseMs,
  ...rest
}: z.output<typeof expect>): ProbeOptionChanges['expect'] {
  const all = { ...rest, responseMs };
  return Object.values(all).every((value) => value === undefined) ? null : all;
}

export const probingAnswer = {
  expect: z
    .object({
      status: z.string().optional(),
      contains: z.array(z.string()).optional(),
      lacks: z.array(z.string()).optional(),
      json: z.array(z.string()).optional(),
      response_ms: z.number().optional(),
    })
    .optional(),
  page: z.record(z.string(), z.unknown()).optional(),
  grace: z.number().optional(),
  heartbeat: z.string().optional(),
  retries: z.int().optional(),
  retry_interval: z.number().optional(),
  maintenance: z
    .array(
      z.object({
        from: z.string().optional(),
        to: z.string().optional(),
        cron: z.string().optional(),
        minutes: z.int().optional(),
        zone: z.string().optional(),
      }),
    )
    .optional(),
};

export const UNLISTED_PROBING = Object.keys(probingOptions).map((name) => `monitoring_options.${name}`);
