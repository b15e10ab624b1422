const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|' +
  'januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|octobre|décembre|' +
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|' +
  'maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro|' +
  'января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря';
const DAYS = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const COUNTS =
  '\\d{1,9}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|half|dozen';

const MONEY =
  /[$€£¥₩₽₹]|\d ?(?:percent|per cent|euros?|dollars?|pounds?|million|billion|руб|円|元|원|만)|\bfree\b/i;
const SPAN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${COUNTS})[ -](?:\\p{L}{1,12}[ -])?(?:second|minute|hour|day|week|month|year|decade|centur)|` +
    '\\d ?(?:sec|min|hrs?|Jahre|Tage|Stunden|Minuten|Wochen|Monate|ans|jours|heures|años|días|horas|anos|dias|anni|giorni|ore|' +
    'лет|год|дн|час|минут|недел|месяц|年|日|時間|小时|分|天|시간|년|일|개월|سن|يوم|ساع)',
  'iu',
);
const DATE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${MONTHS}|${DAYS}|yesterday|today|tomorrow)(?![\\p{L}])|` +
    // "May" counts as a month only beside a number or a word such as "in", because it is also a verb.
    '\\b(?:in|since|until|by|of|last|next) may\\b|\\bmay \\d|\\d may\\b|(?<!\\d)(?:1[5-9]|20)\\d\\d(?!\\d)|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d ?(?:年|月|日|년|월|일)|\\b(?:ago|century)\\b',
  'iu',
);
const NUMBER =
  /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozens?|hundreds?|thousands?|half|none)\b/iu;
const NAME = /[\p{Ll}\p{N},;:("“„‘’'–—-] ?\p{Lu}\p{L}|\b(?:Mr|Mrs|Ms|Dr|Prof)\b/u;
const REASON =
  /\b(?:because|since|due to|owing to|in order to|so that|as a result|caused?|causing|reasons?|therefore|thus|amid|after|weil|denn|wegen|daher|parce|car|porque|debido|pois|perché|poiché|sebab|karena)\b|потому|поэтому|из-за|так как|因为|由于|ため|から|때문|لأن|بسبب/iu;
const PLACE = /\b(?:in|at|near|from|to|im|in der|à|dans|en|em|nel|nella)\s+\p{Lu}|在|に|で|에서|в\s+\p{Lu}/u;

/** `asks` matches a kind of question (Li and Roth 2002), `shows` its answers. The first match counts. */
const CUES: readonly { readonly asks: RegExp; readonly shows: RegExp }[] = [
  {
    asks: /how (?:much|expensive)|\b(?:costs?|price|priced|budget|worth|salary|fined|pay|paid)\b|wie teuer|was kostet|kosten|combien coûte|prix|cuesta|precio|custa|preço|costa|prezzo|сколько стоит|цена|多少钱|价格|いくら|値段|얼마|가격|بكم|سعر/iu,
    shows: MONEY,
  },
  {
    asks: /how (?:long|old|soon|fast|quickly|often)|what age|wie (?:lange|alt|schnell)|combien de temps|quel âge|cuánto (?:tiempo|dura)|qué edad|quanto tempo|quantos anos|quanti anni|сколько (?:лет|времени|длится)|как долго|多久|多长时间|几岁|どのくらい|何歳|何年|얼마나|몇 (?:살|년)|كم (?:عمر|سنة|يوم)/iu,
    shows: SPAN,
  },
  {
    asks: /\bwhen\b|what (?:day|date|year|time|month)|which (?:day|year|month)|\bsince\b|\bwann\b|\bseit\b|\bquand\b|\bcuándo\b|\bquando\b|когда|什么时候|何时|哪年|いつ|언제|متى|\bkapan\b/iu,
    shows: DATE,
  },
  {
    asks: /how (?:many|big|large|far|high|tall|deep|heavy|powerful|efficient|strong)|what (?:number|score|record|percentage|share|proportion|temperature|is the (?:maximum|minimum|score|record|yield|rate|size))|\bwie ?viele?\b|wie (?:groß|hoch|weit)|\bcombien\b|\bcuánt[oa]s?\b|\bquant[oaie]s?\b|сколько|多少|几|いくつ|何人|몇|\bكم\b|\bberapa\b/iu,
    shows: NUMBER,
  },
  {
    asks: /\bwho(?:m|se)?\b|which (?:person|man|woman|people|actor|actress|company|firm|country|countries|companies|team|clubs?|band|singer|musician|director|author)|\bwer\b|\bwem\b|\bqui\b|\bquién(?:es)?\b|\bquem\b|\bchi\b|\bsiapa\b|(?<![а-я])кто(?![а-я])/iu,
    shows: NAME,
  },
  {
    asks: /\bwhere\b|what (?:city|country|place)|which (?:city|place|state)|\bwo\b|\bwohin\b|\boù(?!\p{L})|\bdónde\b|\bonde\b|\bdove\b|(?<![а-я])где(?![а-я])|哪里|どこ|어디|أين/iu,
    shows: PLACE,
  },
  {
    asks: /\bwhy\b|what (?:caused?|is the reason|was the reason)|how come|\bwarum\b|\bwieso\b|\bpourquoi\b|por ?qu[eéê]|\bperché|почему|зачем|为什么|なぜ|왜|لماذا|\bmengapa\b/iu,
    shows: REASON,
  },
];

/** Returns the pattern of texts that can answer the question, or undefined if any text can. */
export function findAnswerPattern(question: string): RegExp | undefined {
  return CUES.find(({ asks }) => asks.test(question))?.shows;
}
