import { apify } from '../../../src/automation/platforms/apify.ts';
import { make } from '../../../src/automation/platforms/make.ts';
import { n8n } from '../../../src/automation/platforms/n8n.ts';
import { testPlatform } from '../../contracts/automation-platform.ts';
import { ACCOUNT, besideTasks, startApify } from '../apify-site.ts';
import { startMake, TEAM } from '../make-site.ts';
import { PROJECT, startN8n } from '../n8n-site.ts';

testPlatform({
  name: 'make',
  start: startMake,
  driver: make,
  team: TEAM,
  unknownTeam: '99999',
  evaluates: () => true,
  crowd: ({ made }) => {
    const others = Array.from({ length: 250 }, (_, i) => ({
      id: i + 1,
      name: `Other ${i}`,
      teamId: 4321,
      isActive: true,
    }));
    made.unshift(...others);
  },
});

testPlatform({
  name: 'n8n',
  start: startN8n,
  driver: n8n,
  team: PROJECT,
  unknownTeam: 'NoSuchProject',
  evaluates: (text) => text.startsWith('=') && !text.includes('[magpie'),
  crowd: ({ made }) => {
    const others = Array.from({ length: 250 }, (_, i) => ({
      id: `o${i}`,
      name: `Other ${i}`,
      active: true,
      isArchived: false,
    }));
    made.unshift(...others);
  },
});

testPlatform({
  name: 'apify',
  start: startApify,
  driver: (url) => apify(url, 'https://console.apify.com'),
  team: ACCOUNT.username,
  unknownTeam: 'somebody-else',
  evaluates: (text) => text.includes('{{resource') || text.startsWith('https://hooks'),
  crowd: (site) => {
    const others = Array.from({ length: 2500 }, (_, i) => ({
      id: `o${i}`,
      name: `other-${i}`,
      isEnabled: true,
    }));
    besideTasks(site).schedules.unshift(...others);
  },
});
