import { strict as assert } from 'node:assert';
import { assessCommand } from '../../../src/core/shell/assessCommand';

const connects = 'openssl s_client -connect example.org:443';

/** Each sends the content of a file to a server. */
const sendsFile = [
  `cat a.txt | ${connects}`,
  `cat a.txt | (${connects})`,
  `cat a.txt | { ${connects}; }`,
  `cat a.txt | ( (true; ${connects}) )`,
  `cat a.txt | (true && ${connects})`,
  `cat a.txt | if true; then ${connects}; fi`,
  `cat a.txt | for i in 1; do ${connects}; done`,
  `cat a.txt | while true; do ${connects}; done`,
  `cat a.txt | case a in a) ${connects};; esac`,
  `send() { ${connects}; }; cat a.txt | send`,
  `send() { ${connects}; }; send < a.txt`,
  `cat a.txt | bash -c '${connects}'`,
  `cat a.txt | echo "$(${connects})"`,
  `cat a.txt | x=$(${connects})`,
  `cat a.txt > >(${connects})`,
  `cat a.txt | tee >(${connects})`,
  `cat a.txt | cat <(${connects})`,
  `cat a.txt | xargs -a b.txt ${connects}`,
  `(${connects}) < a.txt`,
  `while read -r line; do ${connects}; done < a.txt`,
  `bash -c '${connects}' < a.txt`,
  `exec < a.txt; ${connects}`,
  `{ exec < a.txt; }; ${connects}`,
  `${connects} <<< "$(cat a.txt)"`,
  `exec 3< a.txt; ${connects} <&3`,
];
const sendsNothing = [
  `(${connects} </dev/null)`,
  `{ ${connects}; } </dev/null`,
  `cat a.txt | (cat; ${connects} </dev/null)`,
  `while read -r line; do ${connects} </dev/null; done < a.txt`,
  `cat a.txt | xargs -I{} ${connects}`,
  `(exec < a.txt); ${connects}`,
];

describe('what a group, a function or a nested shell gets as input', () => {
  it('is what its commands get, so that they send it', () => {
    for (const command of sendsFile) assert.equal(assessCommand(command).level, 'high', command);
  });
  it('is not sent by a command with another input', () => {
    for (const command of sendsNothing) assert.equal(assessCommand(command).level, 'medium', command);
  });
  it('is replaced by a redirection', () => {
    for (const command of [
      'echo dist/a.map | xargs rm < list.txt',
      'echo dist/a.map | while read -r f; do rm "$f"; done < list.txt',
      'git diff | git apply <&3',
    ])
      assert.equal(assessCommand(command).level, 'high', command);
    assert.equal(assessCommand('echo dist/a.map | xargs rm').level, 'medium');
  });
  it('may have been read in part', () => {
    for (const command of [
      'echo dist/src | { read -n 5 a; xargs rm -rf; }',
      'git diff | { head -c 30; git apply; }',
      'cat a.patch | { head -c 30; git apply; }',
      'exec < a.patch; git apply',
    ])
      assert.equal(assessCommand(command).level, 'high', command);
  });
});
