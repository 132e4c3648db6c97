import assert from 'node:assert/strict';
import { inQuotes, shownName, shownToPeople } from '../../../src/core/text/shownName';
import { escapeForTerminal } from '../../../src/cli/output/escapeForTerminal';
import { hiddenIn } from '../../../src/core/shell/posix/hiddenText';
import { injectionIn } from '../../../src/core/tools/memory/injection';
import { isGuarded } from '../../../src/core/risk/pathRules';
import { hasInvisible, showInvisible } from '../../../src/protocol/plain/invisible';
import { hasHidden } from '../../../webview-ui/base/visible';

/** Characters that people do not see, one of each kind. */
const invisible = [
  '\u0007',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u17b4',
  '\u180e',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u2800',
  '\u3164',
  '\ue000',
  '\ufeff',
  '\ufe0f',
  '\uffa0',
  '\u{e0041}',
  '\u{e0101}',
  '\u{e0fff}',
];

describe('characters that people do not see', () => {
  for (const character of invisible) {
    it(`are found everywhere: U+${character.codePointAt(0)!.toString(16)}`, () => {
      const text = `a${character}b`;
      assert.ok(hasInvisible(text));
      for (const shown of [showInvisible, escapeForTerminal, shownName, shownToPeople])
        assert.ok(!shown(text).includes(character), shown.name);
      assert.ok(hiddenIn(`echo ${text}`));
      assert.ok(injectionIn(text));
      assert.ok(hasHidden(text));
    });
  }

  it('do not hide the name of a protected file', () => {
    for (const character of invisible) assert.ok(isGuarded(`.g${character}it/config`), JSON.stringify(character));
  });

  it('do not include letters of any script, line breaks of a text, and emoji', () => {
    for (const text of ['naïve', 'привет', '日本語', 'हिन्दी', 'a\tb\nc', '❤️', '1️⃣', '👍🏽', '🇩🇪'])
      for (const shown of [showInvisible, escapeForTerminal]) assert.equal(shown(text), text);
    assert.equal(shownName('❤️.md'), '❤️.md');
    assert.equal(inQuotes('IntRange\\(\\d+'), '"IntRange\\(\\d+"');
    assert.equal(inQuotes('two\nlines\u202e'), '"two\\nlines\\u202e"');
  });
});
