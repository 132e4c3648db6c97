import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { readFile } from '../../../../src/core/tools/native/readFile';
import type { ToolResult } from '../../../../src/core/ports/tool';
import { pdfOf } from '../../../support/pdf';
import { toolBench } from '../../../support/toolBench';

async function read(name: string, content: string | Buffer, range: object = {}): Promise<ToolResult> {
  const bench = toolBench();
  try {
    bench.place(name, content);
    return await bench.use(readFile, { path: name, ...range });
  } finally {
    bench.stop();
  }
}

/** Returns the error message of a call as the model reads it. */
const refusal = (name: string, content: string | Buffer): Promise<string> =>
  read(name, content).then(
    ({ content: words }) => words,
    (error: Error) => error.message,
  );

describe('read_file and text', () => {
  it('numbers lines as they are, and says where they go on', async () => {
    assert.equal((await read('a.txt', 'one\n\n  two\t\n')).content, '    1\tone\n    2\t\n    3\t  two\t');
    assert.equal(
      (await read('a.txt', 'one\ntwo\nthree\n', { from: 2, to: 2 })).content,
      '    2\ttwo\n[Lines 2-2 of 3.]',
    );
    assert.equal((await read('a.txt', 'one\ntwo\nthree\n', { from: 2 })).content, '    2\ttwo\n    3\tthree');
    assert.match(
      (await read('a.txt', 'x\n'.repeat(2001))).content,
      /\n 2000\tx\n\[Lines 1-2000 of 2001\. Continue at line 2001\.\]$/,
    );
    assert.deepEqual(await read('a.txt', 'one\n', { from: 3 }), {
      content: 'a.txt has 1 lines; there is no line 3.',
      failed: true,
    });
    assert.equal((await read('a.txt', 'one\n', { from: 3, to: 2 })).content, '"to" (2) is before "from" (3).');
  });

  it('is not fooled by names: a pointer of Git LFS called logo.png is text, and a picture called notes is a picture', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
    assert.match((await read('logo.png', pointer)).content, /^ {4}1\tversion https:/);
    assert.equal((await read('notes', png(2, 3))).images?.length, 1);
    assert.match((await read('data.ipynb', 'no json')).content, /^ {4}1\tno json$/);
  });
});

/** Only a signature and a size, without image data: nothing else is read. */
const png = (width: number, height: number, more = 0): Buffer => {
  const header = Buffer.alloc(33 + more);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
};
// Images of 3 × 2 pixels in each format.
const gif = Buffer.from('R0lGODlhAwACAIAAAP8AAAAAACH5BAAAAAAALAAAAAADAAIAAAIDhI9WADs=', 'base64');
const webpLossless = Buffer.concat([
  Buffer.from('RIFF\x14\0\0\0WEBPVP8L\x08\0\0\0', 'latin1'),
  Buffer.from([0x2f, 0x02, 0x40, 0x00, 0x00, 0, 0, 0]),
]);
const webpExtended = Buffer.concat([
  Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'),
  Buffer.from([0, 0, 0, 0, 2, 0, 0, 1, 0, 0]),
]);
const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffe1', 'hex'),
  Buffer.from([0x01, 0x02]),
  Buffer.alloc(0x100),
  Buffer.from('ffc2001108000200030301', 'hex'),
  Buffer.alloc(12),
]);

describe('read_file and pictures', () => {
  for (const [name, bytes, mediaType] of [
    ['a.png', png(3, 2), 'image/png'],
    ['a.gif', gif, 'image/gif'],
    ['a.webp', webpLossless, 'image/webp'],
    ['b.webp', webpExtended, 'image/webp'],
    ['a.jpg', jpeg, 'image/jpeg'],
  ] as const) {
    it(`shows ${name} byte for byte, with its size`, async () => {
      const { content, images, failed } = await read(name, bytes);
      assert.equal(
        content,
        `${name}: a picture, ${mediaType}, 3 × 2 pixels, ${bytes.length} bytes. It is shown after the results.`,
      );
      assert.deepEqual(images, [{ mediaType, data: bytes.toString('base64') }]);
      assert.equal(failed, undefined);
    });
  }

  it('refuses what model servers refuse, since one such picture ends the session: too many bytes or pixels, other formats, damage', async () => {
    assert.match(
      await refusal('big.png', png(3, 2, 4_000_000)),
      /^big\.png: a picture, image\/png, 3 × 2 pixels, 3\.8 MB\. It is not shown: model servers accept up to 3\.7 MB\. Make a smaller copy/,
    );
    assert.match(await refusal('wide.png', png(8001, 2)), /accept up to 8000 pixels a side/);
    assert.match(await refusal('huge.png', png(3, 2, 12_000_000)), /11\.4 MB\. It is not shown/);
    assert.match(
      await refusal('photo.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1')),
      /^photo\.heic is a HEIC picture, which models do not accept\. Convert it to PNG/,
    );
    assert.match(await refusal('cut.png', png(3, 2).subarray(0, 20)), /^cut\.png is binary \(20 bytes\)/);
    assert.match(await refusal('none.png', png(0, 2)), /^none\.png is binary/);
    assert.match(await refusal('a.zip', Buffer.from('PK\x03\x04\0\0\0\0', 'latin1')), /^a\.zip is binary/);
  });

  it('shows what is under the limit in the base64 that servers count', async () => {
    const { images } = await read('large.png', png(3, 2, 3_899_000));
    assert.ok(images![0]!.data.length < 5 * 1024 * 1024, 'Anthropic counts the bytes of the base64');
  });
});

