import { SECRET_RULES_BY_NAME, type SecretHit, type SecretRule } from './hit.ts';

const { pgpass, masterKey, nugetPassword } = SECRET_RULES_BY_NAME;

export function fileSecrets(path: string, text: string): SecretHit[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^\.?pgpass(?:\.conf)?$/.test(name))
    return lines(pgpass, text, /^(?!#)(?:[^:\n\r\u2028\u2029]*:){4}([^\n\r]{1,200})/gm);
  if (/^(?:master|production|staging)\.key$/.test(name))
    return lines(masterKey, text, /^([0-9a-f]{32}|[0-9a-f]{64})$/gm);
  if (/\.config$/i.test(name))
    return lines(
      nugetPassword,
      text,
      /<add\s{1,9}key="(?:ClearText)?Password"\s{1,9}value="([^"<>%\r\n]{3,300})(?="\s{0,9}\/?>)/gi,
    );
  return [];
}

function lines(rule: SecretRule, text: string, pattern: RegExp): SecretHit[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [whole, secret = ''] = match;
    const start = match.index + whole.length - secret.length;
    return { ...rule, secret, start, end: start + secret.length, random: rule === masterKey, name: rule.id };
  });
}
