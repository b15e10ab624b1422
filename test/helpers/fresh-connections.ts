import { Agent, setGlobalDispatcher } from 'undici';

/**
 * A connection for each request of a test. Client and server often share a process: where the machine is busy, a kept
 * connection can be closed by one in the moment in which the other uses it, which no test is about.
 */
setGlobalDispatcher(new Agent({ pipelining: 0 }));
