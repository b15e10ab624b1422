/**
 * Words by which a task says what it wants, in the languages that most users write in. They are matched as
 * whole words; those of scripts without blanks between words stand anywhere.
 */

const whole = (words: string) => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`;
const either = (words: string, anywhere: string) => new RegExp(`${whole(words)}|${anywhere}`, 'iu');

export const PRICES = either(
  'prices?|costs?|fares?|rates?|preise?|prix|precios?|prezz[oi]|preços?|precos?|prijs|prijzen|cen[ay]|цен[аыу]|fiyat',
  '価格|値段|价格|價格|가격',
);
export const LINKS = either(
  'links?|hyperlinks?|urls|verweise|liens?|enlaces?|collegamenti|ligações|koppelingen|ссылк[иу]',
  'リンク|链接|連結|링크',
);
export const HEADINGS = either(
  'headings?|headlines?|titles|überschriften|schlagzeilen|titres|titulares|titoli|títulos|koppen|nagłówki|заголовк[иу]',
  '見出し|标题|標題|제목',
);
export const EVERY_RUN = either(
  'every (?:time|run)|each (?:time|run)|always|jedes mal|immer|chaque fois|toujours|cada vez|siempre|ogni volta|sempre|elke keer|altijd|всегда|каждый раз',
  '毎回|每次|매번',
);
export const CHANGE = either(
  'chang(?:e|es|ed|ing)|updat(?:e|es|ed)|new|differs?|watch|monitor|track|alert|notify|tell me|let me know|' +
    'ändert|ändern|änderung(?:en)?|neue?[nrs]?|beobachte|überwache|melde|changements?|changent?|nouve(?:au|aux|lle|lles)|surveille[rz]?|' +
    'cambi(?:a|an|os?)|nuev[oa]s?|vigila|avísame|nuov[oaie]|avvisami|mud(?:a|ar|anças?)|nov[oa]s?|avise|verandert|nieuwe?|zmiany?|измен\\p{L}*|нов\\p{L}*',
  '変更|更新|変わ|变化|變化|변경',
);
export const BELOW = `${whole(
  'below|under|less than|lower than|cheaper than|drops? to|falls? to|unter|weniger als|en dessous de|sous|moins de|por debajo de|menos de|sotto|meno di|abaixo de|onder|minder dan|poniżej|ниже|меньше|дешевле',
)}|<|低于|低於`;
export const BELOW_AFTER = '未満|以下|を下回';
export const ABOVE = `${whole(
  'above|over|more than|higher than|exceeds?|rises? to|über|mehr als|au[- ]dessus de|plus de|por encima de|más de|sopra|più di|acima de|mais de|boven|meer dan|powyżej|выше|больше',
)}|>|高于|高於`;
export const ABOVE_AFTER = '以上|を?超え|を上回';
export const CONTAINS = `${whole(
  'contains?|mentions?|says?|shows?|appears?|includes?|the words?|phrase|enthält|erwähnt|erscheint|auftaucht|steht|das wort|contient|mentionne|apparaît|le mot|contiene|menciona|aparece|la palabra|contém|a palavra|bevat|verschijnt|het woord|zawiera|содержит|слово|появ\\p{L}*',
)}|含む|表示|包含|出现`;
export const SEND = either(
  'webhook|send|post|push|report|notify|forward|deliver|alert|tell|call|sende|schicke?|melde|envoie[rz]?|envía|manda|publica|invia|envie|stuur|wyślij|отправ\\p{L}*|пришли\\p{L}*',
  '送信|送って|通知|发送|發送|보내',
);
/** Stands right before the address that something is sent to. */
export const TOWARDS =
  /(?:webhook|hook|url|address|endpoint|(?<![\p{L}])(?:to|at|via|an|nach|zu|à|vers|a|al|para|naar|do|на|в))[:\s]*$|(?:→|->|に|へ|到)\s*$/iu;
export const KNOWLEDGE = either(
  'knowledge ?base|pkb|kb|my notes|magpie|wissens(?:datenbank|basis)|base de connaissances?|base de conocimientos?|base di conoscenza|base de conhecimento|kennisbank|baz[aęy] wiedzy|баз[аеуы] знаний',
  'ナレッジ|知识库|知識庫|지식',
);
export const SELECTOR = either(
  'css|selector|element|elements|sélecteur|selektor|selettore|seletor',
  '选择器|セレクタ',
);

/** Words that tell what to do and not what it is about: a search for the page does without them. */
export const COMMANDS = either(
  'please|watch|monitor|track|check|crawl|scrape|fetch|extract|get|tell me|let me know|notify me|alert me|send|post|' +
    'when(?:ever)?|if|every|each|time|run|minutes?|hours?|day|bitte|beobachte|überwache|wenn|surveille|quand|vigila|cuando|the|of|for|from|on|page|website|site|to|it|me|and|changes?|drops?|falls?|rises?|goes',
  '\\uFFFF',
);
