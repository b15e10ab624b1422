import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** HIPAA Security Rule: the standards and specifications of 45 CFR 164.308 to 164.316. R: required, A: addressable. */
export const hipaa: Catalogue = {
  id: 'hipaa',
  title: 'HIPAA Security Rule, 45 CFR Part 164 Subpart C',
  edition: '45 CFR 164.308-164.316 (as amended 2013, without what was proposed in January 2025)',
  source: 'https://www.ecfr.gov/current/title-45/subtitle-A/subchapter-C/part-164/subpart-C',
  license: 'Public law of the United States; wording by Magpie',
  spellings: [
    'hipaa security',
    'hipaa security rule',
    '45 cfr 164',
    '45 cfr part 164',
    '45 cfr part 164 subpart c',
  ],
  controls: async () => controlsFrom(CONTROLS),
};

const CONTROLS = `
# 164.308 Administrative safeguards
164.308(a)(1)(i) Security management process: policies prevent, find, contain and correct violations
164.308(a)(1)(ii)(A) Risk analysis of electronic health information (R)
164.308(a)(1)(ii)(B) Risk management: risks are brought down to a fitting level (R)
164.308(a)(1)(ii)(C) Sanction policy for the workforce (R)
164.308(a)(1)(ii)(D) Records of system activity are reviewed regularly (R)
164.308(a)(2) One security official is responsible
164.308(a)(3)(i) Workforce security: only those who should have access do
164.308(a)(3)(ii)(A) Authorisation or supervision of the workforce (A)
164.308(a)(3)(ii)(B) Clearance procedure for the workforce (A)
164.308(a)(3)(ii)(C) Access ends with the work (A)
164.308(a)(4)(i) Information access management: access is authorised by policy
164.308(a)(4)(ii)(A) A clearinghouse within a larger organisation is isolated (R)
164.308(a)(4)(ii)(B) Access is authorised by procedure (A)
164.308(a)(4)(ii)(C) Access is established, reviewed and changed by policy (A)
164.308(a)(5)(i) Security awareness and training for all of the workforce
164.308(a)(5)(ii)(A) Security reminders at times (A)
164.308(a)(5)(ii)(B) Protection from malicious software (A)
164.308(a)(5)(ii)(C) Attempts to log in are watched (A)
164.308(a)(5)(ii)(D) Passwords are made, changed and kept safe (A)
164.308(a)(6)(i) Security incident procedures
164.308(a)(6)(ii) Incidents are answered, mitigated and written down (R)
164.308(a)(7)(i) Contingency plan for emergencies
164.308(a)(7)(ii)(A) Data backup plan (R)
164.308(a)(7)(ii)(B) Disaster recovery plan (R)
164.308(a)(7)(ii)(C) Emergency mode operation plan (R)
164.308(a)(7)(ii)(D) Contingency plans are tested and revised (A)
164.308(a)(7)(ii)(E) How critical applications and data are is analysed (A)
164.308(a)(8) Evaluation, technical and other, at times and after changes
164.308(b)(1) Business associates give assurances before they handle health information
164.308(b)(3) The assurances are in a written contract (R)
# 164.310 Physical safeguards
164.310(a)(1) Facility access controls
164.310(a)(2)(i) Facility access in contingency operations (A)
164.310(a)(2)(ii) Facility security plan (A)
164.310(a)(2)(iii) Access control and validation, visitors included (A)
164.310(a)(2)(iv) Maintenance records of the facility (A)
164.310(b) Proper use of workstations and their surroundings
164.310(c) Workstations are secured physically
164.310(d)(1) Device and media controls
164.310(d)(2)(i) Disposal of media (R)
164.310(d)(2)(ii) Re-use of media (R)
164.310(d)(2)(iii) Movements of hardware and media are recorded (A)
164.310(d)(2)(iv) Data are backed up before equipment is moved (A)
# 164.312 Technical safeguards
164.312(a)(1) Access control: only those with rights have access
164.312(a)(2)(i) Each user has a unique name or number (R)
164.312(a)(2)(ii) Emergency access procedure (R)
164.312(a)(2)(iii) Sessions end by themselves after inactivity (A)
164.312(a)(2)(iv) Health information is encrypted and decrypted (A)
164.312(b) Audit controls record and examine activity
164.312(c)(1) Integrity: health information is not altered or destroyed improperly
164.312(c)(2) Mechanism to show that it has not been (A)
164.312(d) Persons and entities are authenticated
164.312(e)(1) Transmission security
164.312(e)(2)(i) Integrity controls in transmission (A)
164.312(e)(2)(ii) Encryption in transmission where fitting (A)
# 164.314 Organizational requirements
164.314(a)(1) Business associate contracts or other arrangements
164.314(a)(2)(i) Contracts bind the associate to comply, to its subcontractors' assurances and to report (R)
164.314(a)(2)(ii) Other arrangements that serve in place of a contract (R)
164.314(a)(2)(iii) Contracts of associates with subcontractors (R)
164.314(b)(1) Group health plans: the sponsor safeguards health information
164.314(b)(2) The plan's documents say so (R)
# 164.316 Policies, procedures and documentation
164.316(a) Policies and procedures are reasonable and fitting
164.316(b)(1) They and the required actions are documented
164.316(b)(2)(i) Documentation is kept for six years (R)
164.316(b)(2)(ii) Documentation is at hand for those who need it (R)
164.316(b)(2)(iii) Documentation is reviewed and updated (R)
`;
