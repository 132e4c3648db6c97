import fs from 'node:fs';
import path from 'node:path';

/**
 * An event just before one of the program's modifying file system calls. Calls are counted from the one that marks the
 * start of a restore.
 */
interface AtCall {
  readonly call: number;
  /** The file that a user saves at that moment; absent: the program is killed. */
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

/** Starts Waymark with counted file system calls, one of which can be hit. */
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

  /** True if a user saved the file during the last start. False if the call itself was about that file. */
  get hasSaved(): boolean {
    return fs.existsSync(this.told);
  }

  /** Number of modifying calls in the last complete start. */
  get count(): number {
    return Number(fs.readFileSync(`${this.told}.count`, 'utf8'));
  }
}
