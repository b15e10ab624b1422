import type { SecretHit, SecretRule } from './hit.ts';

export const PGPASS: SecretRule = {
  id: 'secrets/pgpass',
  title: 'Password file of PostgreSQL',
  severity: 'high',
  cwe: 'CWE-798',
  danger: 'Anyone who reads this file can log in to the database',
  revoke: 'Change the password of the database user',
};
export const MASTER_KEY: SecretRule = {
  id: 'secrets/master-key',
  title: 'Master key of Rails credentials',
  severity: 'critical',
  cwe: 'CWE-321',
  danger: 'Anyone who reads this file can decrypt all credentials of the application',
  revoke: 'Make a new key, and change every credential that was encrypted with this one',
};

export const NUGET_PASSWORD: SecretRule = {
  id: 'secrets/nuget-password',
  title: 'Password of a NuGet source',
  severity: 'high',
  cwe: 'CWE-798',
  danger: 'Anyone who reads this file can read packages of the source, or publish them',
  revoke: 'Change the password, or revoke the token, at the source of the packages',
};

/** Finds secrets in files such as `.pgpass`, whose format defines the position of the secret. */
export function fileSecrets(path: string, text: string): SecretHit[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^\.?pgpass(?:\.conf)?$/.test(name))
    return lines(PGPASS, text, /^(?!#)(?:[^:\n\r\u2028\u2029]*:){4}([^\n\r]{1,200})/gm);
  if (/^(?:master|production|staging)\.key$/.test(name))
    return lines(MASTER_KEY, text, /^([0-9a-f]{32}|[0-9a-f]{64})$/gm);
  if (/\.config$/i.test(name))
    return lines(
      NUGET_PASSWORD,
      text,
      /<add\s{1,9}key="(?:ClearText)?Password"\s{1,9}value="([^"<>%\r\n]{3,300})(?="\s{0,9}\/?>)/gi,
    );
  return [];
}

function lines(rule: SecretRule, text: string, pattern: RegExp): SecretHit[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [whole, secret = ''] = match;
    const start = match.index + whole.length - secret.length;
    return { ...rule, secret, start, end: start + secret.length, random: rule === MASTER_KEY, name: rule.id };
  });
}
