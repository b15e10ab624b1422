import { basicCredentials, hasBase62Checksum, isJsonWebToken } from './checksums.ts';
import type { TokenRule } from './rule.ts';

/** How most providers' rules differ: the name, the form, and where the token is ended. */
type Short = Pick<TokenRule, 'keywords' | 'pattern'> &
  Partial<Pick<TokenRule, 'severity' | 'entropy' | 'valid' | 'danger' | 'cwe'>> & { readonly revoke: string };

function token(id: string, title: string, rule: Short): TokenRule {
  return {
    severity: 'high',
    cwe: 'CWE-798',
    danger: 'Anyone who reads this file can act with it',
    ...rule,
    id: `secrets/${id}`,
    title,
  };
}

const CLOUD = 'Anyone who reads this file can act in the cloud account: read its data, and run up costs';
const CODE = 'Anyone who reads this file can read private code, or change it';
const MONEY = 'Anyone who reads this file can see and make payments';
const MAIL = 'Anyone who reads this file can send messages in your name';

/**
 * Tokens by provider. The forms are those that the providers document, or that tokens of theirs are seen to have.
 * `(?<![A-Za-z0-9_-])` and its counterpart keep parts of longer texts out.
 */
export const TOKEN_RULES: readonly TokenRule[] = [
  token('private-key', 'Private key', {
    severity: 'critical',
    cwe: 'CWE-321',
    keywords: ['PRIVATE KEY'],
    pattern:
      /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:\\r)?(?:\\n|\s)+(?:[A-Za-z0-9+/=:,\\ \r\n]|-(?!----)){40,16000}/g,
    danger: 'Anyone who reads this file can pass for the owner of the key',
    revoke: 'Replace the key pair wherever its public half is trusted',
  }),
  token('putty-private-key', 'PuTTY private key', {
    severity: 'critical',
    cwe: 'CWE-321',
    keywords: ['PuTTY-User-Key-File'],
    pattern: /PuTTY-User-Key-File-\d: [\w-]{3,30}\r?\nEncryption: none\r?\n/g,
    danger: 'Anyone who reads this file can log in wherever the key is trusted; it has no passphrase',
    revoke: 'Replace the key pair wherever its public half is trusted',
  }),
  token('age-secret-key', 'age secret key', {
    severity: 'critical',
    cwe: 'CWE-321',
    keywords: ['AGE-SECRET-KEY-'],
    pattern: /AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g,
    danger: 'Anyone who reads this file can decrypt what is encrypted for this key',
    revoke: 'Make a new key and encrypt again',
  }),
  token('aws-access-key', 'AWS access key', {
    severity: 'critical',
    keywords: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /(?<![A-Za-z0-9/+])((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})(?![A-Za-z0-9/+=])/g,
    entropy: 3,
    danger: CLOUD,
    revoke: 'Deactivate the key in AWS IAM and make a new one',
  }),
  token('aws-bedrock-key', 'AWS Bedrock API key', {
    keywords: ['ABSK'],
    pattern: /(?<![A-Za-z0-9])(ABSK[A-Za-z0-9+/]{109,269}={0,2})/g,
    danger: CLOUD,
    revoke: 'Delete the key in AWS IAM',
  }),
  token('gcp-service-account', 'Google Cloud service account key', {
    severity: 'critical',
    keywords: ['private_key_id'],
    pattern: /"private_key_id"\s{0,5}:\s{0,5}"([0-9a-f]{40})"/g,
    danger: CLOUD,
    revoke: 'Delete the key of the service account in Google Cloud IAM',
  }),
  token('google-api-key', 'Google API key', {
    keywords: ['AIza'],
    pattern: /(?<![A-Za-z0-9_-])(AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/g,
    entropy: 3.5,
    revoke: 'Restrict or regenerate the key in the Google Cloud console',
  }),
  token('google-oauth-secret', 'Google OAuth client secret', {
    keywords: ['GOCSPX-'],
    pattern: /(?<![A-Za-z0-9_-])(GOCSPX-[A-Za-z0-9_-]{28})(?![A-Za-z0-9_-])/g,
    revoke: 'Reset the client secret in the Google Cloud console',
  }),
  token('google-oauth-token', 'Google OAuth token', {
    keywords: ['ya29.', '1//0'],
    pattern: /(?<![A-Za-z0-9_-])(ya29\.[A-Za-z0-9_-]{40,400}|1\/\/0[A-Za-z0-9_-]{40,200})/g,
    revoke: 'Revoke the access of the application in the Google account',
  }),
  token('azure-storage-key', 'Azure storage account key', {
    severity: 'critical',
    keywords: ['AccountKey='],
    pattern: /AccountKey=([A-Za-z0-9+/]{86}==)/g,
    danger: CLOUD,
    revoke: 'Rotate the key of the storage account',
  }),
  token('azure-client-secret', 'Azure client secret', {
    severity: 'critical',
    keywords: ['Q~'],
    pattern: /(?<![A-Za-z0-9_~.-])([A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9_~.-])/g,
    entropy: 3.5,
    danger: CLOUD,
    revoke: 'Delete the client secret of the app registration',
  }),
  token('azure-sas', 'Azure shared access signature', {
    keywords: ['sig='],
    pattern: /[?&]sv=\d{4}-\d\d-\d\d&(?:[^\s"'<>&]{1,100}&){0,15}?sig=([A-Za-z0-9%+/=]{43,120})/g,
    danger: CLOUD,
    revoke: 'Rotate the account key that signed it, or end its stored access policy',
  }),
  token('azure-devops-token', 'Azure DevOps token', {
    keywords: ['AZDO'],
    pattern: /(?<![A-Za-z0-9])([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9])/g,
    danger: CODE,
    revoke: 'Revoke the token in Azure DevOps',
  }),
  token('alibaba-access-key', 'Alibaba Cloud access key', {
    severity: 'critical',
    keywords: ['LTAI'],
    pattern: /(?<![A-Za-z0-9])(LTAI[A-Za-z0-9]{12,20})(?![A-Za-z0-9])/g,
    entropy: 3.3,
    danger: CLOUD,
    revoke: 'Disable the key in Alibaba Cloud RAM',
  }),
  token('tencent-secret-id', 'Tencent Cloud secret id', {
    keywords: ['AKID'],
    pattern: /(?<![A-Za-z0-9])(AKID[A-Za-z0-9]{32})(?![A-Za-z0-9])/g,
    entropy: 3.3,
    danger: CLOUD,
    revoke: 'Disable the key in Tencent Cloud CAM',
  }),
  token('digitalocean-token', 'DigitalOcean token', {
    severity: 'critical',
    keywords: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    pattern: /(?<![A-Za-z0-9])(do[opr]_v1_[a-f0-9]{64})(?![A-Za-z0-9])/g,
    danger: CLOUD,
    revoke: 'Delete the token in the DigitalOcean control panel',
  }),
  token('github-token', 'GitHub token', {
    severity: 'critical',
    keywords: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /(?<![A-Za-z0-9])(gh[pousr]_[A-Za-z0-9]{36})(?![A-Za-z0-9])/g,
    valid: hasBase62Checksum,
    danger: CODE,
    revoke: 'Revoke the token in the GitHub settings',
  }),
  token('github-fine-grained-token', 'GitHub fine-grained token', {
    severity: 'critical',
    keywords: ['github_pat_'],
    pattern: /(?<![A-Za-z0-9])(github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})(?![A-Za-z0-9])/g,
    danger: CODE,
    revoke: 'Revoke the token in the GitHub settings',
  }),
  token('gitlab-token', 'GitLab token', {
    severity: 'critical',
    keywords: ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glcbt-', 'glsoat-', 'glimt-', 'glagent-', 'glft-'],
    pattern:
      /(?<![A-Za-z0-9])((?:glpat|glptt|gldt|glrt|glcbt|glsoat|glimt|glagent|glft)-[A-Za-z0-9_=.-]{20,300})(?![A-Za-z0-9_-])/g,
    entropy: 3,
    danger: CODE,
    revoke: 'Revoke the token in GitLab',
  }),
  token('bitbucket-app-password', 'Bitbucket app password', {
    keywords: ['ATBB'],
    pattern: /(?<![A-Za-z0-9])(ATBB[A-Za-z0-9]{32})(?![A-Za-z0-9])/g,
    danger: CODE,
    revoke: 'Revoke the app password in Bitbucket',
  }),
  token('atlassian-token', 'Atlassian API token', {
    keywords: ['ATATT3xFf', 'ATCTT3xFf'],
    pattern: /(?<![A-Za-z0-9])(AT[AC]TT3xFf[A-Za-z0-9_=-]{150,250})/g,
    revoke: 'Revoke the token in the Atlassian account',
  }),
  token('npm-token', 'npm token', {
    severity: 'critical',
    keywords: ['npm_'],
    pattern: /(?<![A-Za-z0-9])(npm_[A-Za-z0-9]{36})(?![A-Za-z0-9])/g,
    valid: hasBase62Checksum,
    danger: 'Anyone who reads this file can publish packages in your name',
    revoke: 'Revoke the token with npm token revoke',
  }),
  token('npm-registry-token', 'Registry token in .npmrc', {
    severity: 'critical',
    keywords: ['_authToken'],
    pattern: /:_authToken\s{0,3}=\s{0,3}"?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/g,
    danger: 'Anyone who reads this file can publish packages in your name',
    revoke: 'Revoke the token at the registry',
  }),
  token('pypi-token', 'PyPI token', {
    severity: 'critical',
    keywords: ['pypi-AgE'],
    pattern: /(pypi-(?:AgEIcHlwaS5vcmc|AgENdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{50,1000})/g,
    danger: 'Anyone who reads this file can publish packages in your name',
    revoke: 'Delete the token in the PyPI account',
  }),
  token('rubygems-key', 'RubyGems API key', {
    severity: 'critical',
    keywords: ['rubygems_'],
    pattern: /(?<![A-Za-z0-9])(rubygems_[a-f0-9]{48})(?![A-Za-z0-9])/g,
    danger: 'Anyone who reads this file can publish packages in your name',
    revoke: 'Delete the key at rubygems.org',
  }),
  token('crates-io-token', 'crates.io token', {
    severity: 'critical',
    keywords: ['cio'],
    pattern: /(?<![A-Za-z0-9])(cio[A-Za-z0-9]{32})(?![A-Za-z0-9])/g,
    entropy: 3.8,
    danger: 'Anyone who reads this file can publish packages in your name',
    revoke: 'Revoke the token at crates.io',
  }),
  token('nuget-key', 'NuGet API key', {
    severity: 'critical',
    keywords: ['oy2'],
    pattern: /(?<![A-Za-z0-9])(oy2[a-z0-9]{43})(?![A-Za-z0-9])/g,
    entropy: 3.5,
    danger: 'Anyone who reads this file can publish packages in your name',
    revoke: 'Delete the key at nuget.org',
  }),
  token('docker-token', 'Docker Hub token', {
    severity: 'critical',
    keywords: ['dckr_pat_', 'dckr_oat_'],
    pattern: /(?<![A-Za-z0-9])(dckr_[po]at_[A-Za-z0-9_-]{27,40})(?![A-Za-z0-9_-])/g,
    danger: 'Anyone who reads this file can push images in your name',
    revoke: 'Delete the token in the Docker account',
  }),
  token('registry-login', 'Login of a registry', {
    keywords: ['"auth"', '_auth'],
    pattern: /(?:"auth"\s{0,5}:\s{0,5}"|_auth\s{0,3}=\s{0,3}"?)([A-Za-z0-9+/_-]{6,400}={0,2})/g,
    valid: (secret) => basicCredentials(secret) !== undefined,
    danger: 'Anyone who reads this file can log in to the registry: the text is user and password in base64',
    revoke: 'Change the password or token at the registry',
  }),
  token('basic-authorization', 'Basic authorization header', {
    keywords: ['Basic ', 'basic '],
    pattern: /[Aa]uthorization["']?\s{0,3}[:=,]\s{0,3}["'`]?[Bb]asic\s([A-Za-z0-9+/_-]{8,400}={0,2})/g,
    valid: (secret) => basicCredentials(secret) !== undefined,
    danger: 'Anyone who reads this file can log in: the text is user and password in base64',
    revoke: 'Change the password',
  }),
  token('slack-token', 'Slack token', {
    keywords: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxe.', 'xapp-'],
    pattern:
      /(?<![A-Za-z0-9])(xox[abprs]-(?:\d{6,15}-){1,3}[A-Za-z0-9-]{20,80}|xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{100,300}|xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-z0-9]{40,100})/g,
    danger: 'Anyone who reads this file can read and write in your Slack workspace',
    revoke: 'Revoke the token in the settings of the Slack app',
  }),
  token('slack-webhook', 'Slack webhook', {
    severity: 'medium',
    keywords: ['hooks.slack.com'],
    pattern:
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/(T?[A-Za-z0-9]{8,12}\/[A-Za-z0-9]{8,16}\/[A-Za-z0-9]{20,60})/g,
    danger: MAIL,
    revoke: 'Remove the webhook in the settings of the Slack app',
  }),
  token('discord-webhook', 'Discord webhook', {
    severity: 'medium',
    keywords: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{17,20}\/[A-Za-z0-9_-]{60,80})/g,
    danger: MAIL,
    revoke: 'Delete the webhook in Discord',
  }),
  token('discord-bot-token', 'Discord bot token', {
    keywords: ['discord', 'Discord', 'DISCORD'],
    pattern:
      /(?<![A-Za-z0-9_-])([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![A-Za-z0-9_-])/g,
    entropy: 4,
    danger: MAIL,
    revoke: 'Reset the token of the bot in Discord',
  }),
  token('teams-webhook', 'Microsoft Teams webhook', {
    severity: 'medium',
    keywords: ['webhook.office.com'],
    pattern:
      /webhook\.office\.com\/webhookb2\/([a-f0-9-]{36}@[a-f0-9-]{36}\/IncomingWebhook\/[a-f0-9]{32}\/[a-f0-9-]{36})/g,
    danger: MAIL,
    revoke: 'Remove the connector in Teams',
  }),
  token('telegram-bot-token', 'Telegram bot token', {
    keywords: [':AA'],
    pattern: /(?<![A-Za-z0-9])(\d{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/g,
    danger: MAIL,
    revoke: 'Revoke the token with BotFather',
  }),
  token('stripe-key', 'Stripe live key', {
    severity: 'critical',
    keywords: ['sk_live_', 'rk_live_'],
    pattern: /(?<![A-Za-z0-9])([sr]k_live_[A-Za-z0-9]{16,247})(?![A-Za-z0-9])/g,
    danger: MONEY,
    revoke: 'Roll the key in the Stripe dashboard',
  }),
  token('stripe-webhook-secret', 'Stripe webhook secret', {
    keywords: ['whsec_'],
    pattern: /(?<![A-Za-z0-9])(whsec_[A-Za-z0-9+/]{32,64}={0,2})(?![A-Za-z0-9])/g,
    danger: 'Anyone who reads this file can forge events to your webhook',
    revoke: 'Roll the secret of the endpoint',
  }),
  token('square-token', 'Square token', {
    severity: 'critical',
    keywords: ['sq0', 'EAAA'],
    pattern: /(?<![A-Za-z0-9])(sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60})(?![A-Za-z0-9_-])/g,
    entropy: 3.5,
    danger: MONEY,
    revoke: 'Revoke the token in the Square developer dashboard',
  }),
  token('paypal-braintree-token', 'Braintree token', {
    severity: 'critical',
    keywords: ['access_token$production$'],
    pattern: /(access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32})/g,
    danger: MONEY,
    revoke: 'Revoke the token in PayPal',
  }),
  token('shopify-token', 'Shopify token', {
    keywords: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: /(?<![A-Za-z0-9])(shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32})(?![A-Za-z0-9])/g,
    danger: MONEY,
    revoke: 'Rotate the credentials of the Shopify app',
  }),
  token('sendgrid-key', 'SendGrid API key', {
    keywords: ['SG.'],
    pattern: /(?<![A-Za-z0-9])(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/g,
    danger: MAIL,
    revoke: 'Delete the key in SendGrid',
  }),
  token('mailgun-key', 'Mailgun API key', {
    keywords: ['key-'],
    pattern: /(?<![A-Za-z0-9-])(key-[a-f0-9]{32})(?![A-Za-z0-9])/g,
    danger: MAIL,
    revoke: 'Rotate the key in Mailgun',
  }),
  token('mailchimp-key', 'Mailchimp API key', {
    keywords: ['-us'],
    pattern: /(?<![A-Za-z0-9])([a-f0-9]{32}-us\d{1,2})(?![A-Za-z0-9])/g,
    danger: MAIL,
    revoke: 'Revoke the key in Mailchimp',
  }),
  token('brevo-key', 'Brevo API key', {
    keywords: ['xkeysib-', 'xsmtpsib-'],
    pattern: /(?<![A-Za-z0-9])(x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16})(?![A-Za-z0-9])/g,
    danger: MAIL,
    revoke: 'Delete the key in Brevo',
  }),
  token('resend-key', 'Resend API key', {
    keywords: ['re_'],
    pattern: /(?<![A-Za-z0-9_])(re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24})(?![A-Za-z0-9_])/g,
    entropy: 3.5,
    danger: MAIL,
    revoke: 'Delete the key in Resend',
  }),
  token('twilio-key', 'Twilio API key', {
    keywords: ['SK'],
    pattern: /(?<![A-Za-z0-9])(SK[a-f0-9]{32})(?![A-Za-z0-9])/g,
    entropy: 3,
    danger: MAIL,
    revoke: 'Revoke the key in the Twilio console',
  }),
  token('openai-key', 'OpenAI API key', {
    keywords: ['T3BlbkFJ'],
    pattern: /(?<![A-Za-z0-9])(sk-(?:[a-z]{3,10}-)?[A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100})/g,
    danger: 'Anyone who reads this file can use the account, at your cost',
    revoke: 'Revoke the key in the OpenAI account',
  }),
  token('anthropic-key', 'Anthropic API key', {
    keywords: ['sk-ant-'],
    pattern: /(?<![A-Za-z0-9])(sk-ant-(?:api|admin|oat)\d\d-[A-Za-z0-9_-]{80,110})/g,
    danger: 'Anyone who reads this file can use the account, at your cost',
    revoke: 'Disable the key in the Anthropic console',
  }),
  token('model-provider-key', 'API key of a model provider', {
    keywords: ['gsk_', 'xai-', 'r8_', 'pplx-', 'sk-or-v1-', 'fw_', 'nvapi-', 'tgp_v1_', 'lsv2_'],
    pattern:
      /(?<![A-Za-z0-9])(gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{80}|r8_[A-Za-z0-9]{37}|pplx-[A-Za-z0-9]{48}|sk-or-v1-[a-f0-9]{64}|fw_[A-Za-z0-9]{24}|nvapi-[A-Za-z0-9_-]{64}|tgp_v1_[A-Za-z0-9_-]{43}|lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10})(?![A-Za-z0-9])/g,
    entropy: 3,
    danger: 'Anyone who reads this file can use the account, at your cost',
    revoke: 'Revoke the key at the provider',
  }),
  token('hugging-face-token', 'Hugging Face token', {
    keywords: ['hf_', 'api_org_'],
    pattern: /(?<![A-Za-z0-9_])((?:hf_|api_org_)[A-Za-z]{34})(?![A-Za-z0-9])/g,
    entropy: 3.5,
    revoke: 'Invalidate the token in the Hugging Face settings',
  }),
  token('hashicorp-token', 'HashiCorp token', {
    severity: 'critical',
    keywords: ['hvs.', 'hvb.', 'hvr.', '.atlasv1.'],
    pattern:
      /(?<![A-Za-z0-9])(hv[sbr]\.[A-Za-z0-9_-]{24,300}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})(?![A-Za-z0-9_-])/g,
    entropy: 3.5,
    danger: 'Anyone who reads this file can read the secrets that are kept there',
    revoke: 'Revoke the token in Vault or HCP Terraform',
  }),
  token('magpie-key', 'Magpie key', {
    keywords: ['magpie_'],
    pattern: /(?<![A-Za-z0-9])(magpie_[A-Za-z0-9]{30,80})(?![A-Za-z0-9])/g,
    entropy: 3.5,
    danger: 'Anyone who reads this file can read and change what its user keeps',
    revoke: 'Revoke it with magpie key revoke',
  }),
  token('databricks-token', 'Databricks token', {
    keywords: ['dapi'],
    pattern: /(?<![A-Za-z0-9])(dapi[a-f0-9]{32}(?:-\d)?)(?![A-Za-z0-9])/g,
    danger: CLOUD,
    revoke: 'Revoke the token in the Databricks settings',
  }),
  token('platform-token', 'Token of a hosting platform', {
    keywords: [
      'nfp_',
      'sbp_',
      'fo1_',
      'fm1a_',
      'fm2_',
      'pscale_',
      'rnd_',
      'vercel_',
      'HRKU-',
      'lin_api_',
      'dp.pt.',
    ],
    pattern:
      /(?<![A-Za-z0-9])(nfp_[A-Za-z0-9]{36}|sbp_[a-f0-9]{40}|fo1_[A-Za-z0-9_-]{43}|fm(?:1a|2)_[A-Za-z0-9+/=]{100,600}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}|rnd_[A-Za-z0-9]{28,40}|vercel_[A-Za-z0-9]{24,60}|HRKU-[A-Za-z0-9_-]{36,80}|lin_api_[A-Za-z0-9]{40}|dp\.pt\.[A-Za-z0-9]{40,44})(?![A-Za-z0-9])/g,
    entropy: 3,
    danger: 'Anyone who reads this file can change what runs there',
    revoke: 'Revoke the token at the platform',
  }),
  token('pulumi-token', 'Pulumi token', {
    keywords: ['pul-'],
    pattern: /(?<![A-Za-z0-9])(pul-[a-f0-9]{40})(?![A-Za-z0-9])/g,
    danger: CLOUD,
    revoke: 'Delete the token in Pulumi',
  }),
  token('monitoring-key', 'Key of a monitoring service', {
    keywords: ['NRAK-', 'NRII-', 'NRAA-', 'glsa_', 'glc_ey', 'sntrys_', 'sntryu_', 'phx_', 'dt0c01.'],
    pattern:
      /(?<![A-Za-z0-9])(NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9_-]{32}|NRAA-[a-f0-9]{27}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_ey[A-Za-z0-9+/=]{40,400}|sntrys_[A-Za-z0-9+/=_-]{60,400}|sntryu_[a-f0-9]{64}|phx_[A-Za-z0-9]{43,60}|dt0c01\.[A-Z2-7]{24}\.[A-Z2-7]{64})(?![A-Za-z0-9])/g,
    revoke: 'Revoke the key at the service',
  }),
  token('collaboration-token', 'Token of a collaboration service', {
    keywords: ['secret_', 'ntn_', 'figd_', 'PMAK-', 'xoxd-', 'pat-na1-', 'pat-eu1-', 'tfp_'],
    pattern:
      /(?<![A-Za-z0-9])(secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{46}|figd_[A-Za-z0-9_-]{40}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|xoxd-[A-Za-z0-9%+/=-]{60,300}|pat-(?:na|eu)1-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}|tfp_[A-Za-z0-9_-]{44,60})(?![A-Za-z0-9])/g,
    entropy: 3.2,
    revoke: 'Revoke the token at the service',
  }),
  token('network-key', 'Key to a private network', {
    keywords: ['tskey-'],
    pattern:
      /(?<![A-Za-z0-9])(tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40})(?![A-Za-z0-9])/g,
    danger: 'Anyone who reads this file can join or change the private network',
    revoke: 'Revoke the key in the Tailscale console',
  }),
  token('cloudflare-key', 'Cloudflare origin key', {
    keywords: ['v1.0-'],
    pattern: /(?<![A-Za-z0-9])(v1\.0-[a-f0-9]{24}-[a-f0-9]{146})(?![A-Za-z0-9])/g,
    revoke: 'Change the origin CA key in Cloudflare',
  }),
  token('facebook-token', 'Facebook access token', {
    keywords: ['EAAC', 'EAAB', 'EAAG', 'EAAX'],
    pattern: /(?<![A-Za-z0-9])(EAA[BCGX][A-Za-z0-9]{80,300})(?![A-Za-z0-9])/g,
    entropy: 4,
    danger: MAIL,
    revoke: 'Reset the token of the app at Meta',
  }),
  token('dropbox-token', 'Dropbox token', {
    keywords: ['sl.'],
    pattern: /(?<![A-Za-z0-9.])(sl\.(?:u\.)?[A-Za-z0-9_-]{130,300})(?![A-Za-z0-9_-])/g,
    revoke: 'Revoke the token in the Dropbox app console',
  }),
  token('firefox-login', 'Login saved by a browser', {
    keywords: ['"encryptedUsername', '"encryptedPassword'],
    pattern: /"encrypted(?:Username|Password)"\s{0,5}:\s{0,5}"(MD[A-Za-z0-9+/]{20,400}={0,2})"/g,
    danger: 'With key4.db beside it, anyone who reads this file can read the saved passwords',
    revoke: 'Change these passwords, and take the browser profile out of the repository',
  }),
  token('json-web-token', 'JSON web token', {
    severity: 'medium',
    keywords: ['eyJ'],
    pattern:
      /(?<![A-Za-z0-9_-])(eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000})(?![A-Za-z0-9_-])/g,
    valid: isJsonWebToken,
    danger: 'Until it expires, anyone who reads this file can act as its subject',
    revoke: 'End the session, and rotate the signing key if the token does not expire',
  }),
  token('password-hash', 'Hash of a password', {
    severity: 'medium',
    cwe: 'CWE-256',
    keywords: [
      '$1$',
      '$2a$',
      '$2b$',
      '$2y$',
      '$5$',
      '$6$',
      '$y$',
      '$7$',
      '$apr1$',
      '$argon2',
      '$scrypt$',
      '{SSHA',
    ],
    pattern:
      /(\$(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|\$y\$[./A-Za-z0-9]{1,20}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|\$argon2(?:id|i|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,9},p=\d{1,9}\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,90}|\{SSHA(?:256|512)?\}[A-Za-z0-9+/]{28,150}={0,2})(?![A-Za-z0-9])/g,
    danger: 'Passwords that people choose are found from their hashes by trying',
    revoke: 'Change these passwords, and take the hashes out of the repository and its history',
  }),
];
