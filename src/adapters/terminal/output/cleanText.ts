import { StringDecoder } from 'node:string_decoder';

const anyControl = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const strings = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x1b\\|\x9c)/g;
const eraseToEnd = /(?:\x1b\[|\x9b)0?K/g;
const eraseLine = /(?:\x1b\[|\x9b)[12]K/g;
const controlSequence = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g;
const otherEscape = /\x1b[ -/]*[0-~]?/g;
const remainingControls = /[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

const unfinished = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/;
const maxSequenceLength = 4096;

// Stand-ins for "erase" while a line is assembled; real ones are removed from the text before.
const toEnd = '\x00';
const wholeMark = '\x01';

/**
 * Returns text without control sequences or control characters, as a person would have read it: a line redrawn with
 * carriage returns (a progress bar) is reduced to its final state.
 */
export function cleanText(text: string): string {
  if (!anyControl.test(text)) return text;
  const unix = text.replaceAll('\r\n', '\n');
  if (!anyControl.test(unix)) return unix;
  const plain = unix
    .replace(/[\x00\x01]/g, '')
    .replace(strings, '')
    .replace(eraseToEnd, toEnd)
    .replace(eraseLine, wholeMark)
    .replace(controlSequence, '')
    .replace(otherEscape, '')
    .replace(/(?<!\r)\r+\n/g, '\n');
  const drawn = /[\r\x08]/.test(plain)
    ? plain
        .split('\n')
        .map((line) => (/[\r\x08]/.test(line) ? drawLine(line) : line))
        .join('\n')
    : plain;
  return drawn.replace(remainingControls, '');
}

function drawLine(line: string): string {
  const cells: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === '\r') column = 0;
    else if (character === '\b') column = Math.max(0, column - 1);
    else if (character === toEnd) cells.length = Math.min(cells.length, column);
    else if (character === wholeMark) cells.fill(' ');
    else cells[column++] = character;
  }
  return Array.from(cells, (cell) => cell ?? ' ')
    .join('')
    .trimEnd();
}

/** Cleans a stream as it arrives: characters and control sequences may be split anywhere. */
export class LiveText {
  readonly #decoder = new StringDecoder('utf8');
  #held = '';

  push(bytes: Buffer): string {
    const text = this.#held + this.#decoder.write(bytes);
    const end = endOfWhole(text);
    this.#held = text.slice(end);
    return cleanText(text.slice(0, end));
  }
}

/** Returns where the part ends that the next bytes cannot change. */
function endOfWhole(text: string): number {
  const last = Math.max(0, text.length - maxSequenceLength);
  const escape = text.slice(last).search(unfinished);
  if (escape >= 0) return last + escape;
  return text.endsWith('\r') ? text.length - 1 : text.length;
}
