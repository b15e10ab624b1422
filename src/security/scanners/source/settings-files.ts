import type { Severity } from '../../../lib/severity.ts';
import type { UnmaskedFinding } from '../../findings/hide.ts';
import type { ScannedFile } from '../../scans/scanner.ts';
import { createLineIndex } from '../../trees/lines.ts';
import { findingOf } from './analyse.ts';
import {
  propertiesIn,
  type SettingsProperty,
  SPRING_PROPERTIES_PATH,
  WEB_CONFIG_PATH,
} from './settings-names.ts';
import { keepOnlyLineBreaks, replaceTags } from './templates/tags.ts';

interface RiskySetting {
  /** Lower-case name of the setting: element and attribute in XML, otherwise the property. */
  readonly name: string;
  readonly value: RegExp;
  readonly rule: string;
  readonly severity: Severity;
}

const OFF = /^false$/i;
const ON = /^true$/i;

/** Insecure settings in ASP.NET's `web.config`. The first line of a page can override some settings. */
const ELEMENTS: readonly RiskySetting[] = [
  { name: 'customerrors mode', value: /^off$/i, rule: 'source/debug-on', severity: 'medium' },
  { name: 'compilation debug', value: ON, rule: 'source/debug-on', severity: 'low' },
  { name: 'trace enabled', value: ON, rule: 'source/debug-on', severity: 'medium' },
  {
    name: 'httpcookies httponlycookies',
    value: OFF,
    rule: 'source/cookie-readable-by-script',
    severity: 'low',
  },
  { name: 'httpcookies requiressl', value: OFF, rule: 'source/insecure-cookie', severity: 'low' },
  { name: 'forms requiressl', value: OFF, rule: 'source/insecure-cookie', severity: 'low' },
  { name: 'httpruntime enableheaderchecking', value: OFF, rule: 'source/escaping-off', severity: 'low' },
  {
    name: 'sessionstate cookieless',
    value: /^(?:true|useuri|autodetect)$/i,
    rule: 'source/session-id-in-url',
    severity: 'low',
  },
  {
    name: 'forms cookieless',
    value: /^(?:true|useuri|autodetect)$/i,
    rule: 'source/session-id-in-url',
    severity: 'low',
  },
  {
    name: 'forms protection',
    value: /^(?:none|encryption|validation)$/i,
    rule: 'source/insecure-cookie',
    severity: 'low',
  },
  {
    name: 'machinekey validationkey',
    value: /^[0-9A-F]{32,200}$/i,
    rule: 'source/hard-coded-credentials',
    severity: 'medium',
  },
  { name: 'pages validaterequest', value: OFF, rule: 'source/escaping-off', severity: 'low' },
  { name: 'pages enableviewstatemac', value: OFF, rule: 'source/unsafe-deserialisation', severity: 'high' },
];

/** Matches endpoints of Spring's Actuator that reveal settings, the environment or memory. `*` means all endpoints. */
const TELLING =
  /(?:^|[\s,])(?:\*|env|configprops|heapdump|threaddump|logfile|httptrace|httpexchanges)(?=$|[\s,])/i;

const PROPERTIES: readonly RiskySetting[] = [
  {
    name: 'server.error.include-stacktrace',
    value: /^always$/i,
    rule: 'source/debug-on',
    severity: 'medium',
  },
  {
    name: 'spring.web.error.include-stacktrace',
    value: /^always$/i,
    rule: 'source/debug-on',
    severity: 'medium',
  },
  {
    name: 'management.endpoints.web.exposure.include',
    value: TELLING,
    rule: 'source/debug-on',
    severity: 'medium',
  },
];

/** Matches `localOnly="false"`. By default, ASP.NET shows traces only on the server itself, which is harmless. */
const TO_ALL = /\blocalOnly\s{0,9}=\s{0,9}["']false/i;

export function findInsecureSettings({ path, text }: ScannedFile, deep: boolean): UnmaskedFinding[] {
  const given: readonly SettingLine[] = SPRING_PROPERTIES_PATH.test(path)
    ? propertiesIn(text)
    : attributesIn(path, text);
  const known = SPRING_PROPERTIES_PATH.test(path) ? PROPERTIES : ELEMENTS;
  const seen = new Set<string>();
  const lines = createLineIndex(text);
  return given.flatMap(({ name, value, line, beside = '' }) => {
    const setting = known.find((one) => one.name === name.toLowerCase() && one.value.test(value));
    const key = `${setting?.rule} ${line}`;
    if (!setting || seen.has(key) || (setting.name === 'trace enabled' && !TO_ALL.test(beside))) return [];
    seen.add(key);
    return [findingOf({ ...setting, line }, {}, { path, lines, deep })];
  });
}

interface SettingLine extends SettingsProperty {
  readonly beside?: string;
}

const MAX_ELEMENT_CHARACTERS = 2000;
const MAX_ELEMENTS = 2000;
const ATTRIBUTE = /([\w:.-]{1,100})\s{0,9}=\s{0,9}(?:"([^"<]{0,200})"|'([^'<]{0,200})')/g;

function attributesIn(path: string, text: string): SettingLine[] {
  const code = replaceTags(text, [['<!--', '-->']], ({ text: mark }) => keepOnlyLineBreaks(mark), {
    longest: 0,
    between: (one) => one,
  });
  const opening = WEB_CONFIG_PATH.test(path)
    ? /<(customErrors|compilation|trace|httpCookies|forms|httpRuntime|sessionState|machineKey|pages)\s/gi
    : /<%@\s{0,9}(Page|Control|Master)\s/gi;
  let [line, before] = [1, 0];
  return [...code.matchAll(opening)].slice(0, MAX_ELEMENTS).flatMap(({ index, 1: element = '' }) => {
    line += code.slice(before, index).split('\n').length - 1;
    before = index;
    const beside = code.slice(index, index + MAX_ELEMENT_CHARACTERS).split('>')[0] ?? '';
    const of = WEB_CONFIG_PATH.test(path) ? element.toLowerCase() : 'pages';
    return [...beside.matchAll(ATTRIBUTE)].map(([, name = '', one, other]) => ({
      name: `${of} ${name.toLowerCase()}`,
      value: one ?? other ?? '',
      line,
      beside,
    }));
  });
}
