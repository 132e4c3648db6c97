import { anyOf } from '../../../text/alternatives';
import { each, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, optionalValues, takes, values } from '../../calls/options';
import { note, refuse } from '../../effects/scope';

/**
 * File names with a special meaning: addresses, lists of files, programs, and formats that read or run the files they
 * name.
 */
const standsForMore = anyOf(
  [
    /^[a-z][a-z0-9+.-]+:(?!\w+$)/,
    /^\w*:\//,
    '://',
    /^@/,
    '=@',
    /^\|/,
    /`/,
    /\b(movie|subtitles|sendcmd|zmq|lavfi|concat|ladspa|lv2|frei0r|drawtext|tee)\b/,
    /\b(msl|mvg|ephemeral|url|text|label|caption|vid|epdf|inline|clipboard|win|x|show):/,
  ],
  'i',
);

/** Judges media programs, whose arguments can be more than file names. */
const judgeMedia: Judge = ({ words, scope }) => {
  for (const { text, source } of words)
    if (!/^-[\w:]+$/.test(text) && standsForMore.test(text))
      refuse(scope, source, 'Can make the program read, fetch or run something else.');
  return undefined;
};

/** Allows showing or checking keys. Everything else uses, creates or exposes keys. */
export const judgeKeysOnlyShown: Judge = ({ words, scope, whole, manual }) => {
  const shows =
    words.some(({ text }) => /^(--verify|--list-keys|--version|--fingerprint|-k|-l[fv]*)$/.test(text)) &&
    !words.some(({ text }) => /secret|^-[A-Za-z]*[sdaerK]$|export|import|keyserver|homedir|options/.test(text));
  if (!shows) {
    refuse(scope, whole, manual.reason!);
    return 'done';
  }
  note(scope, 'medium', whole, 'Shows or checks keys.');
  return words.every(({ kind, text }) => kind === 'literal' && !/^[~/]|\.\.\//.test(text)) ? 'done' : undefined;
};

export const convertsMedia: Manual = {
  level: 'medium',
  reason: 'Converts files of the workspace.',
  judge: judgeMedia,
  style: 'words',
};

export const mediaFamily: Family = {
  programs: {
    ffmpeg: {
      ...convertsMedia,
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
      ...convertsMedia,
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
      ...convertsMedia,
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
      ...convertsMedia,
      level: 'low',
      operands: { rest: 'read' },
      options: [flags('-verbose -ping -quiet -version'), values('-format')],
    },
    mogrify: {
      ...convertsMedia,
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
    ...each('cwebp dwebp optipng pngquant jpegoptim svgo gifsicle', {
      ...convertsMedia,
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
  },
};
