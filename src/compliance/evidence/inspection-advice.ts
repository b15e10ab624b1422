const EXPLAINED =
  / such as |, (?:ensuring|including|for example|which|to prevent)\b| e\.g\.| to (?:prevent|avoid)\b/i;

const PLACES: readonly (readonly [about: RegExp, place: string])[] = [
  [
    /\b(debug modes?|directory listings?|(?:error )?messages? (?:is|are) returned|stack traces?|backend (?:version|component)|monitoring endpoints|URL|query strings?|HTTP (?:message|header|response)s?|header fields?|cookies?|browsers?|referrer|cross-origin|client-side|rendered as HTML|redirect the user)\b/i,
    'the settings of production and what the service answers',
  ],
  [
    /\b(identity providers?|assertions?|identity and access)\b/i,
    'the settings of the identity provider and of what trusts it, and a sample of what they accept',
  ],
  [/\b(default (?:user )?accounts)\b/i, 'the list of accounts, and a try with the ones that were delivered'],
  [/^logs? of|^log records/i, 'what systems log, where it goes, and who reviews it'],
  [
    /\b(engineering principles|code authentication)\b/i,
    'the design, the code in question, its reviews and its tests',
  ],
  [
    /\b(bill of materials|SBOM|inventory catalog|dependenc(?:y|ies)|third.party (?:librar|component|code))/i,
    'the list of components, and how a new one is taken in',
  ],
  [
    /\b(logical separation|information flows?|communications traffic|separate physical systems|isolation|partition|threats? from outside)/i,
    'network diagrams, firewall rules and their last review',
  ],
  [
    /\b(monitored to find|system monitoring|watched for anomalies)\b/i,
    'what is watched, who is alerted, and the last alerts',
  ],
  [
    /\b(maintained, replaced|life cycles?|unsupported|end of life)\b/i,
    'the inventory with the versions and the end of their support',
  ],
  [
    /\b(branch(?:es)?|merged|webhooks?|contributors|still worked on|badge|organisations work|trusted persons|revisions?|workflows?|packages are published|releases are signed|repositor(?:y|ies) (?:has|have))\b/i,
    'the settings and the history of the repository where it is hosted',
  ],
  [
    /^Rank \d|\b(injection|request forgery|deseriali|input validation|input is validated|overflow|pointer|dynamically allocated)/i,
    'the code in question, its reviews and its tests, and what a tester tried',
  ],
  [/\b(train|awareness|made aware|skills)/i, 'training material and the records of who took part'],
  [
    /\b(screened|screening|personnel|workforce|hire|leave|terminat|sanction|employment)/i,
    'personnel files and the procedures for joining and leaving',
  ],
  [
    /\b(physical|premises|facilit|visitor|workstation|entry|cables|utilities|equipment|desks)/i,
    'the premises, their access lists and logs of visitors',
  ],
  [
    /\b(supplier|vendor|third.part|provider|associate|contract|acquisition|outsourc)/i,
    'contracts, the list of suppliers and their last reviews',
  ],
  [
    /\b(backup|back.up|recover|contingency|continuity|restor|disaster)/i,
    'the recovery plan and the record of its last test',
  ],
  [/\b(incident|breach|forensic)/i, 'the incident plan, the last exercise and records of incidents'],
  [/\b(log|logs|logged|logging|audit)\b/i, 'what systems log, where it goes, and who reviews it'],
  [
    /\b(privacy|personal information|consent|personally)/i,
    'the records of processing and the notices that people get',
  ],
  [/\b(risk|threat)/i, 'the register of risks and its last review'],
  [/\b(penetration|red team)/i, 'the report of the last penetration test, and what came of it'],
  [
    /\b(malware|malicious|anti-?virus)/i,
    'the settings of the protection from malware, and a sample of machines',
  ],
  [/\b(media|dispos|sanitiz|wipe|destroy)/i, 'the inventory of media and the records of their disposal'],
  [
    /\b(encrypt\w*|cryptograph\w*|ciphers?|keys?|certificates?|TLS|in-transit|transmission)\b/i,
    'the inventory of keys and certificates, and the settings that use them',
  ],
  [
    /\b(data-at-rest|information at rest|card numbers?|account data|authentication data|track contents|verification code|the PIN|classifi|data (?:are|is))\b/i,
    'where such data are kept, and a sample of what is stored there',
  ],
  [
    /\b(accounts?\b|access|privileg|authenticat|authori[sz]ation|password|identit|session|factors?\b)/i,
    'the list of accounts and rights, the settings of the identity provider, and the last review of access',
  ],
  [
    /\b(network|boundary|firewall|traffic|wireless|segment|DNS)/i,
    'network diagrams, firewall rules and their last review',
  ],
  [/\b(vulnerab|patch|flaw|updates of)/i, 'the list of open vulnerabilities and how long they have been so'],
  [
    /\b(invent|assets are|asset management|components)/i,
    'the inventory, and a sample of what should be in it',
  ],
  [
    /\b(develop|code|software|design|engineer|test|tests|change|changes|configur|input|output|encod|sanitiz)/i,
    'the design, the code in question, its reviews and its tests',
  ],
  [
    /\b(policy|policies|procedure|role|roles|duties|govern|programmes?\b|program\b|plans?\b)/i,
    'the approved document, its owner and the date of its last review',
  ],
];
const ELSEWHERE = 'the documents and settings that show it, and ask the people who do it';

export function inspectionAdvice(title: string): string {
  const [about = title] = title.split(EXPLAINED);
  const [, place = ELSEWHERE] = PLACES.find(([words]) => words.test(about)) ?? [];
  return `Inspect ${place}.`;
}