describe('read_file and PDF', function () {
  this.timeout(60_000);

  for (const packed of [true, false]) {
    it(`reads pages by their numbers, ${packed ? 'packed' : 'written as plain text'}`, async () => {
      const { content, details } = await read(
        'paper.pdf',
        pdfOf([['A title', 'and (more) text.'], [], ['The end.']], { packed }),
      );
      assert.equal(
        content,
        '[page 1]\nA title\nand (more) text.\n\n[page 2]\n[No text; it may be a picture.]\n\n[page 3]\nThe end.',
      );
      assert.deepEqual(
        { ...details, version: '' },
        { kind: 'read', path: 'paper.pdf', version: '', fromLine: 1, toLine: 3, totalLines: 3, of: 'pages' },
      );
    });
  }

  it('reads a range of pages, and says where the rest is', async () => {
    const paper = pdfOf([['one'], ['two'], ['three']]);
    assert.equal((await read('p.pdf', paper, { from: 2, to: 2 })).content, '[page 2]\ntwo\n\n[Pages 2-2 of 3.]');
    assert.equal((await read('p.pdf', paper, { from: 3 })).content, '[page 3]\nthree');
    assert.deepEqual(await read('p.pdf', paper, { from: 4 }), {
      content: 'p.pdf has 3 pages; there is no page 4.',
      failed: true,
    });
    const long = pdfOf(Array.from({ length: 30 }, () => Array.from({ length: 50 }, () => 'x'.repeat(60))));
    assert.match(
      (await read('p.pdf', long)).content,
      /\[Page 17 may continue: only the first 50,000 characters are shown\. Pages 1-17 of 30\. Continue at page 18\.\]$/,
    );
  });

  it('says that a file is scanned, protected or damaged, and what to do', async () => {
    assert.match(
      await refusal('p.pdf', pdfOf([[], []])),
      /^Pages 1-2 of 2 of p\.pdf contain no text: they are probably scanned\. Make pictures of them with a command/,
    );
    const locked = pdfOf([['secret']], {
      trailer: `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> /P -4 >>`,
    });
    assert.match(
      await refusal('p.pdf', locked),
      /could not be read: it is password-protected\. A command may do better/,
    );
    assert.match(
      await refusal('p.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n\0\0'), Buffer.alloc(500, 7)])),
      /could not be read: it is damaged/,
    );
  });

  it('runs no script of a file', async () => {
    const script = '/OpenAction << /S /JavaScript /JS (app.alert\\("ran"\\); process.exit\\(3\\);) >>';
    assert.equal((await read('p.pdf', pdfOf([['harmless']], { catalogue: script }))).content, '[page 1]\nharmless');
  });

  it('survives files that unpack to gigabytes, or call themselves without end', async () => {
    const half = deflateSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const bomb = deflateSync(Buffer.concat(Array.from({ length: 200 }, () => half)));
    assert.match(await refusal('bomb.pdf', pdfOf([['x']], { firstPage: bomb })), /p?df/);
    const endless = pdfOf([['x']])
      .toString('latin1')
      .replace('/Kids [4 0 R]', '/Kids [2 0 R]');
    assert.match(await refusal('loop.pdf', Buffer.from(endless, 'latin1')), /could not be read/);
  });

  it('is stopped with the run', async () => {
    const bench = toolBench();
    bench.place('p.pdf', pdfOf(Array.from({ length: 300 }, () => ['word'])));
    const { documents } = await import('../../../../src/adapters/documents/documents');
    const stop = new AbortController();
    const reading = documents.pdfText(bench.bytes('p.pdf')!, { from: 1, maxCharacters: 50_000 }, stop.signal);
    stop.abort(new Error('Stopped.'));
    await assert.rejects(reading, /Stopped\./);
    bench.stop();
  });
});

