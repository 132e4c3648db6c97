import { createRequire } from 'node:module';

// `import` reads every property of a module, and one of http's loads a complete WebSocket client: measured 12 MB and 15
// ms. TLS costs 6 MB and 6 ms if it is used. VS Code adds its proxy and certificate support to these same objects.
const load = createRequire(import.meta.url);

/** Returns Node's http or https for `protocol` ("http:" or "https:"), loaded on first use. */
export const httpFor = (protocol: string): typeof import('node:http') =>
  load(protocol === 'https:' ? 'node:https' : 'node:http') as typeof import('node:http');
