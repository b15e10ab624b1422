import { setTimeout as wait } from 'node:timers/promises';
import { runMagpie } from '../../test/helpers/magpie.ts';
import type { Calls } from './calls.ts';
import type { Places } from './stage.ts';
import type { WarnStage } from './warn.ts';

/** What the user of the pictures has scanned, checked, judged and shows to everyone. */
export async function furnishWarn(
  calls: Calls,
  { repositories: { shop, website }, changeShop }: WarnStage,
  env: Record<string, string>,
): Promise<Pick<Places, 'scan' | 'earlierScan' | 'check'>> {
  const scan = async (repository: string) => {
    const options = { deep_scan: true, include_dependencies: true };
    const { data } = (await calls.post('v1/scan', { repository, options })) as { data: { scan_id: string } };
    return data.scan_id;
  };
  const check = async (scope: string, ...standards: string[]) => {
    const { data } = (await calls.post('v1/compliance/check', { scope, standards })) as {
      data: { check_id: string };
    };
    return data.check_id;
  };
  const earlierScan = await scan(shop);
  await changeShop();
  await scan(website);
  for (const words of JUDGEMENTS) await run([...words, '--scope', shop], env);
  await probed(calls);
  await check('all', 'owasp-top-10-2021', 'cis-controls');
  const [scanned, checked] = [await scan(shop), await check(shop, 'owasp-top-10-2025', 'soc-2', 'slsa')];
  await run(['monitor', 'page', 'on', '--slug', 'shop', '--title', 'Bird Shop'], env);
  return { scan: scanned, earlierScan, check: checked };
}

/** Once every monitor has been probed since the start. */
async function probed(calls: Calls): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt++) {
    const { data } = (await calls.get('v1/monitor')) as {
      data: { monitors: { status: string; last_run?: string }[] };
    };
    if (data.monitors.every(({ last_run }) => last_run !== undefined)) return;
    await wait(500);
  }
  throw new Error('the monitors are not probed within a minute');
}

const judge = (standard: string, control: string, by: string, why: string, ...more: string[]) =>
  ['compliance', 'attest', standard, control, '--by', by, '--why', why, ...more] as const;

const JUDGEMENTS = [
  judge(
    'soc-2',
    'CC1.1',
    'Ada Byron',
    'The board adopted the code of conduct on 4 March; all staff have signed it.',
    '--verdict',
    'pass',
    '--until',
    '2027-03-04',
  ),
  judge(
    'soc-2',
    'CC9.2',
    'Ada Byron',
    'The payment provider sends its report once a year; the one of 2026 is due in December.',
    '--verdict',
    'exception',
    '--until',
    '2026-12-31',
  ),
  judge(
    'pci-dss',
    '9.4.1',
    'Ben Okri',
    'No card data is kept on paper or other media.',
    '--verdict',
    'not_applicable',
  ),
];

async function run(words: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stderr } = await runMagpie([...words], env);
  if (code !== 0) throw new Error(`${words.slice(0, 4).join(' ')} ends with ${code}: ${stderr}`);
}
