import * as oscal from './oscal.ts';
import type { ReportData } from './report.ts';

/** A control without findings is not known to be implemented. What fails is in the plan of action. */
const IMPLEMENTED: ReadonlySet<string> = new Set(['pass', 'attested']);

/** Writes what was checked as one component, with the controls that it implements by what was seen. */
export async function writeOscalComponent(matter: ReportData): Promise<string> {
  const { id, scope, subjects, standards } = matter.assessment;
  const uuid = (what: string) => oscal.computeOscalUuid(id, `component ${what}`);
  const implementations = standards.map(({ standard, controls }) => ({
    uuid: uuid(`standard ${standard.id}`),
    source: standard.source,
    description: oscal.formatOscalLine(`${standard.title}, ${standard.edition}`),
    'implemented-requirements': controls
      .filter(({ status }) => IMPLEMENTED.has(status))
      .map((control) => ({
        uuid: uuid(`control ${standard.id} ${control.id}`),
        'control-id': oscal.formatOscalControl(standard.id, control.id),
        description: oscal.formatOscalLine(control.reason),
        props: [oscal.createOscalProp('label', control.id), oscal.createOscalProp('status', control.status)],
      })),
  }));
  const component = {
    ...oscal.describeOscal(uuid(`scope ${scope}`), scope, oscal.listOscalSubjects(subjects)),
    type: subjects.some(({ kind }) => kind === 'repository') ? 'software' : 'service',
    'control-implementations': implementations.filter((one) => one['implemented-requirements'].length > 0),
  };
  const metadata = oscal.createOscalMetadata(matter, 'Component definition of');
  return oscal.writeOscal({
    'component-definition': { uuid: uuid('definition'), metadata, components: [component] },
  });
}
