import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { AutomationPlan } from '../../src/automation/plans/plan.ts';
import { compileApifyTask } from '../../src/automation/platforms/apify.ts';
import { compileMakeScenario } from '../../src/automation/platforms/make-blueprint.ts';
import { compileN8nWorkflow } from '../../src/automation/platforms/n8n-workflow.ts';
import { readTask } from '../../src/automation/reading/read-task.ts';
import { getWebhookShape } from '../../src/automation/webhook-shape.ts';

const HOOKS = {
  discord: 'https://discord.com/api/webhooks/1/abc',
  slack: 'https://hooks.slack.com/services/T0/B0/x',
  teams: 'https://corp.webhook.office.com/webhookb2/1',
  facts: 'https://my.example/in',
} as const;

function taskOf(task: string) {
  const plan: AutomationPlan = { task, ...readTask(task) };
  return { plan, fingerprint: '0123456789abcdef', team: '1' };
}

test.each(Object.entries(HOOKS))('%s is recognised by its host', (shape, url) =>
  expect(getWebhookShape(url)).toBe(shape),
);

test.each([
  ['https://discord.com/api/webhooks/1/abc/slack', 'slack'],
  ['https://ntfy.sh/mine', 'text'],
  ['https://notdiscord.com/api/webhooks/1/abc', 'facts'],
  ['https://prod-1.westeurope.logic.azure.com/workflows/1', 'teams'],
])('%s accepts %s', (url, shape) => expect(getWebhookShape(url)).toBe(shape));

/** The body that n8n makes of its expression for a text. */
function bodyOnN8n(url: string, text: string): unknown {
  const { document } = compileN8nWorkflow(taskOf(`Post https://a.example/ to ${url} when it changes`));
  const nodes = document.nodes as { name: string; parameters: { jsonBody: string } }[];
  const expression = nodes.find(({ name }) => name === 'Send')?.parameters.jsonBody ?? '';
  const code = /^=\{\{ ([\s\S]+) \}\}$/.exec(expression)?.[1] ?? '';
  return JSON.parse(new Script(code).runInNewContext({ $json: { text, page: 'p' } }) as string);
}

test('n8n posts the format that each service accepts', () => {
  expect(bodyOnN8n(HOOKS.discord, 'x'.repeat(5000))).toEqual({
    content: 'x'.repeat(1900),
    allowed_mentions: { parse: [] },
  });
  expect(bodyOnN8n(HOOKS.slack, 'a <b> & "c"')).toEqual({ text: 'a &lt;b&gt; &amp; "c"' });
  expect(bodyOnN8n(HOOKS.teams, 'news')).toMatchObject({
    type: 'message',
    attachments: [{ content: { type: 'AdaptiveCard', body: [{ type: 'TextBlock', text: 'news' }] } }],
  });
  expect(bodyOnN8n(HOOKS.facts, 'news')).toEqual({ text: 'news', page: 'p' });
});

test('Make and Apify post the same members', () => {
  const make = JSON.stringify(
    compileMakeScenario(taskOf(`Post https://a.example/ to ${HOOKS.discord} when it changes`)).document,
  );
  expect(make).toContain('{\\"content\\":');
  expect(make).not.toContain('<found>');
  const { document } = compileApifyTask(
    taskOf(`Post https://a.example/ to ${HOOKS.slack} every time`),
    'https://api.example',
  );
  const { payloadTemplate } = document.webhook as { payloadTemplate: string };
  expect(Object.keys(JSON.parse(payloadTemplate) as object)).toEqual(['text']);
});

describe('the schedule of each platform', () => {
  const what = 'fetch https://a.example/';

  test.each([
    [`Every 30 minutes ${what}`, [{ field: 'minutes', minutesInterval: 30 }], undefined],
    [
      `Every weekday at 9 Berlin time ${what}`,
      [{ field: 'cronExpression', expression: '0 9 * * 1,2,3,4,5' }],
      'Europe/Berlin',
    ],
    [
      `At 8:30 and 18:00 on Sundays ${what}`,
      [
        { field: 'cronExpression', expression: '30 8 * * 0' },
        { field: 'cronExpression', expression: '0 18 * * 0' },
      ],
      undefined,
    ],
    [
      `Every 2 hours between 8 and 18 ${what}`,
      [{ field: 'cronExpression', expression: '0 8-18/2 * * *' }],
      undefined,
    ],
    [
      `On the 15th of every month ${what}`,
      [{ field: 'cronExpression', expression: '0 9 15 * *' }],
      undefined,
    ],
    [`Twice a day ${what}`, [{ field: 'cronExpression', expression: '0 */12 * * *' }], undefined],
  ])('n8n: %s', (task, interval, timezone) => {
    const { document } = compileN8nWorkflow(taskOf(task));
    const [trigger] = document.nodes as { parameters: { rule: { interval: unknown } } }[];
    expect(trigger?.parameters.rule.interval).toEqual(interval);
    expect((document.settings as { timezone?: string }).timezone).toBe(timezone);
  });

  test.each([
    [`Every 30 minutes ${what}`, { type: 'indefinitely', interval: 1800 }],
    [
      `Every weekday at 9 ${what}`,
      {
        type: 'indefinitely',
        interval: 900,
        restrict: [{ days: [1, 2, 3, 4, 5], time: ['09:00', '09:01'] }],
      },
    ],
    [
      `Every hour between 8 and 18 on weekends ${what}`,
      { type: 'indefinitely', interval: 3600, restrict: [{ days: [6, 0], time: ['08:00', '18:00'] }] },
    ],
  ])('Make: %s', (task, scheduling) =>
    expect(compileMakeScenario(taskOf(task)).document.scheduling).toEqual(scheduling),
  );

  test('Apify: one cron expression and a time zone', () => {
    const scheduleOf = (task: string) =>
      compileApifyTask(taskOf(task), 'https://api.example').document.schedule;
    expect(scheduleOf(`Every weekday at 9 New York time ${what}`)).toMatchObject({
      cronExpression: '0 9 * * 1,2,3,4,5',
      timezone: 'America/New_York',
    });
    expect(scheduleOf(`At 8:00 and 18:00 daily ${what}`)).toMatchObject({
      cronExpression: '0 8,18 * * *',
      timezone: 'UTC',
    });
    expect(() => scheduleOf(`At 8:30 and 18:00 daily ${what}`)).toThrow(/name platform n8n or make/);
  });

  test('a feature that a platform lacks is refused with the name of the platform that has it', () => {
    expect(() =>
      compileMakeScenario(taskOf('Tell me when the price of https://a.example/ falls by 10%')),
    ).toThrow(/need platform n8n/);
    expect(() => compileMakeScenario(taskOf(`On the 15th of every month ${what}`))).toThrow(/n8n or apify/);
  });
});
