import assert from 'node:assert/strict';
import { Secrets, secrets as ofThisProcess } from '../../../src/core/secrets/secrets';
import { maskShapes, MASK } from '../../../src/core/secrets/secretShapes';
import { secretsOfDotenv, secretsOfEnvironment } from '../../../src/core/secrets/secretValues';

const value = 'ztest_Q7/xk+2"vP&91=mL';
const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const knowing = (...values: string[]): Secrets => {
  const secrets = new Secrets();
  secrets.learn(...values);
  return secrets;
};

describe('known secrets', () => {
  it('are masked by what the whole process knows, which is made while its file is loaded', () => {
    ofThisProcess.learn('lantern-quarry-58213-otter');
    assert.equal(ofThisProcess.mask('k=lantern-quarry-58213-otter'), `k=${MASK}`);
  });

  it('are masked as they are, escaped, in URLs, in hexadecimal digits and in base64 wherever it begins', () => {
    const secrets = knowing(value);
    const written = [
      value,
      JSON.stringify(value),
      JSON.stringify(JSON.stringify({ value })),
      encodeURIComponent(value),
      encodeURI(value),
      new URLSearchParams({ value }).toString(),
      hexOf(value),
      hexOf(value).toUpperCase(),
      ...['', 'a', 'ab', 'abc', 'KEY='].flatMap((before) =>
        ['', '\n', ';;'].flatMap((after) => [
          Buffer.from(before + value + after).toString('base64'),
          Buffer.from(before + value + after).toString('base64url'),
        ]),
      ),
    ];
    for (const text of written) {
      const masked = secrets.maskKnown(`before ${text} after`);
      assert.ok(masked.includes(MASK), `${text} is not masked`);
      assert.ok(secrets.isIn(`before ${text} after`), `${text} is not found`);
      assert.ok(masked.startsWith('before ') && masked.endsWith(' after'), masked);
      assert.ok(masked.replaceAll(MASK, '').length < 40, masked);
    }
  });

  const long = 'q7Rt-91/zK&mW3xY"pL5vB8nC2dF6gH4jS0aE';
  const file = `SOME_OTHER_SETTING=${'abcdefghijklmnopqrst'}\nSERVICE_KEY=${long}\nLAST=1\n`;
  const bytes = Buffer.from(file);
  const lines = (text: string, width: number): string => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
  const dump = (of: Buffer, row: (digits: string[]) => string, bars = ''): string =>
    Array.from({ length: Math.ceil(of.length / 16) }, (_, at) => {
      const part = of.subarray(at * 16, at * 16 + 16);
      const offset = (at * 16).toString(16).padStart(8, '0');
      const digits = [...part].map((byte) => byte.toString(16).padStart(2, '0'));
      const printable = part.toString('latin1').replace(/[^ -~]/g, '.');
      return `${offset}${row(digits)}  ${bars}${printable}${bars}\n`;
    }).join('');
  const wide = Buffer.from(file, 'utf16le');
  const encoded: Record<string, string> = {
    'base64 in lines of 76': lines(bytes.toString('base64'), 76),
    'base64 in lines of 64': lines(bytes.toString('base64'), 64),
    'base64 of UTF-16': wide.toString('base64'),
    'base64 of UTF-16 in lines': lines(wide.toString('base64'), 76),
    'what xxd prints': dump(bytes, (digits) => `: ${digits.join('').replace(/.{4}/g, '$& ').trim().padEnd(39)}`),
    'what hexdump -C prints': dump(
      bytes,
      (digits) => `  ${digits.slice(0, 8).join(' ')}  ${digits.slice(8).join(' ')}`.padEnd(50),
      '|',
    ),
    'what xxd -p prints': lines(bytes.toString('hex'), 60),
    'upper-case hexadecimal with blanks': bytes.toString('hex').toUpperCase().replace(/../g, '$& '),
    'hexadecimal with colons': bytes.toString('hex').replace(/../g, '$&:'),
    'a list of bytes': [...bytes].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', '),
    'JSON that escapes slashes and ampersands': JSON.stringify(file).replaceAll('/', '\\/').replaceAll('&', '\\u0026'),
    'an address as Python writes it': encodeURIComponent(file).replaceAll('%2F', '/'),
    HTML: file.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  };
  /** True if a reader who knows the encoding can recover a good part of the secret. */
  const shows = (masked: string): boolean => {
    const digits = masked
      .replaceAll(MASK, '')
      .split('\n')
      .map((line) => line.replace(/^[0-9a-f]{8}:? +/, '').replace(/ {2}\S[^\n]*$/, ''))
      .join('')
      .replace(/0x|[ ,:]/g, '')
      .toLowerCase();
    const letters = masked.replaceAll(MASK, '').replace(/\n/g, '');
    return Array.from({ length: long.length - 7 }, (_, at) => long.slice(at, at + 8)).some(
      (part) =>
        letters.includes(part) ||
        digits.includes(hexOf(part)) ||
        Buffer.from(letters, 'base64').includes(part) ||
        Buffer.from(letters, 'base64').includes(Buffer.from(part, 'utf16le')),
    );
  };

  for (const [name, text] of Object.entries(encoded)) {
    it(`do not get through as ${name}, whole or in pieces`, () => {
      const secrets = knowing(long);
      assert.ok(!shows(secrets.maskKnown(text)), secrets.maskKnown(text));
      for (const size of [1, 5, 16, 67, 400]) {
        const stream = secrets.stream();
        let masked = '';
        for (let at = 0; at < text.length; at += size) masked += stream.push(text.slice(at, at + size));
        masked += stream.end();
        assert.ok(masked.includes(MASK) && !shows(masked), `pieces of ${size}: ${masked}`);
      }
    });
  }

  for (const width of [9, 12, 20, 33, 39]) {
    it(`do not get through in base64 that is broken into lines of ${width}, wherever it begins in a line and however it comes`, () => {
      const secrets = knowing(long);
      for (let before = 0; before < 3 * width; before += 2) {
        const bytes = Buffer.from(`${'Some0ther'.repeat(20).slice(0, before)}=${long}\nLAST=1\n`);
        const text = `$ base64 -w${width} .env\n${lines(bytes.toString('base64'), width)}\n`;
        const inner = bytes
          .toString('base64')
          .slice(Math.ceil(((before + 1) * 4) / 3), Math.floor(((before + 1 + long.length) * 4) / 3));
        for (const size of [1, 2, 3, width, width + 1, 2 * width + 2, text.length]) {
          for (const first of [0, text.indexOf('\n') + 1]) {
            const stream = secrets.stream();
            let masked = stream.push(text.slice(0, first));
            for (let at = first; at < text.length; at += size) masked += stream.push(text.slice(at, at + size));
            masked = (masked + stream.end()).replace(/\n/g, '');
            const found = Array.from({ length: inner.length - 11 }, (_, at) => inner.slice(at, at + 12)).find((part) =>
              masked.includes(part),
            );
            assert.equal(found, undefined, `${before} letters before it, in pieces of ${size}: ${masked}`);
          }
        }
      }
    });
  }

  it('hold back no end of a line that is not like base64', () => {
    const stream = knowing(long, 'Ready-or-not-here-I-come').stream();
    for (const line of ['Listening on port 3000\n', 'ready\n', 'README\n', 'done qq\n'])
      assert.equal(stream.push(line), line);
  });

  it('are left alone when they are shorter than 8 characters or words that hide nothing', () => {
    const secrets = knowing('short', 'postgres', 'password');
    assert.equal(secrets.maskKnown('short postgres password'), 'short postgres password');
    assert.ok(!secrets.isIn('short postgres password'));
  });

  it('are known line by line and piece by piece when they are long', () => {
    const long = Array.from({ length: 700 }, (_, index) => ((index * 7919) % 36).toString(36)).join('');
    const secrets = knowing(`first line here\n${long}`);
    assert.equal(secrets.maskKnown('first line here'), MASK);
    assert.equal(secrets.maskKnown(`<${long}>`).replaceAll(MASK, ''), '<>');
  });

  it('are masked however the text is cut into pieces', () => {
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow'.repeat(1500)}\n-----END RSA PRIVATE KEY-----`;
    const text = `start ${value} middle ${Buffer.from(value).toString('base64')} and ${token}, Authorization: Bearer abcdef0123456789 ${key} then password=h7Gf9wQz2LpX end\n`;
    for (const size of [1, 2, 3, 7, 16, 64, 1000, 5000]) {
      const stream = knowing(value).stream();
      let masked = '';
      for (let at = 0; at < text.length; at += size) masked += stream.push(text.slice(at, at + size));
      masked += stream.end();
      for (const secret of [
        value,
        Buffer.from(value).toString('base64').slice(0, 20),
        token.slice(4, 30),
        'abcdef0123456789',
        'MIIEow',
        'h7Gf9wQz2LpX',
      ])
        assert.ok(!masked.includes(secret), `pieces of ${size} show ${secret}: ${masked.slice(0, 300)}`);
      assert.match(
        masked,
        /^start \[masked secret\] middle \[masked secret\].* and \[masked secret\], Authorization: Bearer .* then password=\[masked secret\] end\n$/s,
        `pieces of ${size}`,
      );
    }
  });

  it('hold nothing back from text that ends in a space, a line break or a dot of progress', () => {
    const stream = knowing(value).stream();
    assert.equal(stream.push('Installing packages '), 'Installing packages ');
    assert.equal(stream.push('.....'), '.....');
    assert.equal(stream.push('done\n'), 'done\n');
  });
});

