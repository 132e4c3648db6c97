import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeBuild, judgeSqlite } from '../special/building';
import { judgeShowsCertificate } from '../special/lookups';
import { judgeKeysOnlyShown, judgeMedia } from '../special/media';
import { judgeQuery, judgeRedis } from '../special/queries';

const change: Manual = {
  level: 'medium',
  reason: 'It changes files of the workspace.',
  operands: { rest: 'write' },
  others: 'high',
};
const look: Manual = { level: 'low', others: 'high', operands: { rest: 'read' } };
const media: Manual = {
  level: 'medium',
  reason: 'It converts files of the workspace.',
  judge: judgeMedia,
  style: 'words',
};

/** Data bases, keys, pictures, sound and documents. */
export const dataTools: Manuals = {
  psql: {
    level: 'high',
    reason: 'It can change data or run commands.',
    judge: judgeQuery,
    options: [
      values('-c -U -d -h -p --command --username --dbname --host --port'),
      flags(`
          -A -t -x -q -X -l -w -1 --list --version -V --no-align --tuples-only --csv --no-psqlrc
        `),
    ],
  },
  ...each('mysql mariadb', {
    level: 'high',
    reason: 'It can change data or run commands.',
    judge: judgeQuery,
    options: [
      flags('-N -B -t -s --version -V --table --batch'),
      values('-e -u -h -P -D --execute --user --host --port --database'),
    ],
  }),
  ...each('redis-cli valkey-cli', {
    level: 'high',
    reason: 'It can change data.',
    judge: judgeRedis,
    options: [flags('--scan --raw --no-raw --version -v -3'), values('--pattern --count -h -p -n')],
  }),
  pg_isready: { level: 'low', operands: [], options: [flags('-q'), values('-h -p -U -d -t')] },
  duckdb: {
    level: 'high',
    reason: 'It can change data or run commands.',
    options: [flags('--version')],
    judge: judgeSqlite,
  },
  openssl: {
    level: 'high',
    reason: 'It handles keys.',
    verbs: {
      version: { level: 'low', operands: [], options: [flags('-a -v')] },
      s_client: { level: 'high', reason: 'It talks to another machine.', judge: judgeShowsCertificate },
      ...each('ciphers list', {
        level: 'low',
        operands: { rest: 'text' },
        options: [flags('-v -V -s -tls1_3 -tls1_2 -commands')],
      }),
      ...each('x509 req crl', {
        level: 'low',
        style: 'words',
        operands: [],
        options: [
          flags(`
              -noout -text -dates -subject -issuer -fingerprint -serial -enddate -startdate -modulus
              -pubkey -sha256 -sha1 -email -purpose -hash -verify
            `),
          values('-inform -ext -checkend -nameopt'),
          takes('read', '-in'),
        ],
      }),
      verify: {
        level: 'low',
        style: 'words',
        operands: { rest: 'read' },
        options: [
          flags('-verbose -partial_chain -x509_strict'),
          values('-purpose'),
          takes('read', '-CAfile -untrusted'),
        ],
      },
      rand: {
        level: 'low',
        style: 'words',
        operands: ['text'],
        options: [flags('-hex -base64'), takes('write', '-out')],
      },
      base64: { level: 'low', style: 'words', operands: [], options: [flags('-d -e -A'), takes('read', '-in')] },
      dgst: {
        level: 'low',
        style: 'words',
        operands: { rest: 'search' },
        options: [flags('-sha256 -sha1 -sha512 -sha384 -md5 -hex -r -binary')],
      },
      ...each('sha256 sha1 sha512 md5', {
        level: 'low',
        style: 'words',
        operands: { rest: 'search' },
        options: [flags('-r -hex')],
      }),
    },
  },
  gpg: {
    level: 'high',
    reason: 'It handles keys.',
    style: 'words',
    options: [medium(flags('--verify --list-keys --version --fingerprint -k'))],
    judge: judgeKeysOnlyShown,
  },
  'ssh-keygen': {
    level: 'high',
    reason: 'It handles keys.',
    options: [values('-E'), takes('read', '-f'), medium(flags('-l'))],
    judge: judgeKeysOnlyShown,
  },
  ffmpeg: {
    ...media,
    operands: { rest: 'write' },
    options: [
      flags(`
          -y -n -an -vn -sn -hide_banner -shortest -stats -nostdin -version -codecs -formats -filters
          -encoders -decoders
        `),
      values(`
          -vf -af -c -c:v -c:a -b:v -b:a -r -s -t -ss -to -f -map -crf -preset -pix_fmt -filter:v
          -filter:a -filter_complex -loglevel -v -movflags -acodec -vcodec -ar -ac -vframes -frames:v
          -q:v -q:a -qscale:v -loop -codec -codec:v -codec:a -threads -framerate -lossless
          -compression_level -profile:v -level -g -aspect
        `),
      takes('read', '-i'),
    ],
  },
  ffprobe: {
    ...media,
    level: 'low',
    operands: { rest: 'read' },
    options: [
      flags(`
          -show_format -show_streams -hide_banner -pretty -count_frames -show_error -version
          -show_chapters
        `),
      values('-v -show_entries -of -print_format -select_streams -loglevel'),
      takes('read', '-i'),
    ],
  },
  ...each('convert magick', {
    ...media,
    operands: { rest: 'read' },
    last: 'write',
    options: [
      flags(`
          -strip -flatten -trim -auto-orient -flip -flop -negate -monochrome -append +append +repage
          -version
        `),
      values(`
          -resize -quality -crop -rotate -format -background -gravity -extent -density -colorspace
          -type -depth -thumbnail -geometry -alpha -blur -sharpen -fuzz -transparent -interlace
          -define -compose -border -bordercolor
        `),
    ],
  }),
  identify: {
    ...media,
    level: 'low',
    operands: { rest: 'read' },
    options: [flags('-verbose -ping -quiet -version'), values('-format')],
  },
  mogrify: {
    ...media,
    operands: { rest: 'write' },
    options: [
      flags('-strip -auto-orient -trim'),
      values('-resize -quality -crop -rotate -format -thumbnail -density -colorspace'),
    ],
  },
  exiftool: {
    level: 'low',
    operands: { rest: 'read' },
    style: 'words',
    others: 'high',
    options: [
      flags(`
          -a -G -G1 -s -s3 -j -json -csv -r -ver -n -T -u -U -g -h -EXIF:all -GPS:all -ImageSize
          -ImageWidth -ImageHeight -MIMEType -FileType -DateTimeOriginal -CreateDate -Model -Make
          -Title -Author -PageCount -Duration
        `),
    ],
  },
  mediainfo: {
    level: 'low',
    operands: { rest: 'read' },
    options: [flags('--Version --Full -f --Help'), optionalValues('--Output')],
  },
  pandoc: {
    ...media,
    style: 'words',
    operands: { rest: 'read' },
    options: [
      takes('write', '-o --output --extract-media'),
      takes('name', '-f -t --from --to'),
      flags('-s --standalone --toc --mathjax --number-sections'),
      values(`
          --toc-depth -M -V --shift-heading-level-by --wrap --columns --metadata --variable
          --highlight-style
        `),
      takes('read', '-c --css'),
      flags('--version --section-divs'),
      high(values('--filter --lua-filter --pdf-engine')),
    ],
  },
  ...each('cwebp dwebp optipng pngquant jpegoptim svgo gifsicle', {
    ...media,
    style: 'words',
    operands: { rest: 'write' },
    options: [
      flags(`
          -strip -o1 -o2 -o5 -o7 -O3 --strip-all --multipass --quiet --force --skip-if-larger
          -lossless -version --version
        `),
      values('-q -quality --ext --lossy -resize -m'),
      takes('write', '-o --output -f --folder'),
    ],
  }),
  protoc: {
    level: 'medium',
    reason: 'It generates code.',
    style: 'words',
    operands: { rest: 'read' },
    options: [
      flags(`
          -I. -Iproto --include_imports --include_source_info --experimental_allow_proto3_optional
          --version
        `),
      values('--go_opt --go-grpc_opt --js_out'),
      takes('search', '-I --proto_path'),
      takes(
        'write',
        `
          --go_out --go-grpc_out --python_out --pyi_out --grpc_python_out --ts_out --ts_proto_out
          --cpp_out --java_out --kotlin_out --csharp_out --ruby_out --rust_out --php_out --objc_out
          --descriptor_set_out -o
        `,
      ),
      high(values('--plugin --encode --decode')),
    ],
  },
  buf: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('lint build breaking', {
        level: 'low',
        operands: ['search'],
        options: [values('--error-format'), takes('search', '--path --config'), takes('rev', '--against')],
      }),
      ...each('generate format', {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: ['search'],
        options: [flags('-w -d --diff'), takes('search', '--path')],
      }),
    },
  },
  sqlc: {
    level: 'high',
    verbs: {
      ...each('generate compile vet', { level: 'medium', reason: 'It generates code.', operands: [], options: [] }),
      version: look,
    },
  },
  sqlfluff: {
    level: 'high',
    verbs: {
      lint: { level: 'low', operands: { rest: 'search' }, options: [values('--dialect --format -f')] },
      ...each('fix format', { ...change, options: [flags('-f --force'), values('--dialect')] }),
    },
  },
  ctags: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    operands: { rest: 'search' },
    options: [
      values('--exclude --languages --fields --kinds-all'),
      flags('-R -e -a --version --list-languages'),
      optionalValues('--recurse --list-kinds --list-maps'),
      takes('write', '-f -o'),
      high(values('--options --optlib-dir')),
    ],
  },
  ...each('jekyll hugo mkdocs mdbook zola eleventy hexo gatsby vitepress docusaurus', {
    level: 'medium',
    reason: 'It builds or serves the project.',
    declared: true,
    operands: { rest: 'text' },
    judge: judgeBuild,
    options: [
      flags(`
          --version --help -D --buildDrafts --minify --strict --watch --livereload --clean --gc
          --quiet -q version
        `),
      values('--port -p'),
      takes('write', '-d --destination'),
    ],
  }),
  ...each('sphinx-build sphinx-apidoc', {
    level: 'medium',
    reason: 'It builds the project.',
    operands: ['search', 'write'],
    options: [flags('-q -W -n -a -E --keep-going -f'), values('-b -j -M'), takes('write', '-o')],
  }),
  ...each('pdftotext pdfinfo pdftoppm', {
    level: 'medium',
    reason: 'It converts files of the workspace.',
    operands: ['read', 'write'],
    options: [flags('-layout -png -jpeg -nopgbrk'), values('-f -l -r')],
  }),
};
