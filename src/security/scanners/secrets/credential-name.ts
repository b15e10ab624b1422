export type CredentialKind = 'password' | 'secret';

const PASSWORD =
  /^(?:pass(?:word|wd|phrase|wort|code)|[a-z]{0,12}(?:password|passwd|passphrase|pwd)|pass|pw|pswd|contrasena|motdepasse|senha|mdp)\d?$/;
const PASS_AFTER =
  /^(?:db|user|ftp|sftp|ssh|smtp|mail|imap|pop|irc|sql|mysql|pg|root|admin|proxy|ldap|mongo|redis|rabbit|rds|mlab|login|wifi|vpn|keystore|sudo)[a-z]{0,4}pass$/;
const TOKENS =
  /^(?:[a-z]{0,12}token|secret|clientsecret|appsecret|apikey|secretkey|privatekey|accesskey|authkey|masterkey|credentials?|creds?)\d?$/;
const KEY_OF =
  /^(?:api|access|secret|private|encryption|encrypt|master|app|application|auth|signing|sign|account|storage|admin|service|nonce|in|consumer|shared|hmac|session|deploy|jwt|crypto|cipher|aes|license|write|server|rest|webhook|cookie|token|user|root|ssh|gpg)$/;
const SALT_OF =
  /^(?:auth|nonce|in|password|secret|hash|secure|crypt|encryption|hashids|cookie|token|jwt|app)$/;
const NOT_AFTER =
  /^(?:csrf|xsrf|public|pub|next|prev|previous|page|pagination|continuation|continue|cursor|primary|foreign|sort|partition|cache|css|design|syntax|lexer|parser|max|min|num|total|no|is|has|use|show|hide|allow|require|required|disable|enable|prompt|forgot|reset|confirm|verify|invalid|wrong|missing|empty|stop|end|start|eos|bos|pad|unk|cls|sep|mask)$/;

const RUN_OF =
  /^(?:first|second|third|last|single|one|two|multi|double|render|shader|draw|blur|depth|shadow|compiler|encode|encoding|band|low|high|by|optimizer|analysis)$/;

export function credentialKind(name: string): CredentialKind | undefined {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (NOT_AFTER.test(before) || /^(?:public|pub)$/.test(words.at(-3) ?? '')) return undefined;
  if (last === 'pass' && RUN_OF.test(before)) return undefined;
  if (PASSWORD.test(last) || PASS_AFTER.test(last)) return 'password';
  if (TOKENS.test(last)) return 'secret';
  if (last === 'key' && KEY_OF.test(before)) return 'secret';
  if (last === 'salt' && SALT_OF.test(before)) return 'secret';
  if (last === 'base' && before === 'key') return 'secret';
  return undefined;
}

export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
