import { describeJwtExpiry, isJsonWebToken } from './checksums.ts';
import type { TokenRule } from './rule.ts';
import { CLOUD_DANGER, CODE_DANGER, createTokenRule, MAIL_DANGER, MONEY_DANGER } from './token-rule.ts';

const SECRETS = 'Anyone who reads this file can read the secrets that are kept there';
const TRAINING =
  'Anyone who reads this file can act in a test account: what is made up there, and its limits';

export const SERVICE_TOKENS: readonly TokenRule[] = [
  createTokenRule('1password-key', '1Password key', {
    severity: 'critical',
    keywords: ['A3-', 'ops_eyJ'],
    pattern:
      /(?<![A-Za-z0-9-])(A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}|ops_eyJ[A-Za-z0-9+/]{250,4000}={0,3})(?![A-Za-z0-9-])/g,
    entropy: 3.5,
    danger: SECRETS,
    revoke: 'Make a new Secret Key, or revoke the service account, in 1Password',
  }),
  createTokenRule('adobe-secret', 'Adobe client secret', {
    keywords: ['p8e-'],
    pattern: /(?<![A-Za-z0-9-])(p8e-[A-Za-z0-9_-]{32})(?![A-Za-z0-9_-])/g,
    revoke: 'Rotate the secret in the Adobe Developer Console',
  }),
  createTokenRule('airtable-token', 'Airtable token', {
    keywords: ['airtable', 'Airtable', 'AIRTABLE'],
    pattern: /(?<![A-Za-z0-9])(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})(?![A-Za-z0-9])/g,
    revoke: 'Delete the token in Airtable',
  }),
  createTokenRule('artifactory-token', 'JFrog Artifactory token', {
    keywords: ['AKCp', 'cmVmd'],
    pattern: /(?<![A-Za-z0-9+/])(AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})(?![A-Za-z0-9+/=])/g,
    entropy: 4,
    danger: CODE_DANGER,
    revoke: 'Revoke the token in Artifactory',
  }),
  createTokenRule('authress-key', 'Authress access key', {
    keywords: ['.acc_', '.acc-'],
    pattern:
      /(?<![A-Za-z0-9_])((?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120})/g,
    revoke: 'Remove the access key of the service client in Authress',
  }),
  createTokenRule('aws-bedrock-short-key', 'AWS Bedrock short-term key', {
    keywords: ['bedrock-api-key-'],
    pattern: /(bedrock-api-key-[A-Za-z0-9+/]{28,4000}={0,2})/g,
    danger: CLOUD_DANGER,
    revoke: 'Wait for its end, within twelve hours, and end the session that made it',
  }),
  createTokenRule('clickhouse-key', 'ClickHouse Cloud key', {
    keywords: ['4b1d'],
    pattern: /(?<![A-Za-z0-9])(4b1d[A-Za-z0-9]{38})(?![A-Za-z0-9])/g,
    entropy: 3.5,
    danger: CLOUD_DANGER,
    revoke: 'Delete the key in ClickHouse Cloud',
  }),
  createTokenRule('clojars-token', 'Clojars token', {
    severity: 'critical',
    keywords: ['CLOJARS_', 'clojars_'],
    pattern: /((?:CLOJARS|clojars)_[A-Za-z0-9]{60})(?![A-Za-z0-9])/g,
    danger: 'Anyone who reads this file can publish packages in your name',
    revoke: 'Disable the token at clojars.org',
  }),
  createTokenRule('defined-networking-key', 'Defined Networking key', {
    keywords: ['dnkey-'],
    pattern: /(?<![A-Za-z0-9])(dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52})(?![A-Za-z0-9])/g,
    danger: 'Anyone who reads this file can join or change the private network',
    revoke: 'Revoke the key in Defined Networking',
  }),
  createTokenRule('dropbox-long-token', 'Dropbox token that does not end', {
    keywords: ['AAAAAAAAAA'],
    pattern: /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{11}A{10}[A-Za-z0-9_=-]{43})(?![A-Za-z0-9_=-])/g,
    entropy: 3.5,
    revoke: 'Revoke the token in the Dropbox app console',
  }),
  createTokenRule('duffel-token', 'Duffel token', {
    keywords: ['duffel_'],
    pattern: /(?<![A-Za-z0-9])(duffel_(?:test|live)_[A-Za-z0-9_=-]{43})(?![A-Za-z0-9_=-])/g,
    danger: MONEY_DANGER,
    revoke: 'Delete the token in Duffel',
  }),
  createTokenRule('dynatrace-token', 'Dynatrace token', {
    keywords: ['dt0c01.', 'DT0C01.'],
    pattern: /(?<![A-Za-z0-9])((?:dt0c01|DT0C01)\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64})(?![A-Za-z0-9])/g,
    revoke: 'Delete the token in Dynatrace',
  }),
  createTokenRule('easypost-key', 'EasyPost key', {
    keywords: ['EZAK', 'EZTK'],
    pattern: /(?<![A-Za-z0-9])(EZ[AT]K[A-Za-z0-9]{54})(?![A-Za-z0-9])/g,
    danger: MONEY_DANGER,
    revoke: 'Disable the key in EasyPost',
  }),
  createTokenRule('facebook-app-token', 'Facebook app access token', {
    keywords: ['facebook', 'Facebook', 'FACEBOOK', 'fb_', 'FB_'],
    pattern: /(?<![A-Za-z0-9])(\d{15,16}(?:\||%(?:7C)?)[A-Za-z0-9_-]{27,40})(?![A-Za-z0-9_-])/g,
    entropy: 3.8,
    danger: MAIL_DANGER,
    revoke: 'Reset the secret of the app at Meta',
  }),
  createTokenRule('facebook-page-token', 'Facebook page access token', {
    keywords: ['EAAM', 'EAAC'],
    pattern: /(?<![A-Za-z0-9])(EAA[MC][A-Za-z0-9]{100,400})(?![A-Za-z0-9])/g,
    entropy: 4,
    danger: MAIL_DANGER,
    revoke: 'Reset the token of the page at Meta',
  }),
  createTokenRule('flutterwave-key', 'Flutterwave key', {
    keywords: ['FLWSECK', 'FLWPUBK'],
    pattern:
      /(?<![A-Za-z0-9])(FLW(?:SECK|PUBK)(?:_TEST)?-(?:[a-h0-9]{32}-X|[a-h0-9]{12}(?![a-z0-9-])))(?![A-Za-z0-9])/g,
    danger: MONEY_DANGER,
    revoke: 'Generate new keys in Flutterwave',
  }),
  createTokenRule('frameio-token', 'Frame.io token', {
    keywords: ['fio-u-'],
    pattern: /(?<![A-Za-z0-9])(fio-u-[A-Za-z0-9_=-]{64})(?![A-Za-z0-9_=-])/g,
    revoke: 'Delete the token in Frame.io',
  }),
  createTokenRule('freemius-key', 'Freemius secret key', {
    keywords: ['secret_key'],
    pattern: /["']secret_key["']\s{0,9}=>\s{0,9}["'](sk_[^\s"']{29})["']/g,
    danger: MONEY_DANGER,
    revoke: 'Regenerate the key in Freemius',
  }),
  createTokenRule('gitlab-other-token', 'GitLab token', {
    severity: 'critical',
    keywords: ['gloas-', 'glffct-', 'GR1348941', '_gitlab_session='],
    pattern:
      /(?<![A-Za-z0-9])(gloas-[A-Za-z0-9_-]{64}|glffct-[A-Za-z0-9_-]{20}|GR1348941[A-Za-z0-9_-]{20}|(?<=_gitlab_session=)[0-9a-z]{32})(?![A-Za-z0-9_-])/g,
    entropy: 3,
    danger: CODE_DANGER,
    revoke: 'Revoke the token, or end the session, in GitLab',
  }),
  createTokenRule('gocardless-token', 'GoCardless token', {
    severity: 'critical',
    keywords: ['gocardless', 'GoCardless', 'GOCARDLESS'],
    pattern: /(?<![A-Za-z0-9_])((?:live|sandbox)_[A-Za-z0-9_=-]{40})(?![A-Za-z0-9_=-])/g,
    entropy: 3.5,
    valid: hasDigits,
    danger: MONEY_DANGER,
    revoke: 'Delete the token in GoCardless',
  }),
  createTokenRule('grafana-key', 'Grafana key', {
    keywords: ['eyJrIjoi', 'glc_'],
    pattern:
      /(?<![A-Za-z0-9_-])(eyJrIjoi[A-Za-z0-9]{60,400}={0,3}|glc_[A-Za-z0-9+/]{32,400}={0,3})(?![A-Za-z0-9._+/-])/g,
    entropy: 3,
    revoke: 'Revoke the key in Grafana',
  }),
  createTokenRule('harness-key', 'Harness key', {
    keywords: ['pat.', 'sat.'],
    pattern: /(?<![A-Za-z0-9])([ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20})(?![A-Za-z0-9])/g,
    danger: CLOUD_DANGER,
    revoke: 'Delete the key in Harness',
  }),
  createTokenRule('infracost-key', 'Infracost key', {
    keywords: ['ico-'],
    pattern: /(?<![A-Za-z0-9-])(ico-[A-Za-z0-9]{32})(?![A-Za-z0-9-])/g,
    entropy: 3.5,
    valid: hasDigits,
    revoke: 'Rotate the key in Infracost',
  }),
  createTokenRule('intra42-secret', 'Intra 42 client secret', {
    keywords: ['s-s4t2'],
    pattern: /(?<![A-Za-z0-9])(s-s4t2(?:ud|af)-[a-fA-F0-9]{64})(?![A-Za-z0-9])/g,
    revoke: 'Rotate the secret of the application at 42',
  }),
  createTokenRule('mailgun-other-key', 'Mailgun key', {
    keywords: ['mailgun', 'Mailgun', 'MAILGUN'],
    pattern: /(?<![A-Za-z0-9-])(pubkey-[a-f0-9]{32}|[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})(?![A-Za-z0-9-])/g,
    entropy: 3,
    danger: MAIL_DANGER,
    revoke: 'Rotate the key in Mailgun',
  }),
  createTokenRule('mapbox-token', 'Mapbox token', {
    keywords: ['mapbox', 'Mapbox', 'MAPBOX', 'pk.eyJ', 'sk.eyJ'],
    pattern: /(?<![A-Za-z0-9])([ps]k\.[A-Za-z0-9]{60,120}\.[A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/g,
    revoke: 'Delete or rotate the token in the Mapbox account',
  }),
  createTokenRule('maxmind-key', 'MaxMind license key', {
    keywords: ['_mmk'],
    pattern: /(?<![A-Za-z0-9])([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?![A-Za-z0-9])/g,
    revoke: 'Delete the key in the MaxMind account',
  }),
  createTokenRule('new-relic-key', 'New Relic key', {
    keywords: ['NRAK-', 'NRJS-', 'NRII-'],
    pattern:
      /(?<![A-Za-z0-9])(NRAK-[A-Za-z0-9]{27}|NRJS-[a-f0-9]{19}|NRII-[A-Za-z0-9_-]{32})(?![A-Za-z0-9])/g,
    revoke: 'Delete the key in New Relic',
  }),
  createTokenRule('octopus-key', 'Octopus Deploy key', {
    keywords: ['API-'],
    pattern: /(?<![A-Za-z0-9-])(API-[A-Z0-9]{25,27})(?![A-Za-z0-9-])/g,
    entropy: 3.3,
    danger: CLOUD_DANGER,
    revoke: 'Revoke the key in Octopus Deploy',
  }),
  createTokenRule('okta-token', 'Okta token', {
    keywords: ['okta', 'Okta', 'OKTA'],
    pattern: /(?<![A-Za-z0-9_-])(00[A-Za-z0-9_=-]{40})(?![A-Za-z0-9_=-])/g,
    entropy: 4,
    danger: 'Anyone who reads this file can read and change the accounts of the organisation',
    revoke: 'Revoke the token in the Okta admin console',
  }),
  createTokenRule('openshift-token', 'OpenShift user token', {
    keywords: ['sha256~'],
    pattern: /(?<![A-Za-z0-9])(sha256~[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g,
    entropy: 3.5,
    danger: CLOUD_DANGER,
    revoke: 'Log the user out: oc logout, or delete the token',
  }),
  createTokenRule('plaid-token', 'Plaid access token', {
    severity: 'critical',
    keywords: ['access-'],
    pattern:
      /(?<![A-Za-z0-9-])(access-(?:sandbox|development|production)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![A-Za-z0-9-])/g,
    danger: MONEY_DANGER,
    revoke: 'Invalidate the access token in Plaid',
  }),
  createTokenRule('prefect-key', 'Prefect key', {
    keywords: ['pnu_'],
    pattern: /(?<![A-Za-z0-9])(pnu_[A-Za-z0-9]{36})(?![A-Za-z0-9])/g,
    revoke: 'Delete the key in Prefect',
  }),
  createTokenRule('readme-key', 'ReadMe key', {
    keywords: ['rdme_'],
    pattern: /(?<![A-Za-z0-9])(rdme_[a-z0-9]{70})(?![A-Za-z0-9])/g,
    revoke: 'Delete the key in ReadMe',
  }),
  createTokenRule('scalingo-token', 'Scalingo token', {
    keywords: ['tk-us-'],
    pattern: /(?<![A-Za-z0-9])(tk-us-[A-Za-z0-9_-]{48})(?![A-Za-z0-9_-])/g,
    danger: CLOUD_DANGER,
    revoke: 'Revoke the token in Scalingo',
  }),
  createTokenRule('sendgrid-other-key', 'SendGrid API key', {
    keywords: ['SG.'],
    pattern: /(?<![A-Za-z0-9])(SG\.[A-Za-z0-9=_.-]{66})(?![A-Za-z0-9=_.-])/g,
    entropy: 4,
    danger: MAIL_DANGER,
    revoke: 'Delete the key in SendGrid',
  }),
  createTokenRule('settlemint-token', 'SettleMint token', {
    keywords: ['sm_aat_', 'sm_pat_', 'sm_sat_'],
    pattern: /(?<![A-Za-z0-9])(sm_[aps]at_[A-Za-z0-9]{16})(?![A-Za-z0-9])/g,
    revoke: 'Delete the token in SettleMint',
  }),
  createTokenRule('shippo-token', 'Shippo token', {
    keywords: ['shippo_'],
    pattern: /(?<![A-Za-z0-9])(shippo_(?:live|test)_[a-fA-F0-9]{40})(?![A-Za-z0-9])/g,
    danger: MONEY_DANGER,
    revoke: 'Delete the token in Shippo',
  }),
  createTokenRule('slack-other-token', 'Slack token', {
    keywords: ['xoxb-', 'xoxa-', 'xoxr-', 'xoxo-', 'xoxs-', 'xoxp-', 'xoxe-', 'xapp-'],
    pattern:
      /(?<![A-Za-z0-9])(xoxb-\d{8,14}-[A-Za-z0-9-]{10,80}|xox[ar]-(?:\d-)?[A-Za-z0-9]{8,48}|xox[os]-\d{1,15}-\d{1,15}-\d{1,15}-[a-fA-F0-9]{8,80}|xox[pe](?:-\d{10,13}){3}-[A-Za-z0-9-]{28,34}|xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[A-Za-z0-9]{20,100})(?![A-Za-z0-9])/g,
    entropy: 2.5,
    danger: 'Anyone who reads this file can read and write in your Slack workspace',
    revoke: 'Revoke the token in the settings of the Slack app',
  }),
  createTokenRule('sourcegraph-token', 'Sourcegraph token', {
    keywords: ['sgp_'],
    pattern: /(?<![A-Za-z0-9])(sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40})(?![A-Za-z0-9])/g,
    danger: CODE_DANGER,
    revoke: 'Delete the token in Sourcegraph',
  }),
  createTokenRule('sonar-token', 'SonarQube token', {
    keywords: ['squ_', 'sqp_', 'sqa_'],
    pattern: /(?<![A-Za-z0-9])(sq[uap]_[a-f0-9]{40})(?![A-Za-z0-9])/g,
    danger: CODE_DANGER,
    revoke: 'Revoke the token in SonarQube',
  }),
  createTokenRule('stripe-test-key', 'Stripe test key', {
    severity: 'low',
    keywords: ['sk_test_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    pattern: /(?<![A-Za-z0-9])([sr]k_(?:test|prod)_[A-Za-z0-9]{10,247})(?![A-Za-z0-9])/g,
    entropy: 3,
    danger: TRAINING,
    revoke: 'Roll the key in the Stripe dashboard',
  }),
  createTokenRule('vault-old-token', 'Vault service token', {
    keywords: ['vault', 'Vault', 'VAULT'],
    pattern: /(?<![A-Za-z0-9_.-])(s\.[A-Za-z0-9]{24})(?![A-Za-z0-9])/g,
    entropy: 3.8,
    valid: hasDigits,
    danger: SECRETS,
    revoke: 'Revoke the token in Vault',
  }),
  createTokenRule('yandex-key', 'Yandex key', {
    keywords: ['yandex', 'Yandex', 'YANDEX', 'AQVN'],
    pattern:
      /(?<![A-Za-z0-9_-])(t1\.[A-Za-z0-9_-]{3,400}={0,2}\.[A-Za-z0-9_-]{86}={0,2}|AQVN[A-Za-z0-9_-]{35,38}|YC[A-Za-z0-9_-]{38})(?![A-Za-z0-9_-])/g,
    entropy: 4,
    valid: hasDigits,
    danger: CLOUD_DANGER,
    revoke: 'Revoke the key in Yandex Cloud',
  }),
  createTokenRule('json-web-token-encoded', 'JSON web token in base64', {
    severity: 'medium',
    keywords: ['ZXlK'],
    pattern: /(?<![A-Za-z0-9+/_-])(ZXlK[A-Za-z0-9+/_-]{60,8000}={0,2})(?![A-Za-z0-9+/_=-])/g,
    valid: (secret) => isJsonWebToken(decoded(secret)),
    doubt: (secret) => describeJwtExpiry(decoded(secret)),
    danger: 'Until it expires, anyone who reads this file can act as its subject',
    revoke: 'End the session, and rotate the signing key if the token does not expire',
  }),
];

/** True for at least two digits. Nearly all random tokens of these lengths contain two digits; names contain fewer. */
function hasDigits(secret: string): boolean {
  return (secret.match(/\d/g)?.length ?? 0) >= 2;
}

function decoded(secret: string): string {
  return Buffer.from(secret, 'base64').toString('latin1');
}
