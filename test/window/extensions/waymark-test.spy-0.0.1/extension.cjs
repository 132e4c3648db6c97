// An extension of tests. Begins before any other and notes what the extension host starts, connects to, listens on and reads, with who
// asked for it, as lines of JSON in the file that SPY_FILE names. Keeps nothing from happening.
const childProcess = require('node:child_process');
const dgram = require('node:dgram');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');

exports.activate = () => {
  const { SPY_FILE: file } = process.env;
  if (!file) return;
  const append = fs.appendFileSync;
  Error.stackTraceLimit = 50;
  const note = (kind, what) => append(file, `${JSON.stringify({ kind, what, stack: new Error().stack })}\n`);
  const before = (owner, name, tell) => {
    const original = owner[name];
    owner[name] = function (...given) {
      tell(given);
      return original.apply(this, given);
    };
  };
  before(childProcess.ChildProcess.prototype, 'spawn', ([options]) =>
    note('process', `${options.file} ${(options.args ?? []).join(' ')}`),
  );
  for (const name of ['spawnSync', 'execFileSync', 'execSync'])
    before(childProcess, name, ([program]) => note('process', String(program)));
  before(net.Socket.prototype, 'connect', (given) => note('connect', JSON.stringify(given[0])));
  before(net.Server.prototype, 'listen', (given) => note('listen', JSON.stringify(given[0])));
  for (const name of ['bind', 'send', 'connect']) before(dgram.Socket.prototype, name, () => note('datagram', name));
  for (const owner of [fs, fs.promises]) {
    for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream'])
      if (owner[name])
        before(owner, name, ([place]) => {
          if (typeof place === 'string' || place instanceof URL) note('read', String(place));
        });
  }
  syncBuiltinESMExports();
  note('ready', String(process.pid));
};
