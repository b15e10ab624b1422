/** Words that occur in tasks. Chinese, Japanese and Korean words also match inside longer words. */

const whole = (words: string) => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`;
const either = (words: string, anywhere: string) => new RegExp(`${whole(words)}|${anywhere}`, 'iu');

export const APPEARANCE_WORDS = whole(
  'appears?|shows up|pops up|turns up|disappears?|vanish(?:es)?|is gone|erscheint|auftaucht|verschwindet|apparaît|disparaît|aparece|aparezca|desaparece|desaparezca|verschijnt|verdwijnt',
);
export const SENDING_WORDS = either(
  'mande|mandar|enviar|inviare|wysyłaj|przesyłaj|prześlij|stuur|plaats|присылай|шли|высылай|скинь|скидывай|webhook|send|post|push|report|forward|deliver|publish|sende|schicke?|envoie[rz]?|poste[rz]?|publie[rz]?|transmets|envía|manda|publica|invia|envie|stuur|wyślij|отправ\\p{L}*|пришли\\p{L}*',
  '送信|送って|通知|发送|發送|보내',
);
export const WORDS_BEFORE_RECIPIENT =
  /(?:webhook|hook|url|address|endpoint|(?<![\p{L}])(?:to|via|an|nach|zu|à|vers|a|al|para|pra|pro|ao|naar|do|на|в))[:\s]*$|(?:→|[-=]>|に|へ|到|至|给|給)\s*$/iu;
export const WEBHOOK_CALL_WORDS =
  /(?:(?<![\p{L}])(?:call|notify|ping|trigger|invoke|hit|alert|post|let|rufe|appelle|benachrichtige|notifie)|webhook|hook)[:=\s]*$|(?:→|[-=]>)\s*$/iu;
export const WORDS_AFTER_WEBHOOK =
  /^\s{0,3}(?:(?:as|als|comme|como)\s(?:an? |the |my |le |el )?(?:web ?hook|hook|endpoint|target)|(?:に|へ|まで)\s{0,3}(?:送|投稿|通知|転送|知らせ|post))/iu;
export const NOTIFYING_WORDS =
  /(?<![\p{L}])(?:alert|notify|tell|call|reach|ping|melde)(?:\s+(?!when|if|wenn)[\p{L}]{1,20}){0,2}\s+(?:at|via|on|to|an)[:\s]*$/iu;
export const PAGE_EVENT_WORDS =
  /(?<![\p{L}])(?:changes?|updates?|edits?|additions?|go(?:es)?|links?|subscribe|navigate)\s+to[:\s]*$/iu;
export const HTML_TAG_NAMES =
  'h[1-6]|div|span|p|a|li|ul|ol|table|tbody|tr|td|th|section|article|main|header|footer|nav|aside|strong|em|b|i|img|button|form|input|label|code|pre|time|dd|dt|dl|figure|blockquote';
