const STAND_INS =
  /(?:^|[^a-z])(?:your|my|some|the|insert|enter|replace|change|changeme|changeit|fixme|todo|tbd|example|sample|dummy|fake|mock|placeholder|redacted|masked|hidden|removed|censored|xxx+|foo|bar|baz|lorem|ipsum|notset|unset|undefined|none|null|nil|void|empty|default|test|testing|invalid|not-?a|abcdefg?|1234567890?|0123456789)(?:[^a-z]|$)/i;
const REFERENCE =
  /^[$%@&*!#~]?[{<([]|\$\{|\$\(|\{\{|<%|%\(|%[sdvq@]|^\$[A-Za-z_]|^%[A-Z_]+%$|^@[A-Z_]+@$|^<[^>]*>$|^\[[^\]]*\]$|^__\w+__$|^(?:env|ENV|ref|file|vault|ssm|secret|secrets|op|sops|arn|projects|data|var|local|module|self|this|process|os|config|settings|options|opts|props|params|request|req|args|kms|gcp|aws|azurekeyvault|doppler|awssecret|keyring|pass|akv)(?:[.:[(]|:\/\/)/;
const SAME = /^(.)\1*$/;

export function isPlaceholder(value: string): boolean {
  if (SAME.test(value) || REFERENCE.test(value)) return true;
  if (/\{[\w.()[\]'"!:]{0,60}\}|#\{|[*•●…]{3,}|\.{3,}|x{4,}|X{4,}|-{5,}|_{5,}|#{4,}/.test(value)) return true;
  return STAND_INS.test(value) || isSequence(value);
}

export const isExampleToken = (token: string): boolean =>
  /example|sample|dummy|placeholder|redacted|changeme|your[_-]?|xxxx|0{8}|1234567890|abcdefghij|deadbeef/i.test(
    token,
  );

function isSequence(value: string): boolean {
  if (value.length < 8) return false;
  let steps = 0;
  for (let i = 1; i < value.length; i++) {
    if (Math.abs(value.charCodeAt(i) - value.charCodeAt(i - 1)) <= 1) steps++;
  }
  return steps >= (value.length - 1) * 0.8;
}

const TAUGHT =
  /^(?:u|user(?:name)?|usr|me|admin|root|pass(?:word|wd|phrase)?|pwd|pw|p|secret|token|foo|bar|baz|login|name|guest|postgres|mysql|mongo|redis|rabbitmq|test|key|api_?key|access_?token|x-?oauth-?basic|s3cr3t|secr3t|hunter2|tiger|p(?:a|@)ssw0?o?rd\d?|abc\d*|123\d*|[a-z])$/i;

export const isExampleLogin = (word: string): boolean => TAUGHT.test(word);
