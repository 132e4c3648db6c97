import assert from 'node:assert/strict';
import { cleanText, LiveText } from '../../../src/adapters/terminal/output/cleanText';
import { startOfText, joinEnds, tailOf } from '../../../src/adapters/terminal/output/outputFile';
import { Mirror } from '../../../src/adapters/terminal/output/mirror';
import { missedInput, missedTerminal, programNeedingTerminal } from '../../../src/adapters/terminal/needsTerminal';
import { Replies } from '../../../src/adapters/terminal/shell';
import { looksLikePrompt } from '../../../src/adapters/terminal/quietWatch';

describe('terminal text', () => {
  const cases: [string, string, string][] = [
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['a title', '\x1b]0;title\x07text', 'text'],
    ['a title ended by ST', '\x1b]2;t\x1b\\text', 'text'],
    ['the clipboard', '\x1b]52;c;aGk=\x07ok', 'ok'],
    ['a link', '\x1b]8;;http://x/\x1b\\label\x1b]8;;\x1b\\', 'label'],
    ['a device string', '\x1bP1$qm\x1b\\ok', 'ok'],
    ['8-bit controls', '\x9b31mred\x9d0;t\x9cok', 'redok'],
    ['an unfinished string, without hiding what follows', '\x1b]0;no end\nseen', '0;no end\nseen'],
    ['other escapes', '\x1b(B\x1b=\x1bM\x1b7text', 'text'],
    ['a lone escape', 'a\x1b', 'a'],
    ['bells, NUL and DEL', 'a\x07\x00\x7fb', 'ab'],
    ['Windows line ends', 'a\r\nb\r\r\n', 'a\nb\n'],
    ['a progress bar', '1%\r50%\r100%\ndone', '100%\ndone'],
    ['a shorter overwrite', 'abcdef\rxy', 'xycdef'],
    ['an erased line', 'long text\r\x1b[Kok', 'ok'],
    ['an erased whole line', 'long\x1b[2K\rok', 'ok'],
    ['overstrike', 'b\bbo\bold', 'bold'],
    ['tabs and other scripts', '\tžluťoučký 🐎', '\tžluťoučký 🐎'],
  ];
  for (const [what, text, clean] of cases)
    it(`is cleaned of ${what}`, () => {
      assert.equal(cleanText(text), clean);
    });

  it('is cleaned the same however the stream is split', () => {
    const bytes = Buffer.from('a\x1b[31mé\x1b]0;t\x1b\\ž\r\n🐎\x1b[0m\x1b[38;5;12mend\n');
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second += 3) {
        const live = new LiveText();
        const text = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
          .map((part) => live.push(part))
          .join('');
        assert.equal(text, 'aéž\n🐎end\n', `split at ${first} and ${second}`);
      }
    }
  });

  it('is truncated at lines, and inside a long line at characters', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join('');
    assert.match(startOfText(lines, 100), /^line 0\n[^]*line \d+\n$/);
    assert.match(tailOf(lines, 100), /^line \d+\n[^]*line 99\n$/);
    for (const character of ['é', '漢', '🐎']) {
      for (let bytes = 10; bytes < 16; bytes++) {
        const [head, tail] = [startOfText(character.repeat(50), bytes), tailOf(character.repeat(50), bytes)];
        assert.match(head, new RegExp(`^(${character})+$`, 'u'));
        assert.match(tail, new RegExp(`^(${character})+$`, 'u'));
        assert.ok(Buffer.byteLength(head) <= bytes && Buffer.byteLength(tail) <= bytes);
      }
    }
    assert.equal(joinEnds({ head: 'a\n', tail: 'z\n' }, 1004), 'a\n[… 1,000 bytes omitted …]\nz\n');
  });

  it('is mirrored without sequences the terminal would act on or answer, however it is split', () => {
    const bytes = Buffer.from(
      '\x1b[31mred\x1b]52;c;aGk=\x07\x1b[6n\x1b[5n\x1b[c\x1b[>c\x1b[=0c\x1b[18t\x1b[?25$p\x1b[>q\x1bZ\x05\x1bP$qm\x1b\\\x1b_app\x1b\\\x1b[2J\x1b[3;4Hž\x1b[0mend',
    );
    for (let at = 0; at <= bytes.length; at++) {
      const mirror = new Mirror();
      let seen = '';
      mirror.listen((text) => {
        seen += text;
      });
      mirror.bytes(bytes.subarray(0, at));
      mirror.bytes(bytes.subarray(at));
      assert.equal(seen, '\x1b[31mred\x1b[2J\x1b[3;4Hž\x1b[0mend', `split at ${at}`);
    }
  });

  it('shows control characters of a command as escapes', () => {
    const mirror = new Mirror();
    let seen = '';
    mirror.listen((text) => {
      seen += text;
    });
    mirror.command('echo \x1b[2Kx\rrm -rf', '/home');
    assert.ok(seen.includes('echo \\x1b[2Kx\\x0drm -rf'));
  });

  it('is mirrored at a limited rate, with a note on what is not shown', () => {
    let now = 1000;
    const mirror = new Mirror(() => now);
    let seen = '';
    mirror.listen((text) => {
      seen += text;
    });
    const most = 64 * 1024;
    for (let tenth = 0; tenth < 5; tenth++) {
      const before = seen.length;
      for (let at = 0; at < 20; at++) mirror.text('y\n'.repeat(5000));
      const shown = seen.length - before;
      assert.ok(shown > most / 2 && shown < most + 100, `${shown} characters`);
      now += 101;
    }
    mirror.text('end');
    assert.match(seen, /… 240,000 characters not shown …[^]*end$/);
    assert.equal(seen.match(/240,000 characters not shown/g)!.length, 5);
  });

  it('accepts a report only with the given nonce, however it is split', () => {
    const [nonce, other] = ['a'.repeat(24), 'b'.repeat(24)];
    const text = `noise $ \x1e${nonce}\x1f3\x1f42\x1f/a \x1e${other}\x1e b\n\n\x1e${nonce}\n[1]+ Done`;
    for (let at = 0; at <= text.length; at++) {
      const replies = new Replies();
      assert.deepEqual(
        [...replies.push(text.slice(0, at)), ...replies.push(text.slice(at))],
        [{ nonce, status: 3, background: 42, folder: `/a \x1e${other}\x1e b\n` }],
      );
    }
  });

  it('identifies commands that need a terminal', () => {
    for (const command of [
      'vim',
      'vi a.txt',
      '/usr/bin/nano x',
      'sudo top',
      'python3',
      'node',
      'ssh host',
      'EDITOR=x vim',
    ])
      assert.ok(programNeedingTerminal(command), command);
    for (const command of [
      'echo vim',
      'node a.js',
      'python3 -c 1',
      'vim --version',
      'top -b -n1',
      'ssh host ls',
      'vim a | cat',
      'echo x; vim',
      'git log',
      'less x',
      'npm test',
      '',
    ])
      assert.equal(programNeedingTerminal(command), undefined, command);
    assert.ok(
      missedTerminal('the input device is not a TTY\n') &&
        missedTerminal('top: failed tty get') &&
        !missedTerminal('terminal velocity'),
    );
  });

  it('tells a command that asked for input from others', () => {
    for (const [command, output] of [
      ['read -p "Name: " x; echo "$x"', '\n'],
      ['if true; then IFS= read -r x; fi', ''],
      ["bash -c 'read x'", ''],
      ['cd a && sh -ec "read -r x; echo $x"', '\n'],
      ['npm init', 'Press ^C to quit.\npackage name: (w) '],
      ['node ask.js', 'Name? \n'],
      ['apt install x', 'Do you want to continue? [Y/n] Abort.\n'],
      ['python3 ask.py', 'EOFError: EOF when reading a line\n'],
      ['ssh host ls', 'Host key verification failed.\r\n'],
    ] as const)
      assert.ok(missedInput(command, output, { failed: true }), command);
    for (const [command, output] of [
      ['while read -r x; do echo "$x"; done < list', 'a\n'],
      ['seq 3 | while read -r x; do echo "$x"; done', '1\n'],
      ["echo a | bash -c 'read x'", ''],
      ["bash -c 'read x' < list", ''],
      ["bash -c 'echo read'", 'read\n'],
      ['cat a.json', '{"a": [1]}'],
      ['cat README', 'Usage:\n'],
      ['ls', 'read me\n'],
      ['echo read; true', 'read\n'],
      ['npm test', '3 passing (2s)\n\n'],
      ['true', ''],
      ['echo "home: $HOME_OF_NOBODY"', 'home: \n'],
      ['./report.sh', 'errors: \n'],
      ['cd a && printf "home: %s" "$X"', 'home: '],
      ['grep -o "^[a-z]*:" list | head -n 1 | tr -d "\\n"', 'name:'],
    ] as const)
      assert.ok(!missedInput(command, output, { failed: false }), command);
    for (const [command, output] of [
      ['npm init', 'package name: (w) '],
      ['echo Setup; ./ask.sh', 'Setup\nName: '],
      ['"./ask me.sh"', 'Name: '],
      ['$ASK', 'Continue? [y/N] '],
      ['printf "Continue? "; cat', 'Continue? '],
    ] as const)
      assert.ok(missedInput(command, output, { failed: false }), command);
    assert.ok(!missedInput('grep -r EOFError', 'a.py: except EOFError:\n', { failed: false }));
  });

  it('tells prompts from other output', () => {
    for (const text of ['Password: ', 'Continue? [y/N] ', '>>> ', 'a\n> ', 'Proceed (y/n)? '])
      assert.ok(looksLikePrompt(text), text);
    for (const text of ['done.\n', 'Compiling', '', 'Password:\nworking']) assert.ok(!looksLikePrompt(text), text);
  });
});
