import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** ISO/IEC 27001:2022, Annex A: the 93 controls by number, in our own words; ISO's text is not free. */
export const iso27001: Catalogue = {
  id: 'iso-27001',
  title: 'ISO/IEC 27001 Annex A',
  edition: '2022',
  source: 'https://www.iso.org/standard/27001',
  license: 'Control numbers of ISO/IEC 27001:2022; all wording by Magpie, none by ISO',
  spellings: [
    'iso',
    '27001',
    'iso/iec 27001',
    'iso 27001:2022',
    'iso/iec 27001:2022',
    'iso 27001 annex a',
    'iso/iec 27001:2022 annex a',
    'iso 27002',
    'iso/iec 27002',
    'iso 27002:2022',
    'iso/iec 27002:2022',
    'isms',
  ],
  controls: async () => controlsFrom(CONTROLS),
};

const CONTROLS = `
# Organisational controls
A.5.1 Security policies are written, approved by management, made known and reviewed at times
A.5.2 Security roles and duties are given to named people
A.5.3 Duties that would let one person misuse assets are split
A.5.4 Management asks everyone to keep to the security policies
A.5.5 Contact with the authorities in charge is kept
A.5.6 Contact with special security groups and associations is kept
A.5.7 Information on threats is gathered and analysed
A.5.8 Security is part of how projects are run
A.5.9 Information and what belongs to it stand in an inventory with owners
A.5.10 Rules for using and handling information and assets are set
A.5.11 Assets are given back when people leave or change
A.5.12 Information is classified by how much protection it needs
A.5.13 Information is labelled by its class
A.5.14 Information is protected on its way, inside and outside
A.5.15 Access is controlled by rules that follow the need
A.5.16 Identities are managed through their whole life
A.5.17 Passwords and other authentication information are given out and handled safely
A.5.18 Access rights are granted, reviewed, changed and taken away by rule
A.5.19 Risks from suppliers are managed
A.5.20 Security is agreed with each supplier
A.5.21 Security of the chain of IT products and services is managed
A.5.22 Services of suppliers are watched, reviewed and changed under control
A.5.23 Cloud services are taken, used, managed and left with security in mind
A.5.24 Incident handling is planned, with roles and duties
A.5.25 Events are judged, and those that are incidents are named so
A.5.26 Incidents are answered as planned
A.5.27 Incidents are learned from
A.5.28 Evidence of incidents is collected and kept properly
A.5.29 Security holds during disruption
A.5.30 IT is ready for continuity, planned and tested
A.5.31 Legal and contractual duties are known and kept to
A.5.32 Rights to intellectual property are respected
A.5.33 Records are protected from loss, forgery and foreign eyes
A.5.34 Personal information and privacy are protected as law asks
A.5.35 Security is reviewed independently at planned times
A.5.36 Keeping to the organisation's own policies and standards is checked regularly
A.5.37 Operating procedures are written down and at hand
# People controls
A.6.1 People are screened before and during their work as law allows
A.6.2 Contracts state what people and organisation owe to security
A.6.3 People are made aware and trained
A.6.4 Breaking security rules has consequences that are known
A.6.5 Duties that last after the end of work are defined and kept
A.6.6 Confidentiality is agreed in writing
A.6.7 Working from elsewhere is protected
A.6.8 People have a way to report security events quickly
# Physical controls
A.7.1 Areas with information are bounded
A.7.2 Entry to secure areas is controlled
A.7.3 Rooms and buildings where people work are secured
A.7.4 Premises are watched for unauthorised entry
A.7.5 Protection from physical and natural threats is in place
A.7.6 Work in secure areas follows rules
A.7.7 Desks are cleared and screens locked
A.7.8 Equipment stands where it is protected
A.7.9 Assets outside the premises are protected
A.7.10 Storage media are managed from purchase to disposal
A.7.11 Failures of power and other utilities are provided for
A.7.12 Cables are protected
A.7.13 Equipment is maintained properly
A.7.14 Equipment is wiped before it is disposed of or used again
# Technological controls
A.8.1 Information on devices of users is protected
A.8.2 Privileged rights are few and managed
A.8.3 Access to information and functions is restricted by rule
A.8.4 Access to source code and tools is managed
A.8.5 Authentication is secure and fits what it protects
A.8.6 Capacity is watched and adjusted
A.8.7 Protection from malware is in place
A.8.8 Technical vulnerabilities are learned of, judged and dealt with
A.8.9 Configurations are set, written down, applied and watched
A.8.10 Information is deleted when it is no longer needed
A.8.11 Data are masked where rules or law ask for it
A.8.12 Leaking of data is prevented
A.8.13 Backups are made, kept and tested
A.8.14 Processing has enough redundancy
A.8.15 Activities are logged, and logs are kept safe and analysed
A.8.16 Networks, systems and applications are watched for anomalies
A.8.17 Clocks are synchronised to one source
A.8.18 Powerful utility programs are restricted
A.8.19 Installing software on systems in use is controlled
A.8.20 Networks are secured and managed
A.8.21 Network services have their security defined and watched
A.8.22 Networks are separated by groups
A.8.23 Access to harmful websites is filtered
A.8.24 Cryptography and its keys are used by rule
A.8.25 Software is developed by secure rules throughout
A.8.26 Security requirements of applications are set and approved
A.8.27 Systems are built by secure engineering principles
A.8.28 Code is written by secure principles
A.8.29 Security is tested during development and before acceptance
A.8.30 Outsourced development is directed and reviewed
A.8.31 Development, test and production are apart
A.8.32 Changes follow a procedure
A.8.33 Test information is chosen and protected
A.8.34 Audit tests of systems in use are planned and agreed
`;
