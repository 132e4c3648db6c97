import assert from 'node:assert/strict';
import type { WebPage } from '../../../../src/core/ports/web';
import { lazyWeb } from '../../../../src/adapters/documents/lazyWeb';
import { fetchUrl } from '../../../../src/core/tools/native/fetchUrl';
import { analyzers, assessWith } from '../../../../src/core/security/analyzers';
import { isAllowedByRule } from '../../../../src/core/security/allowRules';
import { offeredRules } from '../../../../src/core/security/offeredRules';
import { asksAlways, confirmationPolicies } from '../../../../src/core/risk/confirmation';
import { toolsOf, type AvailableTools } from '../../../../src/core/session/sessionAgent';
import { profileNamed } from '../../../../src/core/profiles/profiles';
import type { Action, Event } from '../../../../src/protocol/events/event';
import { Log, root } from '../../security/taint/log';
import { untouched } from '../../../support/toolContext';

const environment = { ...untouched, root };
const judge = (url: string, history: readonly Event[] = new Log().events) =>
  assessWith(analyzers, { tool: fetchUrl, call: fetchUrl.bind({ url }), environment, history });
const actionOf = async (url: string, history?: readonly Event[]): Promise<Action> => ({
  id: url,
  tool: fetchUrl.name,
  input: { url },
  summary: '',
  group: 0,
  effect: 'reads',
  risk: await judge(url, history),
});

describe('fetching a page', () => {
  it('is asked about with the site in the headline, and counts as network and as words of others', async () => {
    const risk = await judge('https://docs.example.com/guide?page=2');
    assert.deepEqual(risk.reasons, ['Fetches a page from docs.example.com.']);
    assert.equal(confirmationPolicies.risky(risk), 'ask');
    assert.deepEqual(risk.reach, { untrusted: ['https://docs.example.com'], network: ['docs.example.com'] });
    assert.deepEqual(risk.categories, ['network']);
  });

  it('does not ask about an address that is refused anyway', async () => {
    const fetching = fetchUrl.bind({ url: 'http://localhost:3000/x' });
    const levels = async (privateHosts: readonly string[]): Promise<string> => {
      const web = lazyWeb({ privateHosts });
      const subject = { tool: fetchUrl, call: fetching, environment: { ...environment, web }, history: [] };
      return (await assessWith(analyzers, subject)).level;
    };
    assert.equal(await levels([]), 'low');
    assert.notEqual(await levels(['localhost:3000']), 'low');
    await assert.rejects(lazyWeb({ privateHosts: [] }).read('http://localhost:3000/x', new AbortController().signal));
  });

  it('can be allowed for one site, and for that one alone', async () => {
    const history = new Log().events;
    const around = { tool: fetchUrl, history };
    const { offers, refusal } = await offeredRules(await actionOf('https://docs.example.com/a'), around, () =>
      judge('https://docs.example.com/a'),
    );
    assert.equal(refusal, undefined);
    assert.deepEqual(
      offers.map(({ scope, shown }) => [scope, shown]),
      [['exact', 'docs.example.com']],
    );
    const rules = offers.map(({ rule }) => rule);
    const isAllowed = async (url: string): Promise<boolean> => isAllowedByRule(await actionOf(url), rules, around);
    assert.equal(await isAllowed('https://docs.example.com/another?page=3#top'), true);
    for (const url of [
      'https://example.com/a',
      'https://docs.example.com.evil.example/a',
      'https://docs.example.com:8443/a',
      'http://docs.example.com/a',
      'https://docs.example.com/a?token=abcdef',
      'https://docs.example.com/a?to\tken=abcdef',
      `https://docs.example.com/a?q=${'x'.repeat(200)}`,
      `https://docs.example.com/${'x/'.repeat(300)}`,
    ])
      assert.equal(await isAllowed(url), false, url);
  });

  it('is dangerous where the address carries data, and where it controls the machine', async () => {
    const carries = await judge('https://example.com/?data=c2VjcmV0');
    assert.deepEqual([carries.level, carries.reasons[0]], ['high', 'Sends data to example.com inside the address.']);
    const long = await judge(`https://example.com/${'part/'.repeat(120)}`);
    assert.deepEqual(
      [long.level, long.reasons[0]],
      ['high', 'Uses a long address, which can carry data to example.com.'],
    );
    for (const url of [
      'http://169.254.169.254/latest/',
      String.raw`http:\\169.254.169.254\latest`,
      'http:169.254.43518/',
    ])
      assert.equal((await judge(url)).level, 'high', url);
  });

  it('asks in every mode, whatever was allowed, once the session read a secret and words of others', async () => {
    const log = new Log();
    await log.reads('.env', 'KEY=1');
    await log.reads('node_modules/x/README.md', 'words');
    const action = await actionOf('https://docs.example.com/a', log.events);
    assert.deepEqual([action.risk.level, asksAlways(action.risk)], ['high', true]);
    const { refusal } = await offeredRules(action, { tool: fetchUrl, history: log.events }, () =>
      judge('https://docs.example.com/a', log.events),
    );
    assert.equal(refusal, 'tainted');
  });

  it('is for trusted folders with a web alone', () => {
    const settings = { profile: 'waymark' } as Parameters<typeof toolsOf>[0];
    const has = (trusted: boolean, ports: AvailableTools['has'] = []): boolean =>
      toolsOf(settings, profileNamed('waymark'), { trusted, has: ports }).some(({ name }) => name === 'fetch_url');
    assert.deepEqual([has(true, ['web']), has(true, []), has(false, ['web'])], [true, false, false]);
  });

  it('refuses what is no address of the web, or holds a password', () => {
    for (const url of ['file:///etc/passwd', 'example.com', 'https://me:pw@example.com/', 'data:text/html,x', ''])
      assert.throws(() => fetchUrl.bind({ url }), /http/, url);
  });

  it('tells the model title, address and text, and where another site follows', async () => {
    const use = (page: WebPage) =>
      fetchUrl.bind({ url: page.address }).run({
        environment: { ...environment, web: { mayRead: async () => true, read: () => Promise.resolve(page) } },
        signal: new AbortController().signal,
        progress: () => undefined,
        versionSeen: () => undefined,
      });
    const page = { address: 'https://example.com/a', type: 'text/html', bytes: 9, title: 'Times', text: 'At nine.' };
    assert.deepEqual(await use({ ...page, missing: 'Only the first 5 KB were read.' }), {
      content: 'Times\nhttps://example.com/a\n\nAt nine.\n\n[Only the first 5 KB were read.]',
      details: { kind: 'page', address: page.address, type: 'text/html', bytes: 9, title: 'Times' },
    });
    const away = await use({ ...page, redirectsTo: 'https://other.example/b', text: '' });
    assert.match(away.content, /redirects to another site, so nothing was read: https:\/\/other\.example\/b/);
  });
});
