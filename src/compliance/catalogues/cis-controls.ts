import type { Catalogue } from '../catalogue.ts';
import { controlsFrom } from './lines.ts';

/** CIS Critical Security Controls: the 153 safeguards by number, in our own words; the text of CIS is not ours to ship. */
export const cisControls: Catalogue = {
  id: 'cis-controls',
  title: 'CIS Critical Security Controls',
  edition: '8.1 (June 2024)',
  source: 'https://www.cisecurity.org/controls/v8-1',
  license: 'Safeguard numbers of the Center for Internet Security; all wording by Magpie, none by CIS',
  spellings: [
    'cis',
    'cis v8',
    'cis v8.1',
    'cis controls v8',
    'cis controls v8.1',
    'cis critical security controls v8',
    'cis critical security controls v8.1',
    'cis csc',
    'cis 18',
    'cis top 18',
  ],
  controls: async () => controlsFrom(CONTROLS),
};

const CONTROLS = `
# 1 Enterprise assets
1.1 A detailed inventory of enterprise assets is kept
1.2 Unauthorised assets are dealt with
1.3 An active tool discovers assets on the network
1.4 Address logs update the inventory of assets
1.5 A passive tool discovers assets on the network
# 2 Software assets
2.1 An inventory of licensed software is kept
2.2 Only software that is still supported is authorised
2.3 Unauthorised software is removed or made an exception
2.4 Tools keep the software inventory
2.5 Only listed software can run
2.6 Only listed libraries can load
2.7 Only listed scripts can run
# 3 Data protection
3.1 Data are managed by a process with owners, limits and disposal
3.2 An inventory of data is kept
3.3 Lists of access to data follow the need to know
3.4 Data are kept as long as rules say
3.5 Data are disposed of safely
3.6 Data on devices of users are encrypted
3.7 A scheme classifies data
3.8 Flows of data are written down
3.9 Data on removable media are encrypted
3.10 Sensitive data are encrypted on their way
3.11 Sensitive data are encrypted at rest
3.12 Processing and storage are separated by sensitivity
3.13 A tool prevents loss of data
3.14 Access to sensitive data is logged
# 4 Secure configuration
4.1 Assets and software are configured by a secure process
4.2 Network devices are configured by a secure process
4.3 Sessions lock themselves
4.4 Servers have a firewall
4.5 Devices of users have a firewall
4.6 Assets and software are administered over secure ways
4.7 Default accounts are managed
4.8 Services that are not needed are removed or switched off
4.9 Assets use trusted DNS servers
4.10 Portable devices lock after failed attempts
4.11 Portable devices can be wiped from afar
4.12 Work and private use are apart on mobile devices
# 5 Accounts
5.1 An inventory of accounts is kept
5.2 Each account has a password of its own
5.3 Accounts that are not used are switched off
5.4 Administrators have accounts of their own for that
5.5 An inventory of service accounts is kept
5.6 Accounts are managed centrally
# 6 Access
6.1 Access is granted by a process
6.2 Access is taken away by a process
6.3 Applications open to outside ask for a second factor
6.4 Remote network access asks for a second factor
6.5 Administrative access asks for a second factor
6.6 An inventory of systems for authentication is kept
6.7 Access control is central
6.8 Access follows roles
# 7 Vulnerabilities
7.1 Vulnerabilities are managed by a written process
7.2 Fixing follows a written process by risk
7.3 Operating systems are patched automatically
7.4 Applications are patched automatically
7.5 Internal assets are scanned for vulnerabilities
7.6 Assets open to outside are scanned for vulnerabilities
7.7 Vulnerabilities that were found are fixed
# 8 Audit logs
8.1 Logging follows a written process
8.2 Audit logs are collected
8.3 Logs have enough storage
8.4 Clocks are synchronised
8.5 Logs have enough detail
8.6 Queries of DNS are logged
8.7 Requests of URLs are logged
8.8 Command lines are logged
8.9 Logs are gathered in one place
8.10 Logs are kept for 90 days or more
8.11 Logs are reviewed weekly or more often
8.12 Logs of service providers are collected
# 9 E-mail and browsers
9.1 Only supported browsers and mail clients are used
9.2 Malicious domains are blocked by DNS filtering
9.3 Addresses are filtered on the network
9.4 Extensions of browsers and mail clients are restricted
9.5 The domain's mail is protected by DMARC
9.6 Needless types of attachments are blocked
9.7 Mail servers are protected from malware
# 10 Malware
10.1 Software against malware runs everywhere
10.2 Its signatures are updated automatically
10.3 Nothing starts by itself from removable media
10.4 Removable media are scanned automatically
10.5 Protection from exploits is switched on
10.6 Software against malware is managed centrally
10.7 It goes by behaviour too
# 11 Recovery
11.1 Data recovery follows a written process
11.2 Backups run automatically
11.3 Data for recovery are protected as the originals are
11.4 One copy for recovery is isolated
11.5 Recovery is tested
# 12 Network infrastructure
12.1 Network infrastructure is up to date
12.2 The network is built securely: segments, least privilege, availability
12.3 Network infrastructure is managed securely
12.4 Diagrams of the architecture are kept
12.5 Network authentication, authorisation and accounting are central
12.6 Management and communication use secure protocols
12.7 Remote devices connect through a VPN and authentication
12.8 Administrative work has machines of its own
# 13 Network monitoring
13.1 Security events are alerted on in one place
13.2 Hosts have intrusion detection
13.3 Networks have intrusion detection
13.4 Traffic between segments is filtered
13.5 Remote assets are controlled by their state
13.6 Logs of network flows are collected
13.7 Hosts have intrusion prevention
13.8 Networks have intrusion prevention
13.9 Ports admit known devices only
13.10 Filtering works at the application layer
13.11 Thresholds of alerts are tuned
# 14 Awareness and skills
14.1 A security awareness programme runs
14.2 People are trained to recognise social engineering
14.3 People are trained in authentication
14.4 People are trained in handling data
14.5 People are trained in how data get out by mistake
14.6 People are trained to recognise and report incidents
14.7 People are trained to see missing updates
14.8 People are trained in the dangers of insecure networks
14.9 Training fits each role
# 15 Service providers
15.1 An inventory of service providers is kept
15.2 A policy manages service providers
15.3 Service providers are classified
15.4 Contracts with service providers ask for security
15.5 Service providers are assessed
15.6 Service providers are watched
15.7 Service providers are left securely
# 16 Application software
16.1 Software is developed by a secure, written process
16.2 Reports of vulnerabilities are taken in and dealt with
16.3 The causes of vulnerabilities are analysed
16.4 An inventory of third-party components is kept
16.5 Third-party components are current and trusted
16.6 Vulnerabilities are rated by severity
16.7 Hardening templates are used for infrastructure
16.8 Production and other systems are apart
16.9 Developers are trained in secure code
16.10 Designs follow secure principles
16.11 Vetted modules serve for identity, encryption and logging
16.12 Code is checked by static and dynamic analysis
16.13 Applications are penetration-tested
16.14 Threats are modelled
# 17 Incident response
17.1 People are named to handle incidents
17.2 Contacts for reporting incidents are kept
17.3 How to report incidents is written and known
17.4 How incidents are answered is written
17.5 Roles in incidents are given out
17.6 Ways to communicate in incidents are set
17.7 Incident response is exercised
17.8 Incidents are reviewed afterwards
17.9 Thresholds say what is an incident
# 18 Penetration tests
18.1 A penetration testing programme runs
18.2 External penetration tests are done at times
18.3 Findings of penetration tests are fixed
18.4 Security measures are validated after each test
18.5 Internal penetration tests are done at times
`;
