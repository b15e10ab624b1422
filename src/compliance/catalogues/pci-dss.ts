import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';
import { PCI_DSS_APPENDICES } from './pci-dss-appendices.ts';

/** PCI DSS: every defined requirement by number, appendices included, in our own words; the Council's text is not free. */
export const pciDss: Catalogue = {
  id: 'pci-dss',
  title: 'Payment Card Industry Data Security Standard',
  edition: '4.0.1 (June 2024)',
  source: 'https://www.pcisecuritystandards.org/document_library/',
  license:
    'Requirement numbers of the PCI Security Standards Council; all wording by Magpie, none by the Council',
  spellings: ['pci', 'pci 4', 'pci 4.0', 'pci 4.0.1', 'pci dss 4', 'pci dss 4.0', 'pci dss 4.0.1'],
  controls: async () => controlsFrom(`${CONTROLS}${PCI_DSS_APPENDICES}`),
};

const CONTROLS = `
# 1 Network security controls
1.1.1 Policies and procedures of requirement 1 are written, current, in use and known
1.1.2 Roles for requirement 1 are given out and understood
1.2.1 Rules of network security controls have a configuration standard
1.2.2 Changes of networks and their controls are managed as changes
1.2.3 A diagram shows the networks of card data
1.2.4 A diagram shows how account data flow
1.2.5 Services, protocols and ports are listed, approved and needed
1.2.6 Insecure services and protocols are made safe
1.2.7 Network rules are reviewed every six months
1.2.8 Configuration files of network controls are secured and match what runs
1.3.1 Traffic into the card environment is restricted
1.3.2 Traffic out of the card environment is restricted
1.3.3 Wireless networks are kept apart from the card environment
1.4.1 Controls stand where a trusted network meets one that is not
1.4.2 What comes in from networks that are not trusted is limited
1.4.3 Forged source addresses are stopped
1.4.4 Systems that store card data are not reached from untrusted networks
1.4.5 Internal addresses and routes are shown to authorised parties only
1.5.1 Devices that are now in the card environment, now in other networks, are protected
# 2 Secure configurations
2.1.1 Policies and procedures of requirement 2 are written, current, in use and known
2.1.2 Roles for requirement 2 are given out and understood
2.2.1 Configuration standards cover all system components
2.2.2 Default accounts of vendors are managed
2.2.3 Functions of differing security are apart
2.2.4 Only needed services, protocols and functions are on
2.2.5 Insecure services that are needed are justified and made safer
2.2.6 Security settings prevent misuse
2.2.7 Administrative access is encrypted
2.3.1 Wireless defaults are changed
2.3.2 Wireless keys are changed when they may be known
# 3 Stored account data
3.1.1 Policies and procedures of requirement 3 are written, current, in use and known
3.1.2 Roles for requirement 3 are given out and understood
3.2.1 Account data are stored as little and as briefly as possible
3.3.1 Sensitive authentication data are not kept after authorisation
3.3.1.1 Track contents are not kept
3.3.1.2 Verification codes of cards are not kept
3.3.1.3 The PIN and its block are not kept
3.3.2 Sensitive authentication data kept before authorisation are encrypted
3.3.3 Issuers keep sensitive authentication data only as needed, and encrypted
3.4.1 The card number is masked when shown
3.4.2 The card number cannot be copied over remote access
3.5.1 Stored card numbers cannot be read
3.5.1.1 Hashes of card numbers are keyed
3.5.1.2 Disk encryption alone serves for removable media only
3.5.1.3 Disk encryption has access of its own
3.6.1 Keys that protect stored data are protected
3.6.1.1 Service providers describe their cryptography
3.6.1.2 Keys are stored in a safe form
3.6.1.3 Few custodians have access to keys
3.6.1.4 Keys are kept in few places
3.7.1 Strong keys are made
3.7.2 Keys are distributed safely
3.7.3 Keys are stored safely
3.7.4 Keys are changed at the end of their period
3.7.5 Keys are retired, replaced or destroyed when weak or known
3.7.6 Manual key operations need split knowledge
3.7.7 Keys cannot be replaced without authority
3.7.8 Custodians acknowledge their duties
3.7.9 Service providers guide customers on keys
# 4 Transmission of card data
4.1.1 Policies and procedures of requirement 4 are written, current, in use and known
4.1.2 Roles for requirement 4 are given out and understood
4.2.1 Strong cryptography protects card numbers over open networks
4.2.1.1 An inventory of trusted keys and certificates is kept
4.2.1.2 Wireless networks with card data use strong cryptography
4.2.2 Card numbers in messages of users are protected
# 5 Malicious software
5.1.1 Policies and procedures of requirement 5 are written, current, in use and known
5.1.2 Roles for requirement 5 are given out and understood
5.2.1 A solution against malware runs on all systems at risk
5.2.2 It finds and removes or blocks all known kinds
5.2.3 Systems not at risk are evaluated at times
5.2.3.1 How often follows a risk analysis
5.3.1 The solution is kept current
5.3.2 It scans, or watches behaviour
5.3.2.1 How often it scans follows a risk analysis
5.3.3 Removable media are scanned
5.3.4 Its logs are on and kept
5.3.5 Users cannot switch it off
5.4.1 People are protected from phishing by technique
# 6 Systems and software
6.1.1 Policies and procedures of requirement 6 are written, current, in use and known
6.1.2 Roles for requirement 6 are given out and understood
6.2.1 Own software is developed securely
6.2.2 Developers are trained each year
6.2.3 Own code is reviewed before release
6.2.3.1 Manual reviews are done by someone else, and approved
6.2.4 Common attacks on software are prevented by technique
6.3.1 Vulnerabilities are found, ranked and managed
6.3.2 An inventory of own software and its components is kept
6.3.3 Known vulnerabilities are patched in time
6.4.1 Public web applications are protected from new attacks
6.4.2 An automatic solution detects and prevents web attacks
6.4.3 Scripts of payment pages are authorised, whole and listed
6.5.1 Changes follow a procedure
6.5.2 After large changes all requirements are checked again
6.5.3 Development and production are apart
6.5.4 Roles are split between production and the rest
6.5.5 Real card numbers are not used outside production
6.5.6 Test data and accounts are removed before production
# 7 Access by need
7.1.1 Policies and procedures of requirement 7 are written, current, in use and known
7.1.2 Roles for requirement 7 are given out and understood
7.2.1 How access is decided is defined as a model
7.2.2 Access follows role and least privilege
7.2.3 Privileges are approved
7.2.4 User accounts are reviewed every six months
7.2.5 Application accounts have least privilege
7.2.5.1 Access of application accounts is reviewed
7.2.6 Queries of stored card data go through applications by role
7.3.1 An access control system restricts by need
7.3.2 It enforces permissions by role
7.3.3 It denies by default
# 8 Identification and authentication
8.1.1 Policies and procedures of requirement 8 are written, current, in use and known
8.1.2 Roles for requirement 8 are given out and understood
8.2.1 Each user has an id of their own
8.2.2 Shared accounts are exceptions under control
8.2.3 Service providers use different credentials for each customer
8.2.4 Changes of ids and credentials are managed
8.2.5 Access ends at once for those who leave
8.2.6 Accounts unused for 90 days are removed
8.2.7 Access of third parties is on only when needed, and watched
8.2.8 Sessions end after 15 minutes without activity
8.3.1 Every access is authenticated by a factor
8.3.2 Factors are unreadable when stored and sent
8.3.3 Identity is verified before a factor is changed
8.3.4 Accounts lock after ten failures
8.3.5 First passwords are unique and changed at once
8.3.6 Passwords have 12 characters or more
8.3.7 The last four passwords are not used again
8.3.8 Users are instructed how to protect their factors
8.3.9 Passwords used alone change every 90 days, or access is judged continuously
8.3.10 Customers of service providers are informed about passwords
8.3.10.1 Customers' passwords change every 90 days, or access is judged
8.3.11 Tokens, cards and certificates belong to one user
8.4.1 Administrators use more than one factor
8.4.2 All access to the card environment uses more than one factor
8.4.3 Remote access uses more than one factor
8.5.1 The system for several factors cannot be bypassed or replayed
8.6.1 Interactive use of system accounts is an exception under control
8.6.2 Passwords of application accounts are not in code or files
8.6.3 Passwords of application accounts are changed and strong
# 9 Physical access
9.1.1 Policies and procedures of requirement 9 are written, current, in use and known
9.1.2 Roles for requirement 9 are given out and understood
9.2.1 Entry to facilities with card data is controlled
9.2.1.1 Sensitive areas are watched by cameras or controls
9.2.2 Network jacks in public are restricted
9.2.3 Network hardware is restricted physically
9.2.4 Consoles in sensitive areas are locked
9.3.1 Entry of personnel is authorised and managed
9.3.1.1 Entry of personnel to sensitive areas is controlled
9.3.2 Visitors are authorised and accompanied
9.3.3 Badges of visitors end in time
9.3.4 A log of visitors is kept
9.4.1 Media with card data are secured physically
9.4.1.1 Backups lie in a secure place
9.4.1.2 That place is reviewed each year
9.4.2 Media are classified
9.4.3 Media are sent securely and tracked
9.4.4 Management approves moving media
9.4.5 An inventory of electronic media is kept
9.4.5.1 The inventory is checked each year
9.4.6 Paper is destroyed when not needed
9.4.7 Electronic media are destroyed when not needed
9.5.1 Devices that read cards are protected from tampering
9.5.1.1 A list of such devices is kept
9.5.1.2 The devices are inspected at times
9.5.1.2.1 How often follows a risk analysis
9.5.1.3 People at the devices are trained
# 10 Logs
10.1.1 Policies and procedures of requirement 10 are written, current, in use and known
10.1.2 Roles for requirement 10 are given out and understood
10.2.1 Audit logs are on
10.2.1.1 Access to card data is logged
10.2.1.2 Acts of administrators are logged
10.2.1.3 Access to logs is logged
10.2.1.4 Failed access is logged
10.2.1.5 Changes of credentials are logged
10.2.1.6 Starting and stopping logs is logged
10.2.1.7 Making and deleting system objects is logged
10.2.2 Logs have who, what, when, where and how it ended
10.3.1 Logs are read by those who need to
10.3.2 Logs cannot be changed
10.3.3 Logs are copied to a safe place at once
10.3.4 Changes of logs raise alerts
10.4.1 Important logs are reviewed each day
10.4.1.1 The review is automatic
10.4.2 Other logs are reviewed at times
10.4.2.1 How often follows a risk analysis
10.4.3 What is odd in logs is followed up
10.5.1 Logs are kept for a year, three months at hand
10.6.1 Clocks are synchronised
10.6.2 Time comes from designated sources
10.6.3 Time settings are protected
10.7.1 Service providers notice failures of critical controls
10.7.2 Failures of critical controls are noticed and acted on
10.7.3 Failures of critical controls are answered promptly
# 11 Tests
11.1.1 Policies and procedures of requirement 11 are written, current, in use and known
11.1.2 Roles for requirement 11 are given out and understood
11.2.1 Wireless access points are searched for every three months
11.2.2 An inventory of authorised wireless access points is kept
11.3.1 Internal vulnerability scans run every three months
11.3.1.1 Lesser vulnerabilities are dealt with by risk
11.3.1.2 Internal scans are authenticated
11.3.1.3 Internal scans run after large changes
11.3.2 External scans by an approved vendor run every three months
11.3.2.1 External scans run after large changes
11.4.1 A penetration testing method is defined
11.4.2 Internal penetration tests run each year
11.4.3 External penetration tests run each year
11.4.4 Weaknesses found are corrected and tested again
11.4.5 Segmentation is tested each year
11.4.6 Service providers test segmentation every six months
11.4.7 Multi-tenant providers support their customers' tests
11.5.1 Intrusions are detected or prevented
11.5.1.1 Service providers detect covert channels of malware
11.5.2 Changes of critical files are detected
11.6.1 Changes of payment pages are detected
# 12 Policies and programmes
12.1.1 An information security policy is published
12.1.2 The policy is reviewed each year
12.1.3 The policy says who does what
12.1.4 An executive is responsible for security
12.2.1 Rules for use of technology are written
12.3.1 Targeted risk analyses are documented
12.3.2 A risk analysis stands behind each customised approach
12.3.3 Cipher suites and protocols are reviewed each year
12.3.4 Hardware and software are reviewed each year
12.4.1 Service providers' executives own the programme
12.4.2 Service providers check every three months that tasks are done
12.4.2.1 Those checks are documented
12.5.1 An inventory of components in scope is kept
12.5.2 Scope is confirmed each year
12.5.2.1 Service providers confirm scope every six months
12.5.3 Service providers review changes of their organisation
12.6.1 An awareness programme runs
12.6.2 The programme is reviewed each year
12.6.3 People are trained on hire and each year
12.6.3.1 Training covers phishing and social engineering
12.6.3.2 Training covers use of technology
12.7.1 People are screened before they get access
12.8.1 A list of third-party providers is kept
12.8.2 Agreements with providers are in writing
12.8.3 Providers are chosen with due care
12.8.4 Providers' compliance is watched each year
12.8.5 Who does which requirement is recorded
12.9.1 Service providers acknowledge their duty in writing
12.9.2 Service providers support customers' questions
12.10.1 An incident response plan is ready
12.10.2 The plan is reviewed and tested each year
12.10.3 People are available at all hours
12.10.4 Responders are trained
12.10.4.1 How often follows a risk analysis
12.10.5 The plan covers alerts of monitoring systems
12.10.6 The plan is improved by what is learned
12.10.7 Finding card numbers where they should not be is answered
`;
