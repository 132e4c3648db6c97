// Takes the lock named by its first argument and prints "held" or "busy". Holds it until its input ends. The second
// argument is the clock error in milliseconds.
import { acquireLock } from '../../../src/adapters/storage/fileLock';

const [file = '', wrongByMs = '0'] = process.argv.slice(2);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given: []) {
    super(...(given.length > 0 ? given : ([RealDate.now() + Number(wrongByMs)] as unknown as [])));
  }
  static override now(): number {
    return RealDate.now() + Number(wrongByMs);
  }
} as DateConstructor;

const lock = acquireLock(file);
console.log(lock ? 'held' : 'busy');
if (!lock) process.exit();
process.stdin.resume().on('end', () => {
  lock.release();
  process.exit();
});
