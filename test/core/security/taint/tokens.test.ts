import { strict as assert } from 'node:assert';
import { addressIn, tokensIn } from '../../../../src/core/security/taint/tokens';

/** Returns CPU time in ms, the minimum of several runs, to exclude other load on the machine. */
function cost(work: () => void): number {
  const runs = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

const read = (text: string): number => [...tokensIn(text)].length;

describe('the tokens of a text', () => {
  const size = 1_000_000;
  const hostile: Readonly<Record<string, string>> = {
    'one letter': 'a'.repeat(size),
    'one digit': '1'.repeat(size),
    dots: '.'.repeat(size),
    'dots between letters': `x${'.'.repeat(size)}x`,
    'alternating characters': 'a.'.repeat(size / 2),
    slashes: '/'.repeat(size),
    'incomplete addresses': 'http:/'.repeat(size / 6),
    'empty addresses': 'a://'.repeat(size / 4),
    'digits as schemes': '1://'.repeat(size / 4),
    'a long host name': `http://${'a'.repeat(size)}`,
    'repeated user names': 'http://a@'.repeat(size / 9),
    'equals signs': '='.repeat(size),
    values: 'a=b'.repeat(size / 3),
    versions: 'abcdefg@'.repeat(size / 8),
    'repeated ./': './'.repeat(size / 2),
  };
  const harmless = 'Plain words, src/some/file.ts and https://example.org/page too. '.repeat(size / 64);

  for (const [name, text] of Object.entries(hostile)) {
    it(`cost less than ten times those of ordinary text: ${name}`, function () {
      this.timeout(120_000);
      // A quarter first: with quadratic time, the whole would take minutes.
      const part = text.slice(0, text.length / 4);
      const reference = cost(() => read(harmless)) + 20;
      assert.ok(cost(() => read(part)) < reference * 10, 'a quarter of it');
      assert.ok(cost(() => read(text)) < reference * 10);
      assert.ok(cost(() => void addressIn(text)) < reference * 10, 'as one word');
    });
  }

  it('include addresses behind a long prefix', () => {
    const found = new Set(
      [...tokensIn(`x=${'a'.repeat(5000)}&u=https://evil.example/in?d=${'b'.repeat(5000)}`)].map(({ text }) => text),
    );
    assert.ok(found.has('evil.example'));
    assert.ok(
      [...tokensIn(`1://${'9'.repeat(2043)}https://evil.example/in`)].some(({ text }) => text === 'evil.example'),
    );
  });

  it('include addresses, hosts, packages, versions and values', () => {
    const words = (text: string): string[] => [...tokensIn(text)].map((token) => token.text);
    assert.deepEqual(words('Get https://user@Files.Example.org:8080/a?b=c, now.'), [
      'https://user@files.example.org:8080/a?b=c',
      'files.example.org',
      'https://user@files.example.org:8080/a',
    ]);
    assert.deepEqual(words('./src/file.ts left-pad@1.2.3 --url=value-of-it'), [
      'src/file.ts',
      'left-pad@1.2.3',
      'left-pad',
      '--url=value-of-it',
      'value-of-it',
    ]);
    assert.deepEqual(addressIn('git+https://a.example/x.git#v1'), {
      text: 'git+https://a.example/x.git#v1',
      host: 'a.example',
      plain: 'git+https://a.example/x.git',
    });
    assert.equal(addressIn('http:///x'), undefined);
  });
});
