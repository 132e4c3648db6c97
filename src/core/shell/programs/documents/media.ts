import { anyOf } from '../../../text/alternatives';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
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

/** Changes the images in place, or writes to the file that an option names. */
const changesImages: Manual = { ...convertsMedia, operands: { rest: 'write' } };

/** Like `changesImages`, with letters that may share a dash. */
const { style, ...clustered } = changesImages;

/** `-Title` prints, but `-Title=TEXT` and `-json=FILE` change the images. */
const judgeTags: Judge = ({ words, scope }) => {
  for (const { text, source } of words)
    if (/^-[\w:*-]+[+^]?[=<]/.test(text)) refuse(scope, source, 'Changes what files say about themselves.');
  return undefined;
};

export const mediaFamily: Family = {
  programs: {
    ffmpeg: {
      ...convertsMedia,
      operands: { rest: 'write' },
      options: [
        flags(`
          -y -n -an -vn -sn -hide_banner -shortest -stats -nostdin -version -codecs -formats -filters
          -encoders -decoders -protocols -pix_fmts -layouts -sample_fmts -muxers -demuxers -devices -bsfs -dn
          -nostats -re -h
        `),
        values(`
          -vf -af -c -c:v -c:a -b:v -b:a -r -s -t -ss -to -f -map -crf -preset -pix_fmt -filter:v
          -filter:a -filter_complex -loglevel -v -movflags -acodec -vcodec -ar -ac -vframes -frames:v
          -q:v -q:a -qscale:v -loop -codec -codec:v -codec:a -threads -framerate -lossless
          -compression_level -profile:v -level -g -aspect -sample_fmt -vbr -tune -bf -b -maxrate -minrate -bufsize
          -keyint_min -sc_threshold -qmin -qmax -metadata -map_metadata -map_chapters -disposition -vsync
          -fps_mode -async -itsoffset -sws_flags -video_size -framerate -stream_loop -fflags -strict -ac
          -channel_layout -aq -cpu-used -deadline -row-mt -tag:v -tag:a -sseof -frames:a -ab -vb
          -max_muxing_queue_size -color_primaries -color_trc -colorspace -color_range
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
          -show_chapters -show_packets -show_frames -show_programs -count_packets -show_data -show_versions
          -show_library_versions -show_program_version -show_pixel_formats -unit -prefix -byte_binary_prefix
          -sexagesimal -sections -formats -demuxers -muxers -devices -codecs -decoders -encoders -bsfs -protocols
          -filters -pix_fmts -layouts -sample_fmts -colors -L
        `),
        values('-output_format -read_intervals -v -show_entries -of -print_format -select_streams -loglevel'),
        takes('read', '-i'),
      ],
    },
    ...eachNamed('convert magick', {
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
      judge: judgeTags,
      operands: { rest: 'read' },
      style: 'words',
      others: 'high',
      // Names of tags. With a value, they are written.
      mild: /^-(?:GPS|Exif|Image|Create|Date|Modify|File|Lens|Exposure|Focal|Media|Audio|Video|Color|White|Flash|Megapixels)\w*#?$/,
      options: [
        flags(`
          -a -G -G1 -s -s3 -j -json -csv -r -ver -n -T -u -U -g -h -EXIF:all -GPS:all -ImageSize
          -ImageWidth -ImageHeight -MIMEType -FileType -DateTimeOriginal -CreateDate -Model -Make
          -Title -Author -PageCount -Duration -b -X -q -S -t -l -D -H -m -ThumbnailImage -Orientation -Software
          -Description -Keywords -Subject -LensModel -ISO -ExposureTime -FNumber -FocalLength -GPSPosition -FileSize
          -FileModifyDate -Copyright -Creator -Producer -IPTC:all -XMP:all
        `),
      ],
    },
    mediainfo: {
      level: 'low',
      operands: { rest: 'read' },
      options: [flags('--Version --Full -f --Help'), optionalValues('--Output')],
    },
    ...eachNamed('cwebp dwebp', {
      ...convertsMedia,
      operands: { rest: 'read' },
      options: [
        flags(`
          -lossless -noalpha -exact -mt -quiet -v -version -h -H -progress -short -print_psnr -print_ssim -strong
          -nostrong -af -jpeg_like -low_memory -flip -nofilter -nofancy -nodither -bmp -tiff -pam -ppm -pgm -yuv
          -noasm -alpha_dither
        `),
        values(`
          -q -m -z -f -r -size -psnr -preset -sns -sharpness -segments -pass -alpha_q -alpha_method -alpha_filter
          -near_lossless -metadata -hint -dither -resize -crop -scale
        `),
        takes('write', '-o'),
      ],
    }),
    ...eachNamed('mkvinfo pngcheck soxi', {
      level: 'low',
      operands: { rest: 'read' },
      others: 'high',
      options: [flags('-t -v -q -c -h -f -s -r -d -D -V --version --help --all')],
    }),
    tesseract: {
      ...convertsMedia,
      operands: ['read', 'write', 'name'],
      others: 'high',
      options: [flags('--version --list-langs -h --help'), values('-l --psm --oem --dpi')],
    },
    oxipng: {
      ...changesImages,
      options: [
        flags('-q -v -p -P -t -a -s -Z -r --preserve --fix --force --pretend --alpha --strip --recursive'),
        values('-o --opt -i --interlace -f --filters --timeout -t --threads --strip --keep'),
        takes('write', '--out --dir'),
      ],
    },
    inkscape: {
      ...convertsMedia,
      operands: { rest: 'read' },
      others: 'high',
      options: [
        takes('write', '-o --export-filename'),
        flags(
          '--version --help --export-area-page -C --export-area-drawing -D --export-overwrite --export-plain-svg -l',
        ),
        values(
          '-w --export-width -h --export-height -d --export-dpi --export-type --export-background -i --export-id -b',
        ),
      ],
    },
    optipng: {
      ...changesImages,
      options: [
        flags(`
          -o0 -o1 -o2 -o3 -o4 -o5 -o6 -o7 -i0 -i1 -backup -keep -clobber -fix -force -preserve -quiet -q -silent
          -simulate -v -nb -nc -np -nx -nz -snip -version -h -help
        `),
        values('-o -i -f -strip -zc -zm -zs -zw'),
        takes('write', '-out -dir'),
      ],
    },
    jpegoptim: {
      ...clustered,
      options: [
        flags(`
          -s -f -n -b -q -t -v -o -p -P -h -V --strip-all --strip-none --strip-com --strip-exif --strip-iptc --strip-icc
          --strip-xmp --keep-all --all-progressive --all-normal --auto-mode --force --noaction --csv --quiet
          --totals --verbose --overwrite --preserve --preserve-perms --help --version
        `),
        values('-m -S -T -w --max --size --threshold --workers'),
        takes('write', '-d --dest'),
      ],
    },
    pngquant: {
      ...clustered,
      options: [
        flags('-f -v -V -h --force --skip-if-larger --strip --nofs --transbug --verbose --help --version'),
        values('-s -Q --speed --quality --posterize --floyd --ordered'),
        takes('write', '-o --output'),
        values('--ext'),
      ],
    },
    svgo: {
      ...clustered,
      declared: true,
      options: [
        flags(`
          -r -q -v -h --multipass --pretty --final-newline --recursive --quiet --show-plugins --no-color --version
          --help
        `),
        values('-p --precision --indent --eol --datauri --exclude'),
        takes('write', '-o --output -f --folder -i --input'),
      ],
    },
    gifsicle: {
      ...clustered,
      options: [
        flags(`
          -b -e -m -U -i -I -V -h -w -f -O1 -O2 -O3 --batch --explode --merge --unoptimize --interlace --no-interlace
          --info --color-info --careful --no-loopcount --no-warnings --no-comments --no-names
          --no-extensions --no-delay --flip-horizontal --flip-vertical --rotate-90 --rotate-180
          --rotate-270 --no-flip --no-rotate --same-loopcount --crop-transparency --verbose --version --help
        `),
        optionalValues('-O -l --optimize --loopcount --loop --lossy --dither'),
        values(`
          -d -k -D -c -n -t -B -S -j --delay --colors --delete --crop --scale --resize --resize-width --resize-height
          --resize-fit --resize-touch --resize-method --resize-colors --color-method --gamma --threads
          --position --disposal --background --transparent --name --comment --logical-screen
        `),
        takes('write', '-o --output'),
        // Runs a shell command.
        high(values('--transform-colormap --use-colormap')),
      ],
    },
  },
};
