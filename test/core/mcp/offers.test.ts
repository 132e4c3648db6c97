import assert from 'node:assert/strict';
import { parsePromptCall, promptCommand } from '../../../src/core/mcp/offers';
import { commandName } from '../../../src/core/skills/commandName';

const review = promptCommand('Git Hub', {
  name: 'review',
  description: 'Reviews.\u200b',
  inputs: [
    { name: 'change', description: 'which', required: true },
    { name: 'tone', description: '', required: false },
  ],
});

describe('a prompt of an MCP server', () => {
  it('is a command that asks for what it needs and no more', () => {
    assert.equal(commandName(review.command), 'git-hub:review');
    assert.equal(review.command.description, 'Reviews.');
    assert.deepEqual(
      parsePromptCall('/git-hub:review', [review])!.called.missing.map(({ name }) => name),
      ['change'],
    );
    assert.deepEqual(parsePromptCall('/git-hub:review change=abc', [review])!.values, { change: 'abc' });
    assert.deepEqual(parsePromptCall('/git-hub:review abc', [review])!.called.missing, []);
    assert.equal(parsePromptCall('/other', [review]), undefined);
    assert.equal(parsePromptCall('Say /git-hub:review', [review]), undefined);
  });

  it('can be called whatever signs its server and it are named with', () => {
    const odd = promptCommand('@搜索/数据', { name: 'say (it)', description: '', inputs: [] });
    assert.equal(parsePromptCall(`/${commandName(odd.command)}`, [review, odd])?.command, odd);
  });
});
