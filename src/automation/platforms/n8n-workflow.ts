import { formatAutomationName } from '../plans/automation-name.ts';
import type { AutomationPlan } from '../plans/plan.ts';
import { cronOf, USUAL_RUNS } from '../plans/schedule.ts';
import type { CompiledTask, JsonRecord, JsonValue, PlatformTask } from '../platform.ts';
import { listSimpleConditions } from '../reading/condition.ts';
import { getWebhookShape, MAX_MESSAGE_CHARACTERS, messageAround } from '../webhook-shape.ts';
import { generateN8nCode } from './n8n-code.ts';
import fetchNode from './n8n-fetch-node.json' with { type: 'json' };

export const KEY_CREDENTIAL_PLACEHOLDER = '<credential>';

const TIMEOUT_MS = fetchNode.parameters.options.timeout;

export function compileN8nWorkflow(task: PlatformTask): CompiledTask {
  const { plan, team } = task;
  const { node, notes, ready } = sender(task);
  const steps: [name: string, facts: JsonRecord][] = [
    [
      plan.runs ? 'Schedule' : 'Every 15 minutes',
      {
        type: 'n8n-nodes-base.scheduleTrigger',
        typeVersion: 1.2,
        parameters: { rule: { interval: times(plan) } },
      },
    ],
    ['Pages', code(`return ${JSON.stringify(plan.pages.map((url) => ({ json: { url } })))};`)],
    ['Fetch', fetchNode],
    [
      'Extract',
      {
        type: 'n8n-nodes-base.html',
        typeVersion: 1.2,
        onError: 'continueRegularOutput',
        parameters: {
          operation: 'extractHtmlContent',
          dataPropertyName: 'html',
          extractionValues: { values: [extraction(plan)] },
          options: { trimValues: true },
        },
      },
    ],
    ['Compare', code(generateN8nCode(plan))],
    ...(node ? [['Send', node] as [string, JsonRecord]] : []),
  ];
  return {
    document: {
      name: formatAutomationName(task),
      nodes: steps.map(([name, facts], index) => ({
        id: `step-${index + 1}`,
        name,
        position: [220 * index, 0],
        ...facts,
      })),
      connections: Object.fromEntries(
        steps
          .slice(1)
          .map(([name], index): [string, JsonValue] => [
            steps[index]?.[0] ?? '',
            { main: [[{ node: name, type: 'main', index: 0 }]] },
          ]),
      ),
      settings: { executionOrder: 'v1', ...(plan.runs?.zone !== undefined && { timezone: plan.runs.zone }) },
      ...(team !== PERSONAL_TEAM && { projectId: team }),
    },
    notes: [...notes, ...anyNumber(plan)],
    ready,
  };
}

function times({ runs = USUAL_RUNS }: AutomationPlan): JsonRecord[] {
  const { every, from, at, days, date } = runs;
  const plain = !at && from === undefined && !days && date === undefined;
  if (plain && every !== undefined && every < 60) return [{ field: 'minutes', minutesInterval: every }];
  return cronOf(runs).map((expression) => ({ field: 'cronExpression', expression }));
}

function anyNumber({ when, extract }: AutomationPlan): string[] {
  const limits = listSimpleConditions(when).filter((one) => 'value' in one && one.of === undefined);
  if (limits.length === 0 || (extract.kind === 'prices' && !extract.all)) return [];
  return [
    `every ${extract.kind === 'prices' ? 'price' : 'number'} that it extracts counts; a selector narrows it`,
  ];
}

/** Team name for an n8n without projects, where the workflows belong to the key's owner. */
export const PERSONAL_TEAM = 'personal';

function code(jsCode: string): JsonRecord {
  return { type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
}

function extraction({ extract }: AutomationPlan): JsonRecord {
  const text = { key: 'found', returnValue: 'text' };
  switch (extract.kind) {
    case 'links':
      return {
        key: 'found',
        cssSelector: 'a[href]',
        returnValue: 'attribute',
        attribute: 'href',
        returnArray: true,
      };
    case 'headings':
      return { ...text, cssSelector: 'h1, h2, h3', returnArray: true };
    case 'title':
      return { ...text, cssSelector: 'title' };
    case 'selector':
      return { ...text, cssSelector: literal(extract.selector), returnArray: true };
    default:
      return { ...text, cssSelector: 'body', skipSelectors: 'script, style, noscript, template' };
  }
}

/** Removes `=` at the beginning, because n8n would treat the text as an expression. */
const literal = (text: string): string => text.replace(/^[=\s]+/, '');

function sender(task: PlatformTask): { node?: JsonRecord; notes: string[]; ready: boolean } {
  const { send } = task.plan;
  const post = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, retryOnFail: true };
  const json = { method: 'POST', sendBody: true, specifyBody: 'json', options: { timeout: TIMEOUT_MS } };
  switch (send.kind) {
    case 'webhook':
      return {
        node: { ...post, parameters: { ...json, ...bodyFor(send.url), url: send.url } },
        notes: [],
        ready: true,
      };
    case 'knowledge':
      return {
        node: {
          ...post,
          parameters: {
            ...json,
            url: task.knowledgeUrl ?? '',
            authentication: 'genericCredentialType',
            genericAuthType: 'httpHeaderAuth',
            jsonBody: '={{ JSON.stringify({ q: $json.text, source: $json.page }) }}',
          },
          credentials: { httpHeaderAuth: { id: KEY_CREDENTIAL_PLACEHOLDER, name: credentialName(task) } },
        },
        notes: ['your Magpie key is stored among the credentials of n8n'],
        ready: true,
      };
    case 'email':
      return {
        node: {
          type: 'n8n-nodes-base.emailSend',
          typeVersion: 2.1,
          parameters: {
            fromEmail: send.to,
            toEmail: send.to,
            subject: `={{ $json.page }}`,
            emailFormat: 'text',
            text: '={{ $json.text }}',
            options: {},
          },
        },
        notes: [
          'choose an SMTP credential in its node Send, then activate it: n8n sends no mail without one',
        ],
        ready: false,
      };
    default:
      return { notes: ['what it finds is in the list of executions of n8n'], ready: true };
  }
}

function bodyFor(url: string): JsonRecord {
  const shape = getWebhookShape(url);
  if (shape === 'facts') return { jsonBody: '={{ JSON.stringify($json) }}' };
  const text = `$json.text.slice(0, ${MAX_MESSAGE_CHARACTERS[shape]})`;
  if (shape === 'text') {
    return {
      specifyBody: 'string',
      contentType: 'raw',
      rawContentType: 'text/plain',
      body: `={{ ${text} }}`,
    };
  }
  const safe =
    shape === 'slack' ? `${text}.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')` : text;
  const around = JSON.stringify(messageAround(shape, TEXT_PLACE)).replace(JSON.stringify(TEXT_PLACE), safe);
  return { jsonBody: `={{ JSON.stringify(${around}) }}` };
}

const TEXT_PLACE = '<text>';

export const credentialName = ({ fingerprint }: PlatformTask): string => `Magpie ${fingerprint}`;
