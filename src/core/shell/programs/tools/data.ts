import type { Manual, Manuals } from '../../calls/manual';
import { judgeBuild, judgeSqlite } from '../special/building';
import { judgeShowsCertificate } from '../special/lookups';
import { judgeKeysOnlyShown, judgeMedia } from '../special/media';
import { judgeQuery, judgeRedis } from '../special/queries';

const change: Manual = {
  level: 'medium',
  reason: 'It changes files of the workspace.',
  operands: 'write…',
  others: 'high',
};
const look: Manual = { level: 'low', others: 'high', operands: 'read…' };
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
    options:
      '-c= -U= -d= -h= -p= -A -t -x -q -X -l -w -1 --command= --username= --dbname= --host= --port= --list --version -V --no-align --tuples-only --csv --no-psqlrc',
  },
  'mysql mariadb': {
    level: 'high',
    reason: 'It can change data or run commands.',
    judge: judgeQuery,
    options:
      '-e= -u= -h= -P= -D= -N -B -t -s --execute= --user= --host= --port= --database= --version -V --table --batch',
  },
  'redis-cli valkey-cli': {
    level: 'high',
    reason: 'It can change data.',
    judge: judgeRedis,
    options: '--scan --pattern= --count= -h= -p= -n= --raw --no-raw --version -v -3',
  },
  pg_isready: { level: 'low', operands: '', options: '-h= -p= -U= -d= -q -t=' },
  duckdb: { level: 'high', reason: 'It can change data or run commands.', options: '--version', judge: judgeSqlite },
  openssl: {
    level: 'high',
    reason: 'It handles keys.',
    verbs: {
      version: { level: 'low', operands: '', options: '-a -v' },
      s_client: { level: 'high', reason: 'It talks to another machine.', judge: judgeShowsCertificate },
      'ciphers list': { level: 'low', operands: 'text…', options: '-v -V -s -tls1_3 -tls1_2 -commands' },
      'x509 req crl': {
        level: 'low',
        style: 'words',
        operands: '',
        options:
          '-in=read -noout -text -dates -subject -issuer -fingerprint -serial -enddate -startdate -modulus -pubkey -inform= -sha256 -sha1 -ext= -checkend= -nameopt= -email -purpose -hash -verify',
      },
      verify: {
        level: 'low',
        style: 'words',
        operands: 'read…',
        options: '-CAfile=read -untrusted=read -purpose= -verbose -partial_chain -x509_strict',
      },
      rand: { level: 'low', style: 'words', operands: 'text', options: '-hex -base64 -out=write' },
      base64: { level: 'low', style: 'words', operands: '', options: '-in=read -d -e -A' },
      dgst: {
        level: 'low',
        style: 'words',
        operands: 'search…',
        options: '-sha256 -sha1 -sha512 -sha384 -md5 -hex -r -binary',
      },
      'sha256 sha1 sha512 md5': { level: 'low', style: 'words', operands: 'search…', options: '-r -hex' },
    },
  },
  gpg: {
    level: 'high',
    reason: 'It handles keys.',
    style: 'words',
    options: '--verify^ --list-keys^ --version^ --fingerprint^ -k^',
    judge: judgeKeysOnlyShown,
  },
  'ssh-keygen': { level: 'high', reason: 'It handles keys.', options: '-l^ -f=read -E=', judge: judgeKeysOnlyShown },
  ffmpeg: {
    ...media,
    operands: 'write…',
    options:
      '-i=read -vf= -af= -c= -c:v= -c:a= -b:v= -b:a= -r= -s= -t= -ss= -to= -y -n -an -vn -sn -f= -map= -crf= -preset= -pix_fmt= -filter:v= -filter:a= -filter_complex= -loglevel= -v= -hide_banner -movflags= -acodec= -vcodec= -ar= -ac= -vframes= -frames:v= -q:v= -q:a= -qscale:v= -loop= -shortest -codec= -codec:v= -codec:a= -threads= -framerate= -lossless= -compression_level= -profile:v= -level= -g= -aspect= -an -stats -nostdin -version -codecs -formats -filters -encoders -decoders',
  },
  ffprobe: {
    ...media,
    level: 'low',
    operands: 'read…',
    options:
      '-v= -i=read -show_format -show_streams -show_entries= -of= -print_format= -select_streams= -hide_banner -loglevel= -pretty -count_frames -show_error -version -show_chapters',
  },
  'convert magick': {
    ...media,
    operands: 'read…',
    last: 'write',
    options:
      '-resize= -quality= -crop= -rotate= -strip -format= -background= -gravity= -extent= -density= -colorspace= -type= -depth= -flatten -trim -thumbnail= -geometry= -auto-orient -alpha= -flip -flop -negate -monochrome -blur= -sharpen= -fuzz= -transparent= -interlace= -define= -compose= -append +append +repage -border= -bordercolor= -version',
  },
  identify: { ...media, level: 'low', operands: 'read…', options: '-format= -verbose -ping -quiet -version' },
  mogrify: {
    ...media,
    operands: 'write…',
    options: '-resize= -quality= -crop= -rotate= -strip -format= -thumbnail= -density= -colorspace= -auto-orient -trim',
  },
  exiftool: {
    level: 'low',
    operands: 'read…',
    style: 'words',
    others: 'high',
    options:
      '-a -G -G1 -s -s3 -j -json -csv -r -ver -n -T -u -U -g -h -EXIF:all -GPS:all -ImageSize -ImageWidth -ImageHeight -MIMEType -FileType -DateTimeOriginal -CreateDate -Model -Make -Title -Author -PageCount -Duration',
  },
  mediainfo: { level: 'low', operands: 'read…', options: '--Version --Full -f --Output? --Help' },
  pandoc: {
    ...media,
    style: 'words',
    operands: 'read…',
    options:
      '-o=write --output=write -f=name -t=name --from=name --to=name -s --standalone --toc --toc-depth= --mathjax --number-sections --wrap= --columns= --metadata= -M= -V= --variable= --highlight-style= -c=read --css=read --version --section-divs --shift-heading-level-by= --filter=! --lua-filter=! --pdf-engine=! --extract-media=write',
  },
  'cwebp dwebp optipng pngquant jpegoptim svgo gifsicle': {
    ...media,
    style: 'words',
    operands: 'write…',
    options:
      '-q= -o=write --output=write -quality= -strip -o1 -o2 -o5 -o7 -O3 --strip-all --multipass --quiet --force --ext= --skip-if-larger -f=write --folder=write --lossy= -resize= -lossless -m= -version --version',
  },
  protoc: {
    level: 'medium',
    reason: 'It generates code.',
    style: 'words',
    operands: 'read…',
    options:
      '-I=search -I. -Iproto --proto_path=search --go_out=write --go_opt= --go-grpc_out=write --go-grpc_opt= --python_out=write --pyi_out=write --grpc_python_out=write --js_out= --ts_out=write --ts_proto_out=write --cpp_out=write --java_out=write --kotlin_out=write --csharp_out=write --ruby_out=write --rust_out=write --php_out=write --objc_out=write --descriptor_set_out=write -o=write --include_imports --include_source_info --experimental_allow_proto3_optional --version --plugin=! --encode=! --decode=!',
  },
  buf: {
    level: 'high',
    options: '--version',
    verbs: {
      'lint build breaking': {
        level: 'low',
        operands: 'search',
        options: '--path=search --error-format= --config=search --against=rev',
      },
      'generate format': {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: 'search',
        options: '-w -d --diff --path=search',
      },
    },
  },
  sqlc: {
    level: 'high',
    verbs: {
      'generate compile vet': { level: 'medium', reason: 'It generates code.', operands: '', options: '' },
      version: look,
    },
  },
  sqlfluff: {
    level: 'high',
    verbs: {
      lint: { level: 'low', operands: 'search…', options: '--dialect= --format= -f=' },
      'fix format': { ...change, options: '--dialect= -f --force' },
    },
  },
  ctags: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    operands: 'search…',
    options:
      '-R -e -a -f=write -o=write --exclude= --languages= --recurse? --fields= --version --list-languages --list-kinds? --list-maps? --kinds-all= --options=! --optlib-dir=!',
  },
  'jekyll hugo mkdocs mdbook zola eleventy hexo gatsby vitepress docusaurus': {
    level: 'medium',
    reason: 'It builds or serves the project.',
    declared: true,
    operands: 'text…',
    judge: judgeBuild,
    options:
      '--version --help -D --buildDrafts --minify -d=write --destination=write --port= -p= --strict --watch --livereload --clean --gc --quiet -q version',
  },
  'sphinx-build sphinx-apidoc': {
    level: 'medium',
    reason: 'It builds the project.',
    operands: 'search write',
    options: '-b= -q -W -n -a -E -j= --keep-going -o=write -f -M=',
  },
  'pdftotext pdfinfo pdftoppm': {
    level: 'medium',
    reason: 'It converts files of the workspace.',
    operands: 'read write',
    options: '-layout -f= -l= -r= -png -jpeg -nopgbrk',
  },
};