const notebook = JSON.stringify(
  {
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# A "title" with { and [\n', 'more'] },
      {
        cell_type: 'code',
        execution_count: 1,
        metadata: {},
        source: 'print(1)',
        outputs: [{ output_type: 'stream', name: 'stdout', text: ['\u001b[31m1\u001b[0m\n'] }],
      },
      {
        cell_type: 'code',
        execution_count: 2,
        metadata: {},
        source: [],
        outputs: [
          {
            output_type: 'display_data',
            data: { 'image/png': 'iVBORw0KGgo='.repeat(100), 'text/plain': ['<Figure>'] },
            metadata: {},
          },
          { output_type: 'error', ename: 'ValueError', evalue: 'wrong', traceback: ['long', 'lines'] },
        ],
      },
    ],
    metadata: { kernelspec: { name: 'python3' }, cells: [1] },
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
);

describe('read_file and notebooks', () => {
  it('tells cells with their lines, sources and short outputs, pictures by name', async () => {
    const { content, details } = await read('a.ipynb', notebook);
    const lines = notebook.split('\n');
    const parts = content.split('\n\n');
    assert.deepEqual(
      parts.map((part) => part.replace(/lines \d+-\d+/, 'LINES')),
      [
        '[cell 1: markdown, LINES of the file]\n# A "title" with { and [\nmore',
        '[cell 2: code, LINES of the file]\nprint(1)\n[output]\n1',
        '[cell 3: code, LINES of the file]\n[output]\n<Figure>\n[image/png, not shown]\n[output]\nValueError: wrong',
        '[A notebook. The file itself is JSON: read a range of its lines to see it. Edit cells with edit_notebook if it is offered; make other edits in the JSON.]',
      ],
    );
    const told = [...content.matchAll(/lines (\d+)-(\d+)/g)].map(([, from, to]) =>
      lines
        .slice(Number(from) - 1, Number(to))
        .join('\n')
        .replace(/,$/, ''),
    );
    assert.deepEqual(
      told.map((cell) => JSON.parse(cell) as unknown),
      (JSON.parse(notebook) as { cells: unknown[] }).cells,
    );
    assert.equal(details?.kind === 'read' && details.totalLines, lines.length);
  });

  it('shows the lines of the file where they are asked for, which can then be edited', async () => {
    assert.equal((await read('a.ipynb', notebook, { from: 1, to: 2 })).content.split('\n')[0], '    1\t{');
  });

  it('cuts long outputs and long notebooks, and says where the rest is', async () => {
    const cells = Array.from({ length: 40 }, (_, index) => ({
      cell_type: 'code',
      metadata: {},
      source: `# ${'x'.repeat(1990)} ${index}`,
      outputs: [{ output_type: 'stream', text: 'line\n'.repeat(100) }],
    }));
    const { content } = await read('long.ipynb', JSON.stringify({ cells, nbformat: 4 }, null, 1));
    assert.ok(content.length < 53_000);
    assert.equal(
      content.match(/\[The output continues; see lines \d+-\d+\.\]/g)?.length,
      content.match(/\[cell /g)?.length,
    );
    assert.match(content, /\[Cells \d+-40 are omitted\. Read them as JSON, from line \d+ on\.\]/);
  });

  it('says of a cell that is too long to be shown that it goes on', async () => {
    const cells = ['x = 1\n'.repeat(20_000), 'y'].map((source) => ({ cell_type: 'code', metadata: {}, source }));
    const { content } = await read('one.ipynb', JSON.stringify({ cells, nbformat: 4 }, null, 1));
    assert.ok(content.length < 51_000);
    assert.match(
      content,
      /\n\[The cell continues; see lines \d+-\d+ of the file\. Do not replace it: edit its JSON\.\]/,
    );
    assert.match(content, /\[Cells 2-2 are omitted\./);
  });

  it('reads one with megabytes in one text', async () => {
    const { content } = await read(
      'big.ipynb',
      JSON.stringify({
        cells: [{ cell_type: 'code', source: 'show()', outputs: [{ data: { 'image/png': 'A'.repeat(9_000_000) } }] }],
        nbformat: 4,
      }),
    );
    assert.match(content, /^\[cell 1: code, lines 1-1 of the file\]\nshow\(\)\n\[output\]\n\[image\/png, not shown\]/);
  });

  it('is text where it is no notebook', async () => {
    assert.equal((await read('a.ipynb', '{"cells": 1}')).content, '    1\t{"cells": 1}');
  });
});
