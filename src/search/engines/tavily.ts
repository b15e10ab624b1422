import { z } from 'zod';
import { createJsonRequest, formatQuestion } from '../answers/engine-requests.ts';
import {
  describeKeyRefusals,
  describeUsedUpQuota,
  KEYLESS_PAUSE_STATUSES,
  readHits,
  readJson,
  readRetryAfterMs,
  resultSchema,
} from '../answers/json-answer.ts';
import { describeEngine, type EngineOptions, type SearchEngine } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;

/** Countries that Tavily accepts. Tavily rejects requests with other countries. */
const NAMED =
  'AF AL DZ AD AO AR AM AU AT AZ BS BH BD BB BY BE BZ BJ BT BO BA BW BR BN BG BF BI KH CM CA CF TD CL CN CO KM CR HR CU CY DK DJ DO EC EG SV GQ ER EE ET FJ FI FR GA GM GE DE GH GR GT GN HT HN HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KW KG LV LB LS LR LY LI LT LU MG MW MY MV ML MT MR MU MX MD MC MN ME MA MZ NA NP NL NZ NI NE NG KP MK NO OM PK PA PG PY PE PH PL PT QA RO RU RW SA SN RS SG SK SI SO ZA KR SS ES LK SD SE CH SY TW TJ TZ TH TG TT TN TM UG UA AE GB US UY UZ VE VN YE ZM ZW';
const english = new Intl.DisplayNames('en', { type: 'region' });
const countries = new Map([
  ...NAMED.split(' ').map(
    (code) => [code, (english.of(code) ?? '').toLowerCase().replace('&', 'and')] as const,
  ),
  ['CG', 'congo'],
  ['CV', 'cape verde'],
  ['CZ', 'czech republic'],
  ['MM', 'myanmar'],
  ['TR', 'turkey'],
]);

const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['content'], published: 'published_date' });

export function tavily({ baseUrl = 'https://api.tavily.com', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'Tavily', env: 'TAVILY_API_KEY', isKeyless: !key };
  return {
    ...describeEngine('tavily', { pace: key ? 600 : 1000 }),
    refusals: {
      ...describeKeyRefusals(service),
      432: describeUsedUpQuota(service),
      433: describeUsedUpQuota(service),
    },
    pauses: [432, 433, ...(key ? [] : KEYLESS_PAUSE_STATUSES)],
    readWait: readRetryAfterMs,
    request({ text, limit, region = '', timeRange, site, excludeSite }) {
      const country = countries.get(region);
      return createJsonRequest(
        `${baseUrl}/search`,
        key ? { authorization: `Bearer ${key}` } : { 'x-tavily-access-mode': 'keyless' },
        {
          query: formatQuestion({ text }, MAX_QUESTION_CHARS),
          search_depth: 'basic',
          max_results: limit,
          country: country || undefined,
          time_range: timeRange,
          include_domains: site,
          exclude_domains: excludeSite,
        },
      );
    },
    parse: (body) => readHits(readJson(body, answer, service).results, result, service, (hit) => hit),
  };
}
