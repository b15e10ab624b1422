const NAMES: Readonly<Record<string, string>> = {
  UTC: 'utc gmt zulu',
  'Europe/Berlin':
    'cet cest mez mesz berlin berliner münchen hamburg frankfurt берлин берлину berlín berlino berlina 柏林 ベルリン deutschland german germany niemiec',
  'Europe/London':
    'bst london londres londra londen londynu londynie лондон лондону ロンドン 伦敦 uk british',
  'Europe/Paris': 'paris pariser parigi parijs paryża paryżu париж парижу パリ 巴黎 french',
  'Europe/Madrid': 'madrid madrider madrytu мадрид мадриду マドリード 马德里 españa spain',
  'Europe/Rome': 'rom rome roma rzymu рим риму ローマ 罗马 italia italy',
  'Europe/Lisbon': 'lisbon lisboa lissabon lisbona lizbony лиссабон',
  'Europe/Amsterdam': 'amsterdam amsterdamu амстердам',
  'Europe/Warsaw':
    'warsaw warszawa warszawy warszawski warszawskiego warschau varsovie varsovia варшава варшаве',
  'Europe/Moscow': 'msk мск moscow moskau moscou moscú mosca moskou москва москве московскому московское',
  'Europe/Vienna': 'vienna wien wiener',
  'Europe/Zurich': 'zurich zürich bern',
  'Europe/Kyiv': 'kyiv kiev киев киеву',
  'Europe/Istanbul': 'istanbul',
  'Europe/Athens': 'athens',
  'Europe/Stockholm': 'stockholm',
  'America/New_York': 'est edt et eastern nueva nyc ny',
  'America/Chicago': 'cst cdt ct central chicago',
  'America/Denver': 'mst mdt mountain denver',
  'America/Los_Angeles': 'pst pdt pt pacific',
  'America/Sao_Paulo': 'brt brasília brasilia',
  'America/Mexico_City': 'méxico mexico',
  'America/Argentina/Buenos_Aires': 'argentina',
  'America/Bogota': 'bogotá bogota',
  'America/Toronto': 'toronto',
  'Asia/Tokyo': 'jst tokyo tokio 東京 东京 日本 japan',
  'Asia/Shanghai': '北京 上海 中国 beijing peking pékin pekín pechino shanghai',
  'Asia/Hong_Kong': '香港',
  'Asia/Taipei': '台北 taipei',
  'Asia/Kolkata': 'ist india kolkata mumbai delhi',
  'Asia/Singapore': 'sgt singapore',
  'Asia/Dubai': 'dubai',
  'Asia/Seoul': 'kst seoul',
  'Australia/Sydney': 'aest aedt sydney',
};
const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([zone, names]) =>
    names.split(' ').map((name): [string, string] => [name, zone]),
  ),
);
const PAIRS: Readonly<Record<string, string>> = {
  'new york': 'America/New_York',
  'nueva york': 'America/New_York',
  'nova york': 'America/New_York',
  'los angeles': 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  'são paulo': 'America/Sao_Paulo',
  'sao paulo': 'America/Sao_Paulo',
  'hong kong': 'Asia/Hong_Kong',
  'buenos aires': 'America/Argentina/Buenos_Aires',
  'mexico city': 'America/Mexico_City',
};
/** Abbreviations that always mean a time zone after a time. */
const PLAIN = new Set(
  'utc gmt cet cest mez mesz bst msk мск est edt cst cdt mst mdt pst pdt jst sgt kst aest aedt brt'.split(
    ' ',
  ),
);

export function zoneNamed(words: string): string | undefined {
  const name = words.toLowerCase();
  return PAIRS[name] ?? BY_NAME.get(name);
}

/** True for an abbreviation that means a time zone even without a word like `time` beside it. */
export function isZoneAbbreviation(word: string): boolean {
  return PLAIN.has(word.toLowerCase());
}
