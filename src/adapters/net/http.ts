import { createRequire } from 'node:module';

// `import` reads every property of a module, and one of http's brings a whole WebSocket client: measured,
// 12 MB and 15 ms. TLS is 6 MB and 6 ms for those who speak it. These are the very objects to which VS
// Code adds its proxy and certificate support.
const load = createRequire(import.meta.url);

/** Node's http or https, whichever speaks `protocol` ("http:" or "https:"), loaded on first use. */
export const httpFor = (protocol: string): typeof import('node:http') =>
  load(protocol === 'https:' ? 'node:https' : 'node:http') as typeof import('node:http');
