import { strict as assert } from 'node:assert';
import { statusOf } from '../../../src/core/log/status';
import { confirmationPolicies } from '../../../src/core/risk/confirmation';
import type { Asking, RiskCategory, RiskLevel } from '../../../src/protocol/events/event';
import { begin, call, plays, says } from '../agent/story';
import { Log } from '../security/taint/log';

const { risky } = confirmationPolicies;
const asked = (asking?: Asking): string =>
  (['low', 'medium', 'unknown', 'high'] as RiskLevel[])
    .filter((level) => risky({ level, reasons: [] }, asking) === 'ask')
    .join(' ');

describe('what is asked about', () => {
  it('is what is high or unknown, or what is at least as risky as a person says', () => {
    assert.equal(asked(), 'unknown high');
    assert.equal(asked({ from: 'high' }), 'unknown high');
    assert.equal(asked({ from: 'medium' }), 'medium unknown high');
    assert.equal(asked({ from: 'low' }), 'low medium unknown high');
  });

  it('is also each kind of thing that a person names, however harmless', async () => {
    const examples: [RiskCategory, string, string][] = [
      ['network', 'curl https://example.org/', 'curl http://localhost:1/'],
      ['network', 'git fetch', 'git log'],
      ['deletes', 'rm -rf dist', 'ls dist'],
      ['outside', 'ls /var/log', 'ls src'],
      ['git_history', 'git commit --amend -m x', 'git commit -m x'],
      ['git_history', 'git push', 'git add .'],
      ['packages', 'npm ci', 'npm test'],
      ['protected', 'echo x > .npmrc', 'echo x > src/a.ts'],
    ];
    for (const [category, does, other] of examples) {
      const log = new Log();
      const [yes, no] = [await log.command(does), await log.command(other)];
      assert.ok(yes.categories?.includes(category), `${does}: ${JSON.stringify(yes)}`);
      assert.ok(!no.categories?.includes(category), `${other}: ${JSON.stringify(no)}`);
      assert.equal(risky({ ...yes, level: 'low' }, { about: [category] }), 'ask');
      assert.equal(risky({ ...yes, level: 'low' }, {}), 'run');
    }
  });

  it('is kept in the log of the session, and can be changed there', async () => {
    const story = () => plays(says('one', call('command', { name: 'a' })), says('Done.'));
    assert.equal(statusOf((await begin(story()).go()).history), 'idle');
    const conversation = await begin(story(), { first: { asking: { from: 'low' } } }).go();
    assert.equal(statusOf(conversation.history), 'waiting_for_confirmation');
    const other = begin(story(), { first: { asking: { from: 'low' } } });
    other.append({ type: 'settings_changed', asking: {} });
    assert.equal(statusOf((await other.go()).history), 'idle');
  });

  it('is nothing where nothing is to be asked, but for what destroys the machine', async () => {
    const command = (text: string) => new Log().command(text);
    assert.equal(
      confirmationPolicies.never(
        { ...(await command('curl https://example.org/')) },
        { from: 'low', about: ['network'] },
      ),
      'run',
    );
    assert.equal((await command('rm -rf /')).floor, true);
  });
});
