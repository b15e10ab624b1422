import type { MonitorCheck } from '../probing/check.ts';
import { certificate } from './certificate.ts';
import { cookies } from './cookies.ts';
import { cors } from './cors.ts';
import { dns } from './dns.ts';
import { headers } from './headers.ts';
import { page } from './page.ts';
import { ports } from './ports.ts';
import { protocol } from './protocol.ts';
import { reachability } from './reachability.ts';
import { redirection } from './redirection.ts';
import { registration } from './registration.ts';
import { repository } from './repository.ts';
import { securityTxt } from './security-txt.ts';

export const checks: readonly MonitorCheck[] = [
  reachability,
  certificate,
  headers,
  cookies,
  protocol,
  redirection,
  cors,
  ports,
  securityTxt,
  dns,
  registration,
  repository,
  page,
];
