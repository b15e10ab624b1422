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
/** Asks for changes, without saying which. */
export const WATCHING = either(
  'watch|monitor|track|keep an eye on|beobachte|überwache|surveille[rz]?|vigila',
  '\\uFFFF',
);
/** Names a change. */
export const CHANGE = either(
  'chang(?:e|es|ed|ing)|updat(?:e|es|ed)|new|different|differs?|' +
    'ändert|ändern|änderung(?:en)?|neue?[nrs]?|changements?|changent?|nouve(?:au|aux|l|lle|lles)|' +
    'cambi(?:a|an|e|en|os?)|nuev[oa]s?|nuov[oaie]|mud(?:a|ar|anças?)|nov[oa]s?|verandert|nieuwe?|zmiany?|измен\\p{L}*|нов\\p{L}*',
  '変更|更新|変わ|变化|變化|변경',
);
/** Asks for a notification: unless the task names a rhythm, of changes. */
export const NOTIFYING = either(
  'alert|notify|tell me|let me know|melde|benachrichtige|sag mir|préviens|avertis|avísame|avvisami|avise',
  '\\uFFFF',
);
/** Another rhythm than every 15 minutes. */
export const RHYTHM = whole(
  'every (?!15 min|fifteen min)(?:\\d{1,4} |\\p{L}{2,10} )?(?:seconds?|minutes?|hours?|days?|weeks?|months?|morning|evening|night)|' +
    'hourly|daily|weekly|monthly|nightly|(?:once|twice) (?:an?|per|every) (?:minute|hour|day|week|month)|' +
    'jede[nrs]? (?:minute|stunde|tag|morgen|abend|nacht|woche|monat)|stündlich|täglich|wöchentlich|monatlich|alle (?!15 min)\\d{1,4} (?:sekunden|minuten|stunden|tage)|' +
    '(?:toutes|tous) les (?!15 min)(?:\\d{1,4} )?(?:secondes|minutes|heures|jours|matins|semaines|mois)|chaque (?:minute|heure|jour|matin|semaine|mois)|quotidiennement|' +
    'cada (?!15 min)(?:\\d{1,4} )?(?:segundos?|minutos?|horas?|días?|semanas?|mes|mañana)|todos los días|diariamente|ogni (?:minuto|ora|giorno|settimana|mese)',
);
/** Begins a condition. */
export const CONDITION = either(
  'when(?:ever)?|if|as soon as|until|unless|between|wenn|falls|sobald|quand|lorsque|dès que|cuando|quando|als(?!\\s(?:\\p{L}{3,5}\\s)?web)|gdy|если|когда',
  '時|たら|如果|当',
);
/** By how much something changes: no platform compares amounts. */
export const BY_HOW_MUCH = whole('by (?:more|less|at least|over)|um (?:mehr|weniger|mindestens) als');
export const BELOW = `${whole(
  'below|under|less than|lower than|cheaper than|smaller than|no more than|not more than|at most|drops? to|falls? to|unter|weniger als|günstiger als|billiger als|kleiner als|höchstens|' +
    'en dessous de|sous|moins de|inférieure? à|por debajo de|menos de|inferior a|baj[ae]n? (?:de|a)|caiga (?:de|a)|sotto|meno di|abaixo de|onder|minder dan|poniżej|ниже|меньше|дешевле',
)}|<|低于|低於`;
export const BELOW_AFTER = '未満|以下|を下回';
export const ABOVE = `${whole(
  'above|over|more than|higher than|greater than|larger than|at least|exceeds?|rises? to|über|mehr als|höher als|größer als|teurer als|mindestens|übersteigt|' +
    'au[- ]dessus de|plus de|dépasse|supérieure? à|por encima de|más de|superior a|supere|sub[ae] (?:de|a)|sopra|più di|acima de|mais de|boven|meer dan|powyżej|выше|больше',
)}|>|高于|高於`;
export const ABOVE_AFTER = '以上|を?超え|を上回';
export const CONTAINS = `${whole(
  'contains?|mentions?|says?|shows?|appears?|includes?|the words?|phrase|enthält|erwähnt|erscheint|auftaucht|steht|das wort|contient|mentionne|apparaît|le mot|contien[ae]|menciona|aparece|aparezca|la palabra|contém|a palavra|bevat|verschijnt|het woord|zawiera|содержит|слово|появ\\p{L}*',
)}|含む|表示|包含|出现`;
/** Stands behind the word that it is about. */
export const APPEARS = whole(
  'appears?|shows up|pops up|turns up|disappears?|vanish(?:es)?|is gone|erscheint|auftaucht|verschwindet|apparaît|disparaît|aparece|aparezca|desaparece|desaparezca|verschijnt|verdwijnt',
);
/** Not a word to wait for: it stands for something else, or leads to a place. */
export const NO_WORD = whole(
  'it|this|that|which|something|anything|one|page|on|in|at|there|here|again|from|any|the|an|when|if|es|das|der|die|eine?[nrs]?|etwas|auf|hier|dort|wenn|quelque|sur|dans|ça|une?|le|la|les|quand|si|algo|en|un[ao]|el|los|las|cuando|het|op|' +
    'up|new|else|more|another|neue?[nrs]?|weitere[nrs]?|nouve(?:au|aux|l|lle|lles)|nuev[oa]s?|nuov[oaie]|nieuwe?',
);
/** Ends right before what is there for the first time: `a new article appears` is of changes, not of a word. */
export const NEWS =
  /(?<!\p{L})(?:new|more|another|other|neue?[nrs]?|weitere[nrs]?|nouve(?:au|aux|l|lle|lles)|nuev[oa]s?|nuov[oaie]|nieuwe?)\s{1,9}(?:\p{L}{1,30}\s{1,9})?$/iu;
