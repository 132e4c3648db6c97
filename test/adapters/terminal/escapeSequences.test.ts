import assert from 'node:assert/strict';
import { Terminal } from '@xterm/headless';
import { cleanText, LiveText } from '../../../src/adapters/terminal/output/cleanText';
import { Mirror } from '../../../src/adapters/terminal/output/mirror';

const [esc, bell, end] = ['\x1b', '\x07', '\x1b\\'];

/** Output with which programs control the terminal that shows it, make it answer, or hide what they did. */
const sequences: Readonly<Record<string, string>> = {
  'the clipboard (OSC 52)': `${esc}]52;c;aGk=${bell}`,
  'reading the clipboard': `${esc}]52;c;?${end}`,
  'a link (OSC 8)': `${esc}]8;;file:///etc/passwd${end}x${esc}]8;;${end}`,
  'a link to a command': `${esc}]8;;command:workbench.action.terminal.new${bell}x${esc}]8;;${bell}`,
  'a title (OSC 0)': `${esc}]0;title${bell}`,
  'a title (OSC 2)': `${esc}]2;title${end}`,
  'a report of the title': `${esc}[21t`,
  'a folder (OSC 7)': `${esc}]7;file://host/etc${bell}`,
  'a notification (OSC 9)': `${esc}]9;hello${bell}`,
  'a notification (OSC 777)': `${esc}]777;notify;a;b${bell}`,
  'an image (OSC 1337)': `${esc}]1337;File=inline=1:AAAA${bell}`,
  'a command mark of the editor (OSC 633)': `${esc}]633;D;0${bell}`,
  'a command line of the editor (OSC 633)': `${esc}]633;E;rm -rf /;nonce${bell}`,
  'a command mark (OSC 133)': `${esc}]133;D;0${bell}`,
  'a colour that is asked for (OSC 11)': `${esc}]11;?${end}`,
  'a palette': `${esc}]4;1;rgb:00/00/00${bell}`,
  'a setting that is asked for (DECRQSS)': `${esc}P$qm${end}`,
  'a capability that is asked for (XTGETTCAP)': `${esc}P+q544e${end}`,
  'a picture (sixel)': `${esc}Pq#0;2;0;0;0~~-${end}`,
  'limits of pictures': `${esc}[?1;1;0S`,
  'keys of one\u2019s own (DECUDK)': `${esc}P1;1|17/0d${end}`,
  'where the cursor is (DSR)': `${esc}[6n`,
  'how it is (DSR)': `${esc}[5n`,
  'what it is (DA)': `${esc}[c`,
  'what it is, further (DA2)': `${esc}[>c`,
  'what it is, still further (DA3)': `${esc}[=c`,
  'its name': `${esc}[>q`,
  'its parameters': `${esc}[x`,
  'a mode that is asked for': `${esc}[?2004$p`,
  'its keyboard': `${esc}[?u`,
  'what it is (DECID)': `${esc}Z`,
  'an answer-back': '\x05',
  'the size of the window': `${esc}[18t`,
  'another size': `${esc}[8;1;1t`,
  'an icon': `${esc}[2t`,
  'the mouse': `${esc}[?1000;1006h`,
  'all movements of the mouse': `${esc}[?1003h`,
  'the focus': `${esc}[?1004h`,
  'a reset (RIS)': `${esc}c`,
  'the lines scrolled away': `${esc}[3J`,
  printing: `${esc}[5i`,
  'a message of an application (APC)': `${esc}_Gf=100;AAAA${end}`,
  'a private message (PM)': `${esc}^x${end}`,
  'a string (SOS)': `${esc}Xx${end}`,
  '8-bit controls': '\x9d52;c;aGk=\x9c\x9b6n',
  'a sequence in pieces': `${esc}${esc}]0;${bell}]52;c;aGk=${bell}`,
  'a question in pieces': `${esc}[${esc}[c6n`,
  'a sequence that was broken off': `${esc}]52;c;aGk=\x18${esc}]0;x\x1a`,
  'control letters': '\x00\x07\x0b\x0c\x0e\x0f\x7f',
};

/** Waits until all of the text is drawn. */
const drawn = (terminal: Terminal, text: string): Promise<void> =>
  new Promise((resolve) => {
    terminal.write(text, resolve);
  });

describe('escape sequences that act on a terminal', () => {
  it('have more than thirty kinds', () => assert.ok(Object.keys(sequences).length >= 30));

  for (const [what, sequence] of Object.entries(sequences)) {
    it(`have no effect in the panel, the log and for the model: ${what}`, () => {
      const live = new LiveText();
      for (const text of [cleanText(`before${sequence}after\n`), live.push(Buffer.from(`before${sequence}after\n`))]) {
        assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        assert.ok(text.startsWith('before') && text.endsWith('after\n'));
      }
    });

    it(`have no effect in the terminal shown to the user, however they are split: ${what}`, async () => {
      const bytes = Buffer.from(`before${sequence}after`);
      for (let at = 0; at <= bytes.length; at++) {
        const mirror = new Mirror();
        let shown = '';
        mirror.listen((text) => {
          shown += text;
        });
        mirror.bytes(bytes.subarray(0, at));
        mirror.bytes(bytes.subarray(at));
        assert.doesNotMatch(shown, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/, `split at ${at}`);
        if (at !== 0) continue;
        const terminal = new Terminal({ cols: 80, rows: 4, allowProposedApi: true });
        const acted: string[] = [];
        terminal.onData((data) => acted.push(data));
        terminal.onTitleChange((title) => acted.push(title));
        terminal.onBell(() => acted.push('bell'));
        await drawn(terminal, shown);
        assert.deepEqual(acted, []);
        const line = terminal.buffer.active.getLine(0)!.translateToString(true);
        assert.ok(line.startsWith('before') && line.endsWith('after'), line);
      }
    });
  }

  it('that full-screen programs draw with are kept', () => {
    const drawing = `${esc}[?1049h${esc}[2J${esc}[1;1H${esc}[38;2;1;2;3mred${esc}[0m${esc}[K${esc}[3;4r${esc}(0lqk${esc}(B${esc}[?25l${esc}[?25h${esc}[?1;2004h${esc}7${esc}8${esc}[2 q${esc}[2L${esc}[3P${esc}=\r\n\t\b${esc}[?1049l`;
    const mirror = new Mirror();
    let shown = '';
    mirror.listen((text) => {
      shown += text;
    });
    mirror.bytes(Buffer.from(drawing));
    assert.equal(shown, drawing);
  });
});