describe('what looks like a secret', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const tokens = [
    `sk-ant-api03-${letters}`,
    `sk-proj-${letters}`,
    `sk-or-v1-${letters}`,
    `gsk_${letters}`,
    `xai-${letters}`,
    `hf_${letters}`,
    `AKIA${'A2B3'.repeat(4)}`,
    `AIza${letters}`,
    `GOCSPX-${letters}`,
    `dop_v1_${'0af1'.repeat(16)}`,
    `dapi${'0af1'.repeat(8)}`,
    `hvs.${letters}`,
    `ghp_${letters}`,
    `github_pat_${letters}`,
    `glpat-${letters}`,
    `npm_${letters}`,
    `pypi-AgEIcHlwaS5vcmc${letters}`,
    `dckr_pat_${letters}`,
    `xoxb-1234567890-${letters}`,
    `sk_live_${letters}`,
    `whsec_${letters}`,
    `SG.${letters}.${letters}`,
    `shpat_${'0af1'.repeat(8)}`,
    `key-${'0af1'.repeat(8)}`,
    `${'0af1'.repeat(8)}-us12`,
    `lin_api_${letters}`,
    `glsa_${letters}`,
    `NRAK-${'A2B3'.repeat(7)}`,
    `123456789:AA${'b4C5d'.repeat(6)}xyz`,
    `eyJ${letters}.eyJ${letters}.${letters}`,
  ];

  for (const token of tokens)
    it(`hides ${token.slice(0, 12)}…`, () => assert.equal(maskShapes(`it is ${token}\n`), `it is ${MASK}\n`));

  it('leaves code, addresses, hashes and class names alone', () => {
    for (const text of [
      'const token = request.headers.authorization;',
      'password: z.string().min(12)',
      'token: string;',
      'function secret(key1: string) {}',
      'if (token === expectedToken123) return',
      '.sk-folding-cube-wrapper { }',
      'npm_config_registry_of_the_person=x',
      'commit 09be4c6a1b2c3d4e5f60718293a4b5c6d7e8f901',
      'https://example.com:8080/path',
      'integrity sha512-abcDEF0123456789abcDEF0123456789',
      'GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}',
      'const apiKey = process.env.OPENAI_API_KEY1;',
      'max_tokens: 4096',
      'password = "changeme"',
    ])
      assert.equal(maskShapes(text), text);
  });
});

