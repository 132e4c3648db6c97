// Asks for the machine key in many folders, each time together with the other processes, and prints each key. Arguments:
// a folder, the number of this process, that of all processes, and that of rounds.
import fs from 'node:fs';
import path from 'node:path';
import { machineKey } from '../../../src/adapters/storage/machineKey';

const [folder = '', own = '0', all = '2', rounds = '1'] = process.argv.slice(2);

for (let round = 0; round < Number(rounds); round++) {
  const place = path.join(folder, String(round));
  fs.writeFileSync(path.join(place, `ready-${own}`), '');
  while (fs.readdirSync(place).filter((name) => name.startsWith('ready')).length < Number(all));
  console.log(machineKey(path.join(place, 'log.key'))?.export().toString('hex') ?? 'none');
}