/** Says that something has disappeared. */
export const GONE = either(
  "disappears?|vanish(?:es)?|goes away|is gone|no longer|any ?more|does not|doesn['’]t|is not|isn['’]t|stops|without|verschwindet|nicht mehr|nicht|disparaît|ne contient|n['’]apparaît|n['’]est plus|desaparece|desaparezca|ya no|no contiene|no aparece|scompare|desaparece|verdwijnt|исчез\\p{L}*",
  '消え|消失|ない',
);
/** Asks for mail, with or without an address. */
export const MAIL = either(
  '(?:e-?mail|mail) (?:me|us)|(?:by|via|per|par|por) (?:e-?mail|mail|correo)|send (?:(?:me|us) )?(?:an )?(?:e-?mail|mail)|(?:get|receive) an (?:e-?mail|mail)|' +
    'maile? mir|schicke? mir eine (?:e-?mail|mail)|envoie-moi un (?:e-?mail|mail|courriel)|mándame un correo',
  '\\uFFFF',
);
/** Sends something to a recipient. */
export const SEND = either(
  'webhook|send|post|push|report|forward|deliver|publish|sende|schicke?|envoie[rz]?|poste[rz]?|publie[rz]?|transmets|envía|manda|publica|invia|envie|stuur|wyślij|отправ\\p{L}*|пришли\\p{L}*',
  '送信|送って|通知|发送|發送|보내',
);
/** Stands right before the address that something is sent to. */
export const TOWARDS =
  /(?:webhook|hook|url|address|endpoint|(?<![\p{L}])(?:to|via|an|nach|zu|à|vers|a|al|para|naar|do|на|в))[:\s]*$|(?:→|->|に|へ|到)\s*$/iu;
/** Right before it, without more. */
export const CALLS =
  /(?:(?<![\p{L}])(?:call|notify|ping|trigger|invoke|hit|alert|post|let|rufe|appelle|benachrichtige|notifie)|webhook|hook)[:=\s]*$|(?:→|->)\s*$/iu;
/** Right behind it. */
export const AS_HOOK =
  /^\s{0,3}(?:as|als|comme|como)\s(?:an? |the |my |le |el )?(?:web ?hook|hook|endpoint|target)/iu;
/** A notification goes to an address, which follows a word or two later. */
export const REACHED =
  /(?<![\p{L}])(?:alert|notify|tell|call|reach|ping|melde)(?:\s+(?!when|if|wenn)[\p{L}]{1,20}){0,2}\s+(?:at|via|on|to|an)[:\s]*$/iu;
/** What happens to a page, and is not sent to it. */
export const HAPPENS_TO =
  /(?<![\p{L}])(?:changes?|updates?|edits?|additions?|go(?:es)?|links?|subscribe|navigate)\s+to[:\s]*$/iu;
export const KNOWLEDGE = either(
  'knowledge ?base|pkb|(?<!\\d ?)kb|my notes|(?:to|into|in|nach|dans|en) magpie|wissens(?:datenbank|basis)|base de connaissances?|base de conocimientos?|base di conoscenza|base de conhecimento|kennisbank|baz[aęy] wiedzy|баз[аеуы] знаний',
  'ナレッジ|知识库|知識庫|지식',
);
export const SELECTOR = either(
  'css|selector|element|elements|sélecteur|selektor|selettore|seletor',
  '选择器|セレクタ',
);
/** Elements of HTML that a task may name with a class or an id. */
export const TAGS =
  'h[1-6]|div|span|p|a|li|ul|ol|table|tbody|tr|td|th|section|article|main|header|footer|nav|aside|strong|em|b|i|img|button|form|input|label|code|pre|time|dd|dt|dl|figure|blockquote';

/** Words that say what to do and not what it is about: the search for the page leaves them out. */
export const COMMANDS = either(
  'please|watch|monitor|track|check|crawl|scrape|fetch|find|extract|get|tell me|let me know|notify me|alert me|me|(?:e-?)?mail|send|post|save|store|' +
    'when(?:ever)?|if|as soon as|every|each|time|run|minutes?|hours?|day|the|a|an|of|for|from|on|page|website|site|to|it|is|are|them|and|with|changes?|drops?|falls?|rises?|goes|euros?|dollars?|' +
    'bitte|beobachte|überwache|wenn|sobald|sag|sage|mir|mich|bescheid|benachrichtige|schreib|speichere|jede[nrs]?|der|die|das|des|dem|den|eine?[nrs]?|auf|von|für|und|sich|etwas|ändert|fällt|steigt|' +
    'surveille|préviens|avertis|moi|quand|si|le|la|les|un|une|de|du|des|sur|et|est|passe|enregistre|' +
    'vigila|avísame|cuando|el|los|las|una|del|en|para|y|guarda|baje|suba',
  '\\uFFFF',
);
