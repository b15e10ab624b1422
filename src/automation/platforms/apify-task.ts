import { AppError } from '../../errors.ts';
import { formatAutomationName } from '../plans/automation-name.ts';
import type { Plan } from '../plans/plan.ts';
import { cronOf, formatClockTime, USUAL_RUNS } from '../plans/schedule.ts';
import type { CompiledTask, JsonObject, Task } from '../platform.ts';
import { listSimpleConditions } from '../reading/condition.ts';
import { getWebhookShape, messageAround } from '../webhook-shape.ts';
import { escapeAddressBraces, escapeTemplateBraces } from './read-answer.ts';

export const CRAWLER_ACTOR = 'apify/website-content-crawler';
const MAILER = 'apify/send-mail';
export const TASK_ID_PLACEHOLDER = '<task>';

/** A run has to end before the next run begins. */
const RUN_OPTIONS = { build: 'latest', timeoutSecs: 600, memoryMbytes: 4096 };
const RUNS_URL = 'https://console.apify.com/actors/runs/';

/** Compiles crawler input, schedule and web hook. Throws AppError `bad_request` for the knowledge base. */
export function compileTask(task: Task, apiUrl: string): CompiledTask {
  const { plan, fingerprint } = task;
  const name = `magpie-${fingerprint}`;
  const title = formatAutomationName(task);
  const webhook = hook(plan, fingerprint, apiUrl);
  return {
    document: {
      task: { actId: CRAWLER_ACTOR, name, title, options: RUN_OPTIONS, input: crawl(plan) },
      schedule: {
        name,
        title,
        isEnabled: true,
        isExclusive: true,
        cronExpression: cronFor(plan),
        timezone: plan.runs?.zone ?? 'UTC',
        actions: [{ type: 'RUN_ACTOR_TASK', actorTaskId: TASK_ID_PLACEHOLDER }],
      },
      ...(webhook && { webhook }),
    },
    notes: notesOn(plan),
    ready: true,
  };
}

/** Throws AppError `bad_request` for times that need two expressions. */
function cronFor({ runs = USUAL_RUNS }: Plan): string {
  const [first = '', ...others] = cronOf(runs);
  if (others.length === 0) return first;
  const [minute] = first.split(' ');
  const hours = [first, ...others].map((cron) => cron.split(' '));
  if (hours.some(([one]) => one !== minute)) {
    throw new AppError(
      'bad_request',
      `Apify starts a task at the same minute of each hour, not at ${runs.at?.map(formatClockTime).join(' and ')}: name platform n8n or make, or other times`,
    );
  }
  return first.replace(/^\d+ \d+/, `${minute} ${hours.map(([, hour]) => hour).join(',')}`);
}

function crawl({ pages, extract }: Plan): JsonObject {
  const keep = {
    links: 'a[href]',
    headings: 'h1, h2, h3',
    title: 'title',
    items: 'a[href]',
    text: '',
    prices: '',
  };
  const kept = extract.kind === 'selector' ? extract.selector : keep[extract.kind];
  return {
    startUrls: pages.map((url) => ({ url })),
    crawlerType: 'playwright:adaptive',
    maxCrawlDepth: 0,
    maxCrawlPages: pages.length,
    maxResults: pages.length,
    useSitemaps: false,
    respectRobotsTxtFile: true,
    proxyConfiguration: { useApifyProxy: true },
    saveMarkdown: true,
    ...(kept === ''
      ? { htmlTransformer: 'readableText' }
      : { htmlTransformer: 'none', keepElementsCssSelector: kept }),
  };
}

/** Throws AppError `bad_request` for a plan with a condition or the knowledge base. */
function hook({ send, task, when }: Plan, fingerprint: string, apiUrl: string): JsonObject | undefined {
  if (send.kind !== 'platform' && when.kind !== 'always') {
    throw new AppError(
      'bad_request',
      'Apify compares nothing, so it cannot notify only when something changes, appears or goes below or above a number: name platform n8n or make; or say "every time", and let the receiver compare',
    );
  }
  const facts = { task: escapeTemplateBraces(task), run: '{{resource.id}}', at: '{{createdAt}}' };
  const items = `${apiUrl}/v2/datasets/{{resource.defaultDatasetId}}/items`;
  const common = {
    eventTypes: ['ACTOR.RUN.SUCCEEDED'],
    condition: { actorTaskId: TASK_ID_PLACEHOLDER },
    idempotencyKey: `magpie-${fingerprint}`,
    shouldInterpolateStrings: true,
  };
  switch (send.kind) {
    case 'webhook': {
      const shape = getWebhookShape(send.url);
      const message = `${facts.task}\n${RUNS_URL}{{resource.id}}`;
      const payloadTemplate =
        shape === 'facts' || shape === 'text'
          ? JSON.stringify({ ...facts, items })
          : JSON.stringify(messageAround(shape, message));
      return { ...common, requestUrl: escapeAddressBraces(send.url), payloadTemplate };
    }
    case 'email': {
      const mail = { to: send.to, subject: facts.task, text: `${facts.task}\n${RUNS_URL}{{resource.id}}` };
      // The web hook calls Apify's own API. Apify adds the token to such a request.
      const requestUrl = `${apiUrl}/v2/acts/${MAILER.replace('/', '~')}/runs`;
      return { ...common, requestUrl, payloadTemplate: JSON.stringify(mail) };
    }
    case 'knowledge':
      throw new AppError(
        'bad_request',
        "Apify's web hooks carry no text of a page, so it cannot write into the knowledge base: name platform n8n or make, or send to a web hook",
      );
    default:
      return undefined;
  }
}

function notesOn({ when, extract, send }: Plan): string[] {
  const compares = listSimpleConditions(when).some(({ kind }) => kind !== 'always');
  return [
    ...(!compares
      ? []
      : [
          'Apify compares nothing: each run keeps what it finds, and sends no notification; n8n and Make can',
        ]),
    ...(extract.kind === 'prices' ? ['it takes the whole text of a page, prices among it'] : []),
    send.kind === 'platform' || send.kind === 'email'
      ? 'what it finds is in the dataset of each run'
      : 'what is sent names the run and the address of its dataset, which takes your Apify token to read',
  ];
}
