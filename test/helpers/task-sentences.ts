import { readFileSync } from 'node:fs';
import { formatClockTime, type RunSchedule } from '../../src/automation/plans/schedule.ts';
import type { SendCondition, SimpleCondition } from '../../src/automation/reading/condition.ts';
import type { TaskReading } from '../../src/automation/reading/read-task.ts';

/** A sentence with the plan that it stands for, in the short form of test/automation/*.txt. */
export interface Sentence {
  readonly language: string;
  readonly task: string;
  readonly plan: string;
  /** Parts that have to be named as not understood. */
  readonly unread: readonly string[];
}

const PLACES: Readonly<Record<string, string>> = {
  shop: 'https://shop.example/item/42',
  other: 'https://other.example/p/7',
  news: 'https://zeitung.example/',
  feed: 'https://blog.example/feed.xml',
  jobs: 'https://jobs.example/list',
  hook: 'https://hooks.example.com/in',
  slack: 'https://hooks.slack.com/services/T0/B0/x',
  discord: 'https://discord.com/api/webhooks/1/abc',
  teams: 'https://corp.webhook.office.com/webhookb2/1',
  mail: 'ada@mail.example',
};

function placed(text: string): string {
  return text.replace(/<(\w+)>/g, (found, name: string) => PLACES[name] ?? found);
}

/** The sentences of a file: `language | sentence | takes | when | runs | sends to | not understood`. */
export function readSentences(file: URL): Sentence[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [language = '', task = '', take = '', when = '', runs = '', send = '', unread = ''] = line
        .split(' | ')
        .map((part) => part.trim());
      const plan = [take, when, runs === '-' ? '15m' : runs, send === '-' ? 'platform' : placed(send)].join(
        ' | ',
      );
      return { language, task: placed(task), plan, unread: unread === '-' ? [] : unread.split(' / ') };
    });
}

/** A reading in the same short form. */
export function shortForm({ extract, when, runs, send }: TaskReading): string {
  const of = extract.kind === 'prices' && extract.of !== undefined ? ` of "${extract.of}"` : '';
  const all = extract.kind === 'prices' && extract.all ? ' all' : '';
  const take = extract.kind === 'selector' ? `selector ${extract.selector}` : `${extract.kind}${all}${of}`;
  const to = send.kind === 'webhook' ? send.url : send.kind === 'email' ? send.to : send.kind;
  return [take, shortWhen(when), shortRuns(runs), to].join(' | ');
}

function shortWhen(when: SendCondition): string {
  if (when.kind === 'any' || when.kind === 'all') return `${when.kind}(${when.of.map(shortWhen).join('; ')})`;
  return shortSingle(when);
}

function shortSingle(one: SimpleCondition): string {
  switch (one.kind) {
    case 'word':
    case 'gone':
      return `${one.kind} "${one.word}"`;
    case 'new':
      return [
        'new',
        listed('about', one.about, one.every ? '&' : '|'),
        listed('without', one.without, '|'),
      ].join('');
    case 'compare':
      return `compare 1${one.is === 'below' ? '<' : one.is === 'above' ? '>' : '≠'}2`;
    case 'below':
    case 'above':
    case 'equal':
    case 'drop':
    case 'rise':
    case 'move': {
      const name = `${one.kind}${'inclusive' in one && one.inclusive ? '=' : ''}`;
      const value = 'percent' in one && one.percent ? `${one.value}%` : String(one.value);
      const zero = one.value === 0 && ['drop', 'rise', 'move'].includes(one.kind);
      return [name, zero ? '' : value, one.currency ?? '', one.of === undefined ? '' : `of "${one.of}"`]
        .filter((part) => part !== '')
        .join(' ');
    }
    default:
      return one.kind;
  }
}

function listed(lead: string, words: readonly string[] | undefined, joint: string): string {
  return words ? ` ${lead} ${words.map((word) => `"${word}"`).join(joint)}` : '';
}

function shortRuns(runs: RunSchedule | undefined): string {
  if (!runs) return '15m';
  const { every, from, to, at, days, date, zone } = runs;
  return [
    at ? `at ${at.map(formatClockTime).join(',')}` : `${every}m`,
    from === undefined ? '' : `from ${from} to ${to}`,
    days ? `on ${days.join(',')}` : '',
    date === undefined ? '' : `of ${date}`,
    zone === undefined ? '' : `in ${zone}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** What a reading made of a sentence: the plan, what it names as not understood, or a mistake that it does not name. */
export function verdictOf(sentence: Sentence, reading: TaskReading): 'right' | 'noted' | 'silent' {
  const right = shortForm(reading) === sentence.plan;
  const named = sentence.unread.every((part) => reading.unreadWords.some((words) => words.includes(part)));
  const more = reading.unreadWords.filter((words) => !sentence.unread.some((part) => words.includes(part)));
  if (right && named && more.length === 0) return 'right';
  const says = reading.unread.length > 0 || reading.notes.length > 0;
  // A reading that is whole and names a word too many is honest; one that leaves something out in silence is not.
  return says && named ? 'noted' : 'silent';
}
