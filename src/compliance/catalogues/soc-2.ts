import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** SOC 2: the 61 Trust Services Criteria of 2017, in our own words; the AICPA's text is not free. */
export const soc2: Catalogue = {
  id: 'soc-2',
  title: 'SOC 2 Trust Services Criteria',
  edition: '2017, points of focus revised 2022',
  source:
    'https://www.aicpa-cima.com/resources/download/2017-trust-services-criteria-with-revised-points-of-focus-2022',
  license: 'Criteria numbers of the AICPA; all wording by Magpie, none by the AICPA',
  spellings: [
    'soc',
    'soc ii',
    'soc 2 type 1',
    'soc 2 type i',
    'soc 2 type 2',
    'soc 2 type ii',
    'soc 2 tsc',
    'tsc',
    'trust services criteria',
    'aicpa',
    'aicpa soc 2',
    'aicpa tsc',
  ],
  controls: async () => controlsFrom(CONTROLS),
};

const CONTROLS = `
# CC1 Control environment
CC1.1 The organisation shows that it holds to integrity and ethics
CC1.2 The board is independent of management and oversees controls
CC1.3 Management sets structures, reporting lines and authority
CC1.4 The organisation attracts, develops and keeps able people
CC1.5 People are held to account for their part in controls
# CC2 Communication and information
CC2.1 Good information supports the working of controls
CC2.2 Goals and duties of control are communicated inside the organisation
CC2.3 What affects controls is communicated to those outside
# CC3 Risk assessment
CC3.1 Goals are clear enough to find the risks to them
CC3.2 Risks to the goals are found and analysed
CC3.3 Fraud is considered among the risks
CC3.4 Changes that could much affect controls are found and judged
# CC4 Monitoring
CC4.1 Whether controls are there and work is evaluated, steadily or at times
CC4.2 Weaknesses of controls are reported in time to those who must act
# CC5 Control activities
CC5.1 Control activities are chosen that bring risks down
CC5.2 General controls over technology are chosen
CC5.3 Controls are put to work by policies and procedures
# CC6 Logical and physical access
CC6.1 Software, infrastructure and architecture protect information assets from access by others
CC6.2 Users are registered and authorised before they get credentials, and removed after
CC6.3 Access follows roles, least privilege and split duties
CC6.4 Only those who need it have physical access
CC6.5 Protection of assets ends only when data can no longer be read from them
CC6.6 Threats from outside the system's boundary are kept out
CC6.7 Information is restricted and protected as it is sent, moved or removed
CC6.8 Unauthorised or malicious software is prevented or found
# CC7 System operations
CC7.1 Changes of configuration that bring in vulnerabilities, and new vulnerabilities, are found
CC7.2 Systems are watched for anomalies that may be attacks, disasters or errors
CC7.3 Events are evaluated, and whether they are incidents is decided
CC7.4 Incidents are answered by a defined programme
CC7.5 Recovery from incidents is planned and done
# CC8 Change management
CC8.1 Changes are authorised, designed, tested, approved and put in place
# CC9 Risk mitigation
CC9.1 Risks of business disruption are brought down
CC9.2 Risks from vendors and partners are managed
# A1 Availability
A1.1 Capacity is watched and managed to meet the goals of availability
A1.2 Environment, backup and recovery are designed, run and watched
A1.3 Recovery plans are tested
# C1 Confidentiality
C1.1 Confidential information is known and protected
C1.2 Confidential information is disposed of as promised
# PI1 Processing integrity
PI1.1 Definitions of data and specifications are obtained and communicated
PI1.2 Inputs are controlled to be complete and right
PI1.3 Processing is controlled to give what is specified
PI1.4 Outputs are complete, right, in time and for those they are meant for
PI1.5 Inputs, items in process and outputs are stored completely and rightly
# P Privacy
P1.1 People are informed how their personal information is handled
P2.1 People are informed of their choices, and consent is obtained
P3.1 Personal information is collected as the goals of privacy say
P3.2 Explicit consent is obtained where it is needed
P4.1 Personal information serves only the purposes that were named
P4.2 Personal information is kept no longer than needed
P4.3 Personal information is disposed of safely
P5.1 People can see their personal information
P5.2 People can have it corrected, and those who were given it are notified
P6.1 Personal information goes to others only with consent and for its purpose
P6.2 Authorised disclosures are recorded
P6.3 Unauthorised disclosures are recorded
P6.4 Vendors commit to privacy, and are assessed
P6.5 Vendors commit to report unauthorised disclosures
P6.6 Breaches are reported to those affected and to authorities
P6.7 People get an account of what is held and disclosed on request
P7.1 Personal information is kept right, current and relevant
P8.1 Questions and complaints are dealt with, and keeping to the goals is watched
`;
