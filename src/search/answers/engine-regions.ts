/** Names of regions and languages that engines use instead of ISO codes, from their settings pages of 2026. */

/** Values of DuckDuckGo's `kl` parameter: country, then language. The first value of a country is the country's default. */
export const DUCKDUCKGO_REGIONS: readonly string[] = words(
  'ar-es at-de au-en be-nl be-fr bg-bg br-pt ca-en ca-fr ch-de ch-fr cl-es cn-zh co-es cz-cs de-de',
  'dk-da ee-et es-es es-ca fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-en ie-en il-en in-en is-is it-it',
  'jp-jp kr-kr lt-lt lv-lv mx-es my-en nl-nl no-no nz-en pe-es ph-en pk-en pl-pl pt-pt ro-ro ru-ru',
  'se-sv sg-en sk-sk sl-sl th-en tr-tr tw-tzh ua-uk uk-en us-en us-es vn-en xa-ar za-en',
);

/** Startpage's regions: language, then country after the last `_`. The first value of a country is the country's default. */
export const STARTPAGE_REGIONS: readonly string[] = words(
  'es_AR de_AT en_AU nl_BE fr_BE bg_BG pt-BR_BR ru_BY en_CA fr_CA de_CH fr_CH it_CH es_CL zh-CN_CN',
  'es_CO cs_CZ de_DE da_DK et_EE ar_EG es_ES ca_ES fi_FI fr_FR en-GB_GB el_GR zh-TW_HK hu_HU id_ID',
  'en_ID en_IE en_IN hi_IN it_IT ja_JP ko_KR es_MX en_MY ms_MY nl_NL no_NO en_NZ es_PE en_PH fil_PH',
  'pl_PL pt_PT ro_RO ru_RU sv_SE en_SG ms_SG tr_TR zh-TW_TW uk_UA en_US es_US es_UY es_VE vi_VN en_ZA',
);

export const STARTPAGE_LANGUAGES: ReadonlyMap<string, string> = new Map(
  words(
    'af=afrikaans am=amharic ar=arabic az=azerbaijani be=belarusian bg=bulgarian bn=bengali',
    'bs=bosnian ca=catalan cs=czech cy=welsh da=dansk de=deutsch el=greek en=english eo=esperanto',
    'es=espanol et=estonian eu=basque fa=persian fi=suomi fo=faroese fr=francais fy=frisian ga=irish',
    'gd=gaelic gl=galician gu=gujarati he=hebrew hi=hindi hr=croatian hu=hungarian ia=interlingua',
    'id=indonesian is=icelandic it=italiano ja=nihongo jv=javanese ka=georgian kn=kannada ko=hangul',
    'la=latin lt=lithuanian lv=latvian mai=bihari mk=macedonian ml=malayalam mr=marathi ms=malay',
    'mt=maltese nb=norsk ne=nepali nl=nederlands oc=occitan pa=punjabi pl=polski pt=portugues',
    'ro=romanian ru=russian si=sinhalese sk=slovak sl=slovenian sq=albanian sr=serbian su=sudanese',
    'sv=svenska sw=swahili ta=tamil te=telugu th=thai ti=tigrinya tl=tagalog tr=turkce uk=ukrainian',
    'ur=urdu uz=uzbek vi=vietnamese xh=xhosa zh=jiantizhongwen zu=zulu',
  ).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
);

function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}

/** Returns the value of DuckDuckGo's `kl` parameter for a country, a language or both. `wt-wt` means no region. */
export function chooseDuckduckgoRegion(region?: string, language?: string): string {
  if (!region && !language) return 'wt-wt';
  const country = (region === 'GB' ? 'uk' : (region ?? '')).toLowerCase();
  const tongue = OWN_NAMES[language ?? ''] ?? language ?? '';
  const there = DUCKDUCKGO_REGIONS.filter((place) => place.startsWith(`${country}-`));
  if (region) return there.find((place) => place.endsWith(`-${tongue}`)) ?? there[0] ?? 'wt-wt';
  const spoken = DUCKDUCKGO_REGIONS.filter((place) => place.endsWith(`-${tongue}`));
  return spoken.find((place) => place === (HOMES[tongue] ?? `${tongue}-${tongue}`)) ?? spoken[0] ?? 'wt-wt';
}

const OWN_NAMES: Readonly<Record<string, string>> = { ja: 'jp', ko: 'kr', nb: 'no', nn: 'no' };
const HOMES: Readonly<Record<string, string>> = { en: 'us-en', zh: 'cn-zh' };

const COUNTRY_OF: Readonly<Record<string, string>> = Object.fromEntries(
  words(
    'ar=SA bg=BG ca=ES cs=CZ da=DK de=DE el=GR en=US es=ES et=EE fi=FI fr=FR he=IL hr=HR hu=HU it=IT ja=JP',
    'ko=KR lt=LT lv=LV nb=NO nl=NL no=NO pl=PL pt=PT ro=RO ru=RU sk=SK sl=SI sv=SE th=TH tr=TR uk=UA vi=VN zh=CN',
  ).map((pair) => pair.split('=') as [string, string]),
);
const LANGUAGE_OF: ReadonlyMap<string, string> = new Map([
  ...Object.entries(COUNTRY_OF).map(([language, country]) => [country, language] as const),
  ...words(
    'AR=es AT=de AU=en BE=nl BR=pt CA=en CH=de CL=es CO=es ES=es GB=en HK=zh IE=en IN=en MX=es MY=en NO=nb NZ=en PE=es PH=en SG=en TW=zh US=en ZA=en',
  ).map((pair) => pair.split('=') as [string, string]),
]);

/** Returns the language and country to send to an engine that needs both. Undefined if neither can be derived. */
export function resolveMarket(
  language?: string,
  region?: string,
): { language: string; country: string } | undefined {
  const tongue = language ?? LANGUAGE_OF.get(region ?? '');
  const country = region ?? COUNTRY_OF[language ?? ''];
  return tongue && country ? { language: tongue, country } : undefined;
}
