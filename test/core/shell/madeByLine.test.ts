import { strict as assert } from 'node:assert';
import { assessCommand } from '../../../src/core/shell/assessCommand';

describe('a line that deletes what it created', () => {
  const existing = /^(?:src|src\/.*|\.)$/;
  const inGit = (path: string) => (existing.test(path) ? ('tracked' as const) : ('nothing' as const));
  const levelOf = (command: string) => assessCommand(command, { inGit }).level;

  for (const command of [
    'mkdir t && mv t s && rm -r s',
    'mkdir t && echo x > t/a && cp src/a t && mv t s && rm -rf s',
    'mkdir t && cd t && echo x > a && cd .. && rm -r t',
  ])
    it(`needs no approval: ${command}`, () => assert.equal(levelOf(command), 'medium'));

  for (const command of [
    'rm -r t',
    'mkdir t && mv src t && rm -r t',
    'mv src t && mv t s && rm -r s',
    'mkdir t && mv src/* t && rm -r t',
    'mkdir t && mv $x t && rm -r t',
    'mkdir t && mv -t t src && rm -r t',
    'mkdir t && git mv src t && rm -r t',
    'mkdir t && node x.js && rm -r t',
    'mkdir t && ln -s ../src t/l && rm -r t',
    'mkdir t; cd t; cd ..; rm -r t',
    'mkdir() { mv src t; }; mkdir t; rm -r t',
    'mkdir t && rm -r t src',
    'mkdir t; while true; do rm -r t; mv src t; done',
    "mkdir t; while true; do bash -c 'rm -r t; mv src t'; done",
    'f() { rm -r t; mv src t; }; mkdir t; f; f',
  ])
    it(`needs approval if it may contain something else: ${command}`, () => assert.equal(levelOf(command), 'high'));
});
