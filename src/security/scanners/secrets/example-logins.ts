const TAUGHT =
  /^(?:u|user(?:name)?|usr|me|admin|root|pass(?:word|wd|phrase)?|pwd|pw|p|secret|token|foo|bar|baz|login|name|guest|postgres|mysql|mongo|redis|rabbitmq|test|key|api_?key|access_?token|x-?oauth-?basic|s3cr3t|secr3t|hunter2|tiger|p(?:a|@)ssw0?o?rd\d?|abc\d*|123\d*|[a-z])$/i;

export function isExampleLogin(word: string): boolean {
  return TAUGHT.test(word);
}
