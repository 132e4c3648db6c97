import { strict as assert } from 'node:assert';
import { escapeForTerminal } from '../../../src/cli/output/escapeForTerminal';

describe('text for a terminal', () => {
  it('keeps joined emoji', () => {
    for (const emoji of ['👩‍💻', '👩🏽‍💻', '❤️‍🔥', '👨‍👩‍👧']) assert.equal(escapeForTerminal(`a ${emoji} b`), `a ${emoji} b`);
  });

  it('shows joiners elsewhere, and every control character', () => {
    assert.equal(escapeForTerminal('rm\u200d -rf'), 'rm\\u{200d} -rf');
    assert.equal(escapeForTerminal('👩\u200dx'), '👩\\u{200d}x');
    assert.equal(escapeForTerminal('\u001b[2K\u202e'), '\\u{1b}[2K\\u{202e}');
    assert.equal(escapeForTerminal('a\tb\nc'), 'a\tb\nc');
  });
});
