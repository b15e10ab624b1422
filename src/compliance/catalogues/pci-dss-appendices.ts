/** Additional requirements of PCI DSS for some kinds of entities, in our own words: lines of pci-dss.ts. */
export const PCI_DSS_APPENDICES = `
# A1 Multi-tenant service providers
A1.1.1 Provider and customers are separated
A1.1.2 Customers reach only their own data
A1.1.3 Customers use only what is theirs
A1.1.4 Separation is tested every six months
A1.2.1 Each customer has logs
A1.2.2 Forensic investigation is supported
A1.2.3 Customers can report incidents and vulnerabilities
# A2 Early TLS at card terminals
A2.1.1 Terminals with SSL or early TLS are shown not to be exploitable
A2.1.2 Their service providers have a plan to move away
A2.1.3 Their service providers offer a secure service
# A3 Designated entities
A3.1.1 Executives own a PCI DSS programme
A3.1.2 A formal programme is in place
A3.1.3 Roles of the programme are given out
A3.1.4 Those responsible are trained each year
A3.2.1 Scope is documented every three months
A3.2.2 Changes are judged for their effect on scope
A3.2.2.1 After changes, requirements are confirmed
A3.2.3 Changes of organisation are reviewed
A3.2.4 Segmentation is tested every six months
A3.2.5 Card data are searched for everywhere
A3.2.5.1 How they are searched for is tested
A3.2.5.2 What is found outside is answered
A3.2.6 Card numbers leaving by wrong ways are detected
A3.2.6.1 Attempts to take them out are answered
A3.3.1 Failures of critical controls are detected
A3.3.1.1 They are answered in time
A3.3.2 Hardware and software are reviewed each year
A3.3.3 Checks of normal work are reviewed every three months
A3.4.1 Accounts and rights are reviewed every six months
A3.5.1 Attack patterns are identified and answered
`;
