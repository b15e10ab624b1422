import type { TourSites } from './sites.ts';

export interface TourStep {
  readonly title?: string;
  readonly about?: string;
  readonly args: readonly string[];
  readonly lines?: number;
  readonly code?: number;
  readonly has: string;
  readonly input?: string;
  readonly waits?: true;
}

const SENTENCE =
  'Watch https://shop.example/offer and post to https://hooks.example/in when the price drops below 900';

export function tourSteps({ site }: TourSites): readonly TourStep[] {
  return [
    {
      title: 'Find',
      about: 'A page is read as Markdown, without what stands around its text.',
      args: ['browse', `http://${site}/nests`],
      has: 'a roof of thorns',
    },
    {
      about: 'Pages that were read are found again without any search engine.',
      args: ['search', 'when do magpies build their nests?'],
      lines: 5,
      has: 'in February',
    },
    {
      title: 'Keep',
      about: 'A text is on the disk before the answer comes.',
      args: ['upsert', 'The spare key is with Ada, at number 7.'],
      has: 'Kept in the knowledge base',
    },
    { args: ['upsert', 'The car is serviced each March, by Ruiz.'], has: 'Kept in the knowledge base' },
    {
      about: 'It is found by what it means, and by its words.',
      args: ['query', 'where do we keep the spare key?'],
      lines: 4,
      has: 'The spare key is with Ada',
    },
    {
      about: 'A file is read, and then asked.',
      args: ['upload', 'handbook.pdf'],
      has: 'handbook.pdf: added, 2 pages',
    },
    {
      args: ['document', 'how often is the upper stone dressed?', '--fileName', 'handbook.pdf'],
      lines: 5,
      has: 'every second winter',
    },
    {
      title: 'Warn',
      about: 'A folder is scanned; the exit code is 1, as something was found.',
      args: ['scan', 'app', '--fail-on', 'high'],
      lines: 12,
      code: 1,
      has: 'Command injection',
    },
    {
      about: 'A server is watched, whose certificate is over.',
      args: ['startMonitoring', 'shop'],
      lines: 1,
      has: 'shop: ',
    },
    {
      about: 'This is what its first look has found.',
      args: ['getMonitoringStatus', 'shop'],
      lines: 9,
      has: 'The certificate has expired',
      waits: true,
    },
    {
      about: 'The scan is held against a standard; nothing passes by faith.',
      args: ['checkCompliance', 'owasp-top-10', '--scope', 'app'],
      lines: 8,
      has: 'A05:2025',
    },
    {
      about: 'One sentence becomes a scenario on Make; with --dryRun nothing is sent.',
      args: [
        'automationrpa',
        SENTENCE,
        '--platform',
        'make',
        '--autoplatformteamid',
        '1',
        '--autoplatformapikey',
        '-',
        '--dryRun',
      ],
      input: 'not-a-key\n',
      lines: 8,
      has: 'This is what would be created on Make; nothing was.',
    },
  ];
}
