import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { parse } from 'csv-parse/sync';

/**
 * Makes the controls of src/compliance/catalogues that ship the words of their publisher, out of four files:
 *
 *     node docs/catalogues.ts <folder>
 *
 * - `nist.tsv`: controls of SP 800-53 Revision 5 as NIST distributes them, by way of
 *   center-for-threat-informed-defense/attack-control-framework-mappings, data/controls/nist800-53-r5-controls.tsv
 * - `csf.xml`: CSF 2.0 in OSCAL, usnistgov/oscal-content, src/nist.gov/CSF/v2.0/xml/NIST_CSF_v2.0_catalog.xml
 * - `ssdf.json`: SSDF 1.1 in OSCAL, usnistgov/oscal-content, nist.gov/SP800-218/ver1/json/NIST_SP800-218_ver1_catalog.json
 * - `asvs.json`: OWASP/ASVS, 5.0/docs_en/OWASP_Application_Security_Verification_Standard_5.0.0_en.flat.json
 */
const [folder = '.'] = process.argv.slice(2);
const out = new URL('../src/compliance/catalogues/controls/', import.meta.url);

interface Control {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly group: string;
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function write(name: string, controls: readonly Control[]): void {
  const lines = controls.map((control) => JSON.stringify(control));
  writeFileSync(new URL(name, out), `[\n${lines.join(',\n')}\n]\n`);
}

const FAMILIES: Readonly<Record<string, string>> = {
  AC: 'Access Control',
  AT: 'Awareness and Training',
  AU: 'Audit and Accountability',
  CA: 'Assessment, Authorization, and Monitoring',
  CM: 'Configuration Management',
  CP: 'Contingency Planning',
  IA: 'Identification and Authentication',
  IR: 'Incident Response',
  MA: 'Maintenance',
  MP: 'Media Protection',
  PE: 'Physical and Environmental Protection',
  PL: 'Planning',
  PM: 'Program Management',
  PS: 'Personnel Security',
  PT: 'Personally Identifiable Information Processing and Transparency',
  RA: 'Risk Assessment',
  SA: 'System and Services Acquisition',
  SC: 'System and Communications Protection',
  SI: 'System and Information Integrity',
  SR: 'Supply Chain Risk Management',
};

/** What stands in place of a withdrawn control's words. */
const WITHDRAWN = /^$|^Addressed through tailoring|^Technology-specific/;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function sp80053(): Control[] {
  const rows: string[][] = parse(read('nist.tsv'), { delimiter: '\t', from_line: 2, relax_quotes: true });
  return rows
    .map(([id = '', title = '', text = '']) => ({
      id: id.trim(),
      // A dash was lost on the way.
      title: oneLine(title).replace(" ' ", ' — '),
      text: oneLine(text),
      group: FAMILIES[id.slice(0, 2)] ?? '',
    }))
    .filter(({ id, text }) => id !== '' && !WITHDRAWN.test(text));
}

function csf(): Control[] {
  const $ = load(read('csf.xml'), { xml: true });
  return (
    $('control[class="subcategory"]')
      .toArray()
      // Subcategories of version 1.1 that have gone are there too, without examples.
      .filter((node) => $(node).children('prop[name="risk-party"], part[name="example"]').length > 0)
      .map((node) => {
        const category = $(node).parent('control');
        const text = oneLine($(node).children('part[name="statement"]').text());
        const called = oneLine(category.children('title').text());
        const id = $(node).attr('id') ?? '';
        return { id, title: text, group: `${called} (${id.slice(0, 5)})` };
      })
      .filter(({ title }) => title !== '')
  );
}

interface Requirement {
  readonly req_id: string;
  readonly req_description: string;
  readonly chapter_name: string;
  readonly section_name: string;
  readonly L: string;
}

function asvs(): Control[] {
  const { requirements } = JSON.parse(read('asvs.json')) as { requirements: readonly Requirement[] };
  return requirements.map(({ req_id, req_description, chapter_name, section_name, L }) => ({
    id: req_id,
    title: oneLine(req_description),
    group: `${chapter_name}: ${section_name} (level ${L})`,
  }));
}

interface PracticeGroup {
  readonly controls: readonly {
    readonly id: string;
    readonly title: string;
    readonly controls: readonly { readonly id: string; readonly parts: readonly Part[] }[];
  }[];
}

interface Part {
  readonly name: string;
  readonly prose: string;
}

/** Tasks that have moved end with the number that they had before, which is left out. */
const FORMER_NUMBER = / ?[.[]Formerly [A-Z]{2}\.\d\.\d\]?$/;

function ssdf(): Control[] {
  const { catalog } = JSON.parse(read('ssdf.json')) as { catalog: { groups: readonly PracticeGroup[] } };
  return catalog.groups.flatMap(({ controls: practices }) =>
    practices.flatMap(({ id: practice, title: called, controls: tasks }) =>
      tasks.map(({ id, parts }) => {
        const text = parts.find(({ name }) => name === 'statement')?.prose ?? '';
        // NIST's file has lost the brackets of notes.
        const title = oneLine(text).replace(FORMER_NUMBER, '').replace(' .SBOM)', ' [SBOM])');
        return { id, title, group: `${called} (${practice})` };
      }),
    ),
  );
}

write('nist-800-53.json', sp80053());
write('nist-ssdf.json', ssdf());
write('nist-csf.json', csf());
write('owasp-asvs.json', asvs());
