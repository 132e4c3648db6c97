import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { elicitAtTerminal } from '../../../src/cli/consent/mcpConsent';
import { toolContext } from '../../support/toolContext';
import { agreed, fixture, onMachine } from './support';

/** The conformance suite of the Model Context Protocol, which plays the servers and judges the client. */
const suite = path.join(process.env.REPOSITORY!, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const oldestNode = 22;

/** What the suite asks for and Waymark does not do, and why. */
const missing: Readonly<Record<string, string>> = {
  'auth/basic-cimd': 'its document would have to be published at an address of its own',
  'auth/2025-03-26-oauth-metadata-backcompat': 'the issuer of the metadata must be the server that publishes them',
  'auth/client-credentials-jwt': 'a person signs in',
  'auth/client-credentials-basic': 'a person signs in',
  'auth/cross-app-access-complete-flow': 'a person signs in',
};
/** Checks of how much time passes, which depends on the machine. */
const ofTime: ReadonlySet<string> = new Set(['client-sse-retry-timing']);

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly description: string;
  readonly errorMessage?: string;
}

describe('the conformance suite of the Model Context Protocol', () => {
  let results: string;
  let heard: Map<string, string>;

  before(async function () {
    if (Number(process.versions.node.split('.')[0]) < oldestNode) this.skip();
    results = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-conformance-'));
    heard = new Map();
    const relay = http.createServer(async (request, response) => {
      const { scenario, address, context } = JSON.parse(await text(request)) as Parameters<typeof useServer>[0];
      const words = await useServer({ scenario, address, context });
      heard.set(scenario, words);
      response.end(words);
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const { port } = relay.address() as AddressInfo;
    const client = `"${process.execPath}" "${fixture('relayedClient.mjs')}" ${port}`;
    const options = ['client', '--suite', 'all', '--timeout', '60000', '--command', client, '-o', results];
    await new Promise<void>((resolve) => execFile(process.execPath, [suite, ...options], () => resolve()));
    relay.closeAllConnections();
    relay.close();
  });

  after(() => {
    if (results !== undefined) fs.rmSync(results, { recursive: true, force: true });
  });

  /** Returns the checks of a scenario that were not passed. */
  function failedChecks(scenario: string): string[] {
    const [group, name = group] = scenario.split('/');
    const folder = scenario.includes('/') ? path.join(results, group!) : results;
    const own = fs.readdirSync(folder).find((each) => each.replace(/-\d{4}-\d\d-\d\dT.*$/, '') === name);
    assert.ok(own, `${scenario} was not played`);
    const checks = JSON.parse(fs.readFileSync(path.join(folder, own, 'checks.json'), 'utf8')) as Check[];
    assert.ok(checks.length > 0);
    return checks
      .filter(({ id, status }) => (status === 'FAILURE' || status === 'WARNING') && !ofTime.has(id))
      .map(({ description, errorMessage = '' }) => `${description} ${errorMessage} ${heard.get(scenario)}`);
  }

  for (const scenario of [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    'auth/metadata-default',
    'auth/metadata-var1',
    'auth/metadata-var2',
    'auth/metadata-var3',
    'auth/scope-from-www-authenticate',
    'auth/scope-from-scopes-supported',
    'auth/scope-omitted-when-undefined',
    'auth/scope-step-up',
    'auth/scope-retry-limit',
    'auth/token-endpoint-auth-basic',
    'auth/token-endpoint-auth-post',
    'auth/token-endpoint-auth-none',
    'auth/pre-registration',
    'auth/2025-03-26-oauth-endpoint-fallback',
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
  ])
    it(`passes ${scenario}`, () => assert.deepEqual(failedChecks(scenario), []));

  for (const [scenario, why] of Object.entries(missing))
    it(`does not pass ${scenario}: ${why}`, () => assert.notDeepEqual(failedChecks(scenario), []));
});

/** Starts the server of a scenario, signs in as a user whose browser agrees to all, and calls each of its tools. */
async function useServer({
  address,
  context,
}: {
  readonly scenario: string;
  readonly address: string;
  readonly context: { readonly client_id?: string; readonly client_secret?: string };
}): Promise<string> {
  const oauth = context.client_id && { clientId: context.client_id, clientSecret: context.client_secret };
  const lines: string[] = [];
  const accepts = async (question: string): Promise<string> => (question.includes('y = yes') ? 'y' : '');
  await onMachine(
    { '.mcp.json': { mcpServers: { judge: { url: address, ...(oauth && { oauth }) } } } },
    async ({ servers }) => {
      const judge = await agreed(servers, 'judge');
      await servers.prepare(new AbortController().signal);
      lines.push(`${judge.state} ${judge.reason ?? ''}`);
      for (const tool of servers.tools()) {
        const input = tool.name.endsWith('add_numbers') ? { a: 2, b: 3 } : {};
        const called = tool.bind(input).run(toolContext());
        lines.push(
          await called.then(
            ({ content }) => content,
            ({ message }: Error) => message,
          ),
        );
      }
    },
    { elicit: (question, server) => elicitAtTerminal(question, server, accepts) },
  );
  return lines.join('\n');
}
