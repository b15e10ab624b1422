/** Kind of a file: `prose` is a document, `made` is generated. Secrets in documents need more evidence. */
export type SecretFileKind = 'settings' | 'code' | 'prose' | 'made';

const SETTINGS =
  /\.(?:env|ini|cfg|cnf|conf|config|properties|ya?ml|json[5c]?|toml|xml|plist|tfvars|tfstate|service|reg|htaccess|esmtprc|rc|sh|bash|zsh|fish|ps1|bat|cmd|hcl|nix|dsn|credentials|secrets?|pgpass|netrc|npmrc|pypirc|ppk|key|ovpn|neon|vars)$/i;
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|html?|tex|org|svg|csv|tsv|po|pot|ipynb|1|2|3|5|7|8)$/i;
const MADE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock|packages\.lock\.json)$|\.(?:min\.(?:js|css)|map|snap)$/i;
/** Matches code files that contain settings, such as `config.py`. They are treated as settings files. */
const SETTINGS_MODULE =
  /(?:^|[/_.-])(?:config|configuration|settings|credentials?|secrets?|environment|database|local_settings)[^/]{0,20}\.(?:php|py|rb|js|cjs|mjs|ts|java|cs|go|pl|groovy|kt|scala)$/i;
const WORDING =
  /(?:^|[/._-])(?:locales?|i18n|l10n|lang|langs|languages|translations?|messages|strings|intl)(?:[/._-]|$)/i;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyi|rb|php\d?|java|kt|kts|scala|groovy|go|rs|cs|vb|c|h|cc|cpp|hpp|m|mm|swift|pl|pm|lua|r|dart|ex|exs|erl|clj|cljs|hs|ml|fs|vue|svelte|astro|sql|graphql|proto|css|scss|less|erb|haml|jsp|twig|j2|tmpl|tpl|ejs|hbs|gradle|cmake|mk|awk|el|vim|d|zig|nim|cr|jl|sol)$/i;

export function secretFileKindOf(path: string): SecretFileKind {
  if (MADE.test(path)) return 'made';
  if (SETTINGS_MODULE.test(path) || SETTINGS.test(path)) return 'settings';
  if (PROSE.test(path)) return 'prose';
  if (CODE.test(path) || /(?:^|\/)[0-9a-f]{20,}$/.test(path)) return 'code';
  // Most files without a known extension contain settings, such as `.bashrc` or `Dockerfile`.
  return 'settings';
}

export const isTranslationFile = (path: string): boolean => WORDING.test(path);
