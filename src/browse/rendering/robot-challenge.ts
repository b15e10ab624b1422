const SEARCHED_BYTES = 300_000;
const MAX_WORDS = 150;
/** Maximum words of a bot challenge. A longer page with a CAPTCHA is a normal page with a form. */
const MAX_ASKING_WORDS = 60;

/** Matches HTML that only bot challenges contain, for example those of Cloudflare, DataDome and Imperva. */
const SURE =
  /_cf_chl_opt|id=["']?(?:challenge-form|challenge-running|cf-challenge|px-captcha|anubis_challenge)|geo\.captcha-delivery\.com|_Incapsula_Resource\?(?:SWUDNSAI|CWUDNSAI)|sucuri_cloudproxy_js|window\.gokuProps|ddos-guard\/js-challenge|sec-if-cpt-container/i;
const POSSIBLE = /captcha|turnstile|challenge|cf-browser-verification|bot-?protection|ddos-guard|anubis/i;
const TITLE =
  /<title[^>]{0,100}>\s{0,50}(?:just a moment|attention required!|one moment, please|please wait\b|checking your browser|access denied|security check|verify(?:ing)? (?:that )?you are|are you (?:a )?(?:human|robot)|robot (?:check|challenge)|bot (?:verification|check)|human verification|captcha|pardon our interruption|ddos-guard|making sure you|один момент|nur einen moment|un instant|un momento|请稍候|稍等|しばらくお待ちください)/i;
const WORDS =
  /checking (?:if the site connection is secure|your browser)|needs to review the security of your connection|unusual (?:traffic|activity) from your|enable javascript and cookies to continue|press (?:&amp;|and|&) hold/i;
const ASKING =
  /(?:verify|verifying|confirm|prove)(?: that)? you(?:'|’)?(?: a)?re (?:not )?(?:a |an )?(?:human|robot|bot)|(?:are|you(?:'|’)re) not a (?:robot|bot)|automated (?:queries|requests|access)|complete the (?:security check|captcha|action below)|bestätigen sie, dass sie (?:ein mensch|kein (?:roboter|bot))|vous n['’]êtes pas un robot|(?:no eres|no es|não é|non sei) un? rob[oôó]t?|вы не робот|不是机器人|ロボットではありません/i;
/** Matches contact details, such as a street address or telephone number, which challenges rarely have. */
const CONTACT =
  /[\p{L}\d]@[\p{L}\d]|(?<![\d.-]|© ?)\d{1,5}[a-z]? \p{Lu}\p{L}|\p{L} \d{1,4}[a-z]?,|\d[ ()/-]{1,2}\d{3}/u;

const FIELD = /<textarea\b(?![^>]{0,200}captcha)|\btype=["']?(?:email|tel|password)\b/i;

export function isRobotChallenge(body: Uint8Array, markdown: string): boolean {
  const words = markdown.match(/\p{L}{2,}/gu)?.length ?? 0;
  if (markdown.length > MAX_WORDS * 20 || words > MAX_WORDS) return false;
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SEARCHED_BYTES)).toString(
    'utf8',
  );
  if (SURE.test(html)) return true;
  const has = (sign: RegExp) => sign.test(html);
  if (has(TITLE)) return has(POSSIBLE) || has(WORDS) || has(ASKING);
  if (!has(POSSIBLE)) return false;
  if (has(WORDS)) return true;
  if (words >= MAX_ASKING_WORDS || has(FIELD) || CONTACT.test(markdown)) return false;
  return ASKING.test(markdown || html);
}
