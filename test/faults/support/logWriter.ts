// A separate program that writes a log until it is killed: logWriter FILE COUNT. Prints the number of each event once
// it is safe. If it is not, prints "unsafe: …" and retries.
import fs from 'node:fs';
import { openEventLog } from '../../../src/adapters/log/eventLog';

const [file, count] = process.argv.slice(2);
const { store, events, problem } = openEventLog(file!);
if (!store) throw new Error(problem);
for (let seq = events.length; seq < Number(count); seq++) {
  store.append({ seq, at: 1, type: 'user_message', text: `event ${seq} ä` });
  for (;;) {
    try {
      await store.durable();
      break;
    } catch (error) {
      fs.writeSync(1, `unsafe: ${(error as Error).message}\n`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  fs.writeSync(1, `${seq}\n`);
}
await store.close();
