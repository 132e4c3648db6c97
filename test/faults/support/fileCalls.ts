import fs from 'node:fs';
import path from 'node:path';

/**
 * What happens to a program just before one of its changing calls of the file system. Calls are counted from the one
 * that says that a restore begins.
 */
export interface AtCall {
  readonly call: number;
  /** The file that a person saves at that moment; absent: the program is killed. */
  readonly saves?: { readonly file: string; readonly text: string };
}

const hook = `
const fs = require('node:fs');
const { kill, pid } = process;
const { call, saves, told } = JSON.parse(process.env.AT_CALL);
const save = fs.writeFileSync;
const changing = ['renameSync', 'unlinkSync', 'rmdirSync', 'rmSync', 'mkdirSync', 'symlinkSync', 'linkSync', 'writeSync',
  'writeFileSync', 'appendFileSync', 'fchmodSync', 'chmodSync', 'lchownSync', 'fchownSync', 'fsync', 'fsyncSync', 'ftruncateSync', 'openSync'];
const onlyReads = (name, [, flags]) => name === 'openSync' && (flags === undefined || flags === 'r' || (flags & 3) === 0);
let isInRestore = false;
let count = 0;
for (const name of changing) {
  const real = fs[name];
  fs[name] = (...given) => {
    if (onlyReads(name, given)) return real(...given);
    if (name === 'renameSync' && /restores[^\\n]*\\.json$/.test(String(given[1]))) isInRestore = true;
    if (isInRestore && ++count === call) {
      if (!saves) kill(pid, 'SIGKILL');
      else if (!given.some((each) => String(each).endsWith('/' + saves.name))) {
        save(saves.file, saves.text);
        save(told, 'saved');
      }
    }
    return real(...given);
  };
}
process.on('exit', () => save(told + '.count', String(count)));
`;

/** Starts of Waymark whose calls of the file system are counted, and one of which can be hit. */
export class FileCalls {
  private readonly hook: string;
  private readonly told: string;

  constructor(folder: string) {
    this.hook = path.join(folder, 'hook.cjs');
    this.told = path.join(folder, 'told');
    fs.writeFileSync(this.hook, hook);
  }

  environment({ call, saves }: AtCall): NodeJS.ProcessEnv {
    fs.rmSync(this.told, { force: true });
    const at = { call, told: this.told, ...(saves && { saves: { ...saves, name: path.basename(saves.file) } }) };
    return { NODE_OPTIONS: `--require=${this.hook}`, AT_CALL: JSON.stringify(at) };
  }

  /** Whether a person saved the file in the last start: not where the call itself was about that file. */
  get hasSaved(): boolean {
    return fs.existsSync(this.told);
  }

  /** How many changing calls the last start made that came to its end. */
  get count(): number {
    return Number(fs.readFileSync(`${this.told}.count`, 'utf8'));
  }
}
