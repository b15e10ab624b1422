/** A service whose credentials have no recognisable format. The service's name nearby identifies them. */
export interface ServiceCredentials {
  readonly title: string;
  /** Names of the service in settings, in lower case. A `-` matches a hyphen, an underscore, a space or no character. */
  readonly names: readonly string[];
  readonly values: RegExp;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

function service(title: string, names: string, values: string): ServiceCredentials {
  return { title, names: names.split(' '), values: new RegExp(`^(?:${values})$`, 'i') };
}

/** Services with the length and alphabet of their credentials. Sources: documentation and real credentials. */
export const SERVICES_WITH_CREDENTIALS: readonly ServiceCredentials[] = [
  service('Adafruit', 'adafruit', '[a-z0-9_-]{32}'),
  service('Adobe', 'adobe', '[a-f0-9]{32}'),
  service('Airtable', 'airtable', '[a-z0-9]{17}'),
  service('Algolia', 'algolia', '[a-z0-9]{32}'),
  service('Alibaba Cloud', 'alibaba aliyun', '[a-z0-9]{30}'),
  service('Asana', 'asana', '[a-z0-9]{32}'),
  service('Atlassian', 'atlassian confluence jira', '[a-z0-9]{20}[a-f0-9]{4}'),
  service('Beamer', 'beamer', 'b_[a-z0-9=_-]{44}'),
  service('Bitbucket', 'bitbucket', '[a-z0-9]{32}|[a-z0-9=_-]{64}'),
  service('Bittrex', 'bittrex', '[a-z0-9]{32}'),
  service('Cisco Meraki', 'meraki', '[0-9a-f]{40}'),
  service('Cloudflare', 'cloudflare', '[a-z0-9_-]{40}|[a-f0-9]{37}'),
  service('Codecov', 'codecov', `[a-z0-9]{32}|${UUID}`),
  service('Cohere', 'cohere co-api-key', '[a-z0-9]{40}'),
  service('Coinbase', 'coinbase', '[a-z0-9_-]{64}'),
  service('Confluent', 'confluent', '[a-z0-9]{16}|[a-z0-9+/]{64}'),
  service('Contentful', 'contentful', '[a-z0-9=_-]{43}'),
  service('Datadog', 'datadog dd-api-key dd-app-key', '[a-z0-9]{40}|[a-f0-9]{32}'),
  service('Discord', 'discord', '[a-f0-9]{64}|[a-z0-9=_-]{32}'),
  service('Drone CI', 'drone-ci drone', '[a-z0-9]{32}'),
  service('Dropbox', 'dropbox', '[a-z0-9]{15}'),
  service('Etsy', 'etsy', '[a-z0-9]{24}'),
  service('Facebook', 'facebook', '[a-f0-9]{32}'),
  service('Fastly', 'fastly', '[a-z0-9=_-]{32}'),
  service('Finicity', 'finicity', '[a-f0-9]{32}|[a-z0-9]{20}'),
  service('Finnhub', 'finnhub', '[a-z0-9]{20}'),
  service('Flickr', 'flickr', '[a-z0-9]{32}'),
  service('FreshBooks', 'freshbooks', '[a-z0-9]{64}'),
  service('Gitter', 'gitter', '[a-z0-9_-]{40}'),
  service('Heroku', 'heroku', UUID),
  service('HubSpot', 'hubspot', UUID),
  service('Intercom', 'intercom', '[a-z0-9=_-]{60}'),
  service('JFrog', 'jfrog artifactory bintray xray', '[a-z0-9]{73}|[a-z0-9]{64}'),
  service('Kraken', 'kraken', '[a-z0-9/=_+-]{80,90}'),
  service('KuCoin', 'kucoin', `[a-f0-9]{24}|${UUID}`),
  service('LaunchDarkly', 'launchdarkly', '[a-z0-9=_-]{40}'),
  service('Linear', 'linear', '[a-f0-9]{32}'),
  service('LinkedIn', 'linked-in', '[a-z0-9]{16}|[a-z0-9]{14}'),
  service('Lob', 'lob', '(?:live|test)_(?:pub_[a-f0-9]{31}|[a-f0-9]{35})'),
  service('Looker', 'looker', '[a-z0-9]{20}|[a-z0-9]{24}'),
  service('Mailgun', 'mailgun', '[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}'),
  service('Mattermost', 'mattermost', '[a-z0-9]{26}'),
  service('MessageBird', 'message-bird', `[a-z0-9]{25}|${UUID}`),
  service('Netlify', 'netlify', '[a-z0-9=_-]{40,46}'),
  service('New Relic', 'new-relic', '[a-z0-9]{64}'),
  service('New York Times', 'nytimes new-york-times', '[a-z0-9=_-]{32}'),
  service('Plaid', 'plaid', '[a-z0-9]{30}|[a-z0-9]{24}'),
  service('Private AI', 'private-ai', '[a-z0-9]{32}'),
  service('RapidAPI', 'rapid-api', '[a-z0-9_-]{50}'),
  service('Sendbird', 'sendbird', `[a-f0-9]{40}|${UUID}`),
  service('Sentry', 'sentry', '[a-f0-9]{64}'),
  service('Sidekiq', 'contribsys-com', '[a-f0-9]{8}:[a-f0-9]{8}'),
  service('Snyk', 'snyk', UUID),
  service('SonarQube', 'sonar', '[a-z0-9=_-]{40}'),
  service('Squarespace', 'squarespace', UUID),
  service('Sumo Logic', 'sumo', 'su[a-z0-9]{12}|[a-z0-9]{64}'),
  service('Telegram', 'telegram telegr', '[0-9]{5,16}:A[a-z0-9_-]{34}'),
  service('Travis CI', 'travis', '[a-z0-9]{22}'),
  service('Twitch', 'twitch', '[a-z0-9]{30}'),
  service(
    'Twitter',
    'twitter',
    '[a-z0-9]{25}|[a-z0-9]{45}|[a-z0-9]{50}|[0-9]{15,25}-[a-z0-9]{20,40}|A{22}[a-z0-9%]{80,100}',
  ),
  service('Zendesk', 'zendesk', '[a-z0-9]{40}'),
];
