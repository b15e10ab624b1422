import type { RuleMatch } from '../rules.ts';

const PIPED =
  /\b(?:curl|wget)\b[^|;&\n]{0,400}\|\s{0,5}(?:sudo\s{1,3}(?:-\w{1,3}\s{1,3})?)?(?:\/\w{1,10}){0,3}\/?(?:ba|z|da|k)?sh\b|\b(?:ba)?sh\s{1,3}(?:-c\s{1,3})?["']?(?:<\(|\$\()\s{0,3}(?:curl|wget)\b|\b(?:curl|wget)\b[^|;&\n]{0,400}\|\s{0,5}(?:sudo\s{1,3})?(?:python3?(?!\s{1,3}-m\s)|perl|ruby|node)\b/;
const UNVERIFIED =
  /\bcurl\b[^|;&\n]{0,300}\s(?:-[a-zA-Z]{0,8}k[a-zA-Z]{0,8}|--insecure)(?:\s|$)|\bwget\b[^|;&\n]{0,300}\s--no-check-certificate|--allow-unauthenticated|--force-yes\b|\bapk\b[^|;&\n]{0,200}--allow-untrusted|--trusted-host\b|\b(?:npm|yarn)\s{1,3}config\s{1,3}set\s{1,3}strict-ssl\s{1,3}false|GIT_SSL_NO_VERIFY=(?:1|true)|http\.sslVerify[ =]false|NODE_TLS_REJECT_UNAUTHORIZED=["']?0|PYTHONHTTPSVERIFY=0|--nogpgcheck\b|--no-gpg-check\b|\[trusted=yes\]/;
const WRITABLE = /\bchmod\s{1,3}(?:-R\s{1,3})?(?:0?777|a\+rwx|ugo\+rwx|o\+w)\b/;

/** Reports downloaded scripts that run at once. With TLS, the severity is low, as the origin is proved. */
function pipedMatches(command: string, line: number): RuleMatch[] {
  if (!PIPED.test(command)) return [];
  const open = /\bhttp:\/\//i.test(command) || UNVERIFIED.test(command);
  return [{ rule: 'shell-remote-script', line, severity: open ? 'medium' : 'low' }];
}

export function shellMatches(text: string, first: number): RuleMatch[] {
  return text.split('\n').flatMap((raw, at): RuleMatch[] => {
    const command = raw.slice(0, 2000);
    if (/^\s*#/.test(command)) return [];
    const line = first + at;
    return [
      ...pipedMatches(command, line),
      ...(UNVERIFIED.test(command) ? [{ rule: 'shell-unverified-download', line } as const] : []),
      ...(WRITABLE.test(command) ? [{ rule: 'shell-world-writable', line } as const] : []),
    ];
  });
}