describe('values that are learned', () => {
  it('come from names that say so, not from names of places and numbers', () => {
    assert.deepEqual(
      secretsOfEnvironment({
        GITHUB_TOKEN: 'a',
        MY_API_KEY: 'b',
        DB_PASSWORD: 'c',
        HOME: '/home',
        PWD: '/work',
        OLDPWD: '/work',
        SSH_AUTH_SOCK: '/tmp/s',
        KEYBOARD: 'd',
        MAX_TOKENS_LIMIT: '5',
        SECRET_KEY_PATH: '/k',
        NPM_CONFIG_CACHE: 'e',
      }),
      ['a', 'b', 'c'],
    );
  });

  it('come from .env files with quotes, comments and passwords in addresses', () => {
    const found = secretsOfDotenv(
      '# comment\nexport API_KEY="one two"\nPORT=3000\nNODE_ENV=development\nDB=postgres://me:hunter2222@host/db # main\nCANARY=ztest_93kd\nSITE=https://example.com/path\nTOKEN=\'single\'\n',
    );
    for (const value of ['one two', 'hunter2222', 'ztest_93kd', 'single']) assert.ok(found.includes(value), value);
    for (const value of ['3000', 'development', 'https://example.com/path']) assert.ok(!found.includes(value), value);
  });

  it('are no ordinary values of .env files, which other files contain, too', () => {
    const values =
      '.env.production us-east-1 gpt-4o-mini claude-sonnet-4-5 $DEPEND_ENV ${DEPEND_ENV} my.app_name'.split(' ');
    assert.deepEqual(secretsOfDotenv(values.map((value, nth) => `VITE_NAME_${nth}=${value}\n`).join('')), []);
    const secret = 'hunter2222 ABCD-1234-5678-EFGH 1234-5678-9012 $2b$10$abcdefghij x-9f8e7d6c5b4a'.split(' ');
    assert.deepEqual(secretsOfDotenv(secret.map((value, nth) => `VITE_NAME_${nth}=${value}\n`).join('')), secret);
    assert.deepEqual(secretsOfDotenv('API_TOKEN=us-east-1\n'), ['us-east-1']);
  });

  it('are passwords of two words, of a word with a number, or that look like a variable', () => {
    const passwords = {
      SMTP_PASS: 'summer-24',
      PASS: 'hunter.2',
      SSH_PASSPHRASE: 'correct-horse-12',
      LOGIN: '$ecretPassw0rd',
    };
    const text = Object.entries(passwords).map(([name, value]) => `${name}=${value}\n`);
    assert.deepEqual(secretsOfDotenv(text.join('')), Object.values(passwords));
  });
});
