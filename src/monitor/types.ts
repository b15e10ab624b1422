/** What tools, flows, commands and the server know of this room: types alone. */

export type { CreateMonitorOptions, Monitor, MonitorEvents, WantedOptions } from './monitor.ts';
