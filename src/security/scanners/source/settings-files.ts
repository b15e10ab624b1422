import type { Severity } from '../../../lib/severity.ts';
import type { UnmaskedFinding } from '../../findings/hide.ts';
import type { ScannedFile } from '../../scans/scanner.ts';
import { createLineIndex } from '../../trees/lines.ts';
import { findingOf } from './analyse.ts';
import risky from './risky-settings.json' with { type: 'json' };
import {
  propertiesIn,
  type SettingsProperty,
  SPRING_PROPERTIES_PATH,
  WEB_CONFIG_PATH,
} from './settings-names.ts';
import { keepOnlyLineBreaks, replaceTags } from './templates/tags.ts';

interface RiskySetting {
  /** Lower-case name: `trace enabled` for `<trace enabled="...">` in XML, otherwise the key of a property. */
  readonly name: string;
  readonly value: RegExp;
  readonly rule: string;
  readonly severity: Severity;
}

const compile = (list: (typeof risky)['elements']): readonly RiskySetting[] =>
  list.map(({ value, severity, ...one }) => ({
    ...one,
    value: new RegExp(value, 'i'),
    severity: severity as Severity,
  }));
/** Insecure settings in ASP.NET's `web.config`, or in the `<%@ Page %>` directive of a page. */
const ELEMENTS = compile(risky.elements);
/** Insecure settings of Spring. Some Actuator endpoints reveal settings or memory. `*` exposes all of them. */
const PROPERTIES = compile(risky.properties);

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
