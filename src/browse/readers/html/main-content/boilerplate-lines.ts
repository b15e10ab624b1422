const MAX_LINE_CHARS = 160;

const CERTAIN = [
  'advert(?:isement|ising)?(?: \\W.*)?|anzeige|werbung|publicit(?:é|e)|publicidad[e]?|pubblicità|реклама|广告|広告|광고',
  'sponsored(?: content| by .*)?',
  '(?:story|article) continues below.*',
  'sharing is caring.*',
  '(?:please )?(?:share|tweet|pin|email|print|save|like) (?:this|it|on|via|with)\\b.*',
  'like this (?:story|article|post)\\b.*',
  '(?:sign up|signup|subscribe|register|get) (?:now|today|here|to|for|the)?\\b.{0,60}(?:newsletters?|e-?mails?|inbox|app|updates|alerts|magazine|podcast|channel|on the go)\\b.*',
  '(?:follow|find|like|connect with) (?:us|me|him|her|them|the author) on\\b.*',
  'follow .{0,80} on (?:twitter|facebook|instagram|x|linkedin|google|telegram|youtube|threads|mastodon)\\b.*',
  'click here (?:to|for)\\b.*',
  '(?:you|readers) (?:may|might|will|.ll)(?: also)? (?:like|enjoy|love|be interested)\\b.*',
  '(?:photo|image|picture|foto|bild|photograph|video|credit|caption)s?(?: credits?| by| courtesy| source)?\\s*[:/©].*',
  'this (?:slideshow|video|content|site) requires javascript.*',
  // Lines on copyright are boilerplate if they are short, name rights or end with a company's name.
  '(?:©|\\(c\\)|copyright)(?:.{0,40}|.{0,140}\\b(?:rights|reserved|permission|licen[cs]ed?|prohibited|terms|privacy|powered)\\b.{0,140})',
  '(?:©|\\(c\\)|copyright).{0,140}\\b(?:inc|ltd|llc|limited|compan(?:y|ies)|corp(?:oration)?|press|media|gmbh|group|network|news|foundation|authors?)',
  'all rights reserved.*',
  '(?:proudly )?powered by\\b.{0,60}',
  '(?:was|did|is) this (?:page|article|post|answer|information|content) (?:helpful|useful|help you).*',
];

/** Patterns for labels. They count only in lines of links and in lines that do not end like a sentence. */
const SIGNS = [
  '(?:©|\\(c\\)|copyright).{0,120}',
  '(?:continue|keep) reading.*',
  '(?:阅读|点?赞|在看)(?:阅读|点?赞|在看|分享|收藏|留言|[\\d\\s万+]){1,40}',
  'shares?|teilen|partager|compartir|compartilhar|condividi|поделиться|分享|シェア|공유',
  '(?:read|see|watch|check out|click|listen|view)\\W? ?(?:more|also|next|now|related|here|all|full story)\\b.{0,60}',
  '(?:read more|read also|see also|also read|related|recommended|more on this|don.t miss|must read|watch|up next|more|you might like)(?: \\w+){0,3}\\s*[:|»>].*',
  '(?:lesen sie auch|mehr zum thema|lire aussi|à lire|lea también|leia também|leia mais|leggi anche|читайте также|baca juga|相关阅读|相关新闻|関連記事|관련기사)\\W?.*',
  '(?:related|recommended|suggested|popular|latest|recent|more|trending|other|similar|further)(?: \\w+){0,2} (?:stor(?:y|ies)|articles?|posts?|news|content|links?|topics?|reading|videos?|coverage|headlines|reads)(?: \\W.*)?',
  '(?:follow|join|find|like|contact|connect with) (?:us|me|him|her|them|the author)\\b.*',
  'subscribe(?: now| here| today)?',
  'click here\\b.*',
  '(?:tags?|topics?|labels?|categor(?:y|ies)|filed under|posted in|tagged(?: with)?|keywords)(?:\\s*:.*)?',
  '(?:leave|post|add|write|view|show|hide|load|join)(?: \\w+){0,3} (?:comments?|reply|conversation|discussion)\\b.{0,30}',
  '(?:\\d+ )?(?:comments?|repl(?:y|ies)|likes?|views|shares)(?: \\(?\\d+\\)?)?',
  '(?:previous|next|prev|older|newer)(?: (?:article|post|story|page|entry))?',
  'tell us what you think.*',
  '(?:back|return|scroll|jump|skip) to (?:the )?(?:top|content|main|navigation|search|footer|menu|recipe|comments)\\b.{0,40}',
  '(?:loading|close|menu|search|print|video|gallery|slideshow|play|pause|transcript|download|copy link)(?:\\s*\\.\\.\\.)?',
  '\\d+ min(?:ute)?s?(?: read)?',
  '(?:view|see) (?:gallery|slideshow|photos|images|comments|all).*',
  '(?:last )?(?:updated|published|posted|modified)(?: on| at)?\\s*:?\\s.{0,50}\\d.{0,30}',
  "by [\\p{Lu}][\\p{L}.’'-]+(?: [\\p{Lu}][\\p{L}.’'-]*){1,3}(?:[,|].{0,60})?",
];

/** Links from a newsletter to its web page. Such a line is boilerplate only if it is mostly links. */
const LINKS = [
  '(?:.{0,60}\\s)?(?:view|read|see|open|bekijk|lees|voir|afficher|consulter|lire|ver|abrir|leer|visualizza|apri|leggi|visualizar|zobacz|otwórz|wyświetl|visa|läs|öppna|vis|åbn|zobrazit|открыть|посмотреть|просмотреть)\\s.{0,50}(?:browser|navegador|navigateur|przeglądarce|webbläsare|nettleser|prohlížeči|браузере).{0,20}',
  '.{0,60}(?:\\bbrowser (?:ansehen|anzeigen|öffnen|lesen|anschauen|bekijken|openen)|(?:ブラウザ|浏览器|瀏覽器|브라우저).{0,20})',
];

const whole = (lines: readonly string[]) => new RegExp(`^\\W*(?:${lines.join('|')})\\W*$`, 'iu');
const ALWAYS = whole(CERTAIN);
const UNLESS_SENTENCE = whole(SIGNS);
const IF_LINKED = whole(LINKS);

export function isBoilerplateLine(text: string, linked: number): boolean {
  if (text.length > MAX_LINE_CHARS) return false;
  if (ALWAYS.test(text) || (linked > 0.6 && IF_LINKED.test(text))) return true;
  return (linked > 0.6 || !/[\p{L}\p{N})”"][.。!?]$/u.test(text)) && UNLESS_SENTENCE.test(text);
}
