import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, type Options, takes, values } from '../../calls/options';
import { fileReadingManual } from '../shared/kinds';
import { judgeBuild, judgeTests } from '../shared/projectCode';
import { convertsMedia } from './media';

const pdf: Manual = { level: 'medium', reason: 'Converts files of the workspace.', style: 'words', others: 'high' };

/** With `-` as its target, it prints the text. */
const judgePrintsText: Judge = ({ manual, ...call }) => {
  if (call.name !== 'pdftotext' || call.words.at(-1)?.text !== '-') return undefined;
  const { judge, ...plain } = manual;
  judgeByManual({ ...call, words: call.words.slice(0, -1), manual: { ...plain, level: 'low', operands: ['read'] } });
  return 'done';
};

const document = (options: Options): Manual => ({
  level: 'medium',
  reason: 'Creates documents from files of the workspace.',
  operands: { rest: 'read' },
  judge: judgeTests,
  style: 'words',
  others: 'high',
  options: [flags('--version -v --help'), ...options],
});

const buildsSite = {
  level: 'medium',
  reason: 'Builds or serves the project.',
  declared: true,
  operands: { rest: 'text' },
  judge: judgeBuild,
  options: [
    flags(`
      --version --help -D --buildDrafts --minify --strict --watch --livereload --clean --gc
      --quiet -q --incremental --verbose --drafts --future --disableFastRender -h
    `),
    values('--port -p'),
    takes('write', '-d --destination --output-dir'),
  ],
} as const satisfies Manual;

export const documentsFamily: Family = {
  programs: {
    pandoc: {
      ...convertsMedia,
      style: 'words',
      operands: { rest: 'read' },
      options: [
        takes('write', '-o --output --extract-media'),
        takes('name', '-f -t --from --to'),
        flags(`
          -s -N -C -p -i --standalone --toc --table-of-contents --mathjax --mathml --number-sections --citeproc
          --preserve-tabs --ascii --incremental --reference-links --no-highlight --quiet --verbose
          --fail-if-warnings --html-q-tags --list-input-formats --list-output-formats
          --list-highlight-languages --list-highlight-styles --gladtex --help -h
        `),
        optionalValues('--list-extensions'),
        values(`
          --toc-depth -M -V --shift-heading-level-by --wrap --columns --metadata --variable
          --highlight-style --slide-level --eol --dpi --tab-stop --top-level-division --id-prefix
          --title-prefix --email-obfuscation --markdown-headings --reference-location --track-changes
          --print-highlight-style --number-offset
        `),
        takes(
          'read',
          `
          -c -H -B -A --css --template --reference-doc --include-in-header --include-before-body
          --include-after-body --bibliography --csl --metadata-file --abbreviations
          --epub-cover-image --epub-metadata
        `,
        ),
        takes('search', '--resource-path'),
        flags('--version --section-divs'),
        high(values('-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir')),
      ],
    },
    ctags: {
      level: 'medium',
      reason: 'Changes files of the workspace.',
      operands: { rest: 'search' },
      options: [
        optionalValues('--c-kinds --c++-kinds --python-kinds --javascript-kinds --go-kinds --java-kinds'),
        values('--exclude --languages --fields --kinds-all --output-format --sort --extras --langmap --tag-relative'),
        flags('-R -e -a -x -u --version --list-languages --list-fields --list-extras --list-output-formats --verbose'),
        optionalValues('--recurse --list-kinds --list-maps'),
        takes('write', '-f -o'),
        high(values('--options --optlib-dir')),
      ],
    },
    ...eachNamed('hugo zola eleventy hexo gatsby', buildsSite),
    // They delete whatever else is in the folder for their output.
    ...eachNamed('jekyll mkdocs mdbook vitepress docusaurus', {
      ...buildsSite,
      options: [
        ...buildsSite.options,
        takes('empties', '-d --destination --site-dir --dest-dir --output-dir --outDir --out-dir'),
      ],
    }),
    ...eachNamed('sphinx-build sphinx-apidoc', {
      level: 'medium',
      reason: 'Builds the project.',
      operands: ['search', 'write'],
      options: [
        flags('-q -v -W -n -a -E -T -N --keep-going -f --fresh-env --write-all --nitpicky --fail-on-warning --quiet'),
        values('-b -j -M --builder --jobs'),
        takes('write', '-o'),
      ],
    }),
    ...eachNamed('pdftotext pdftoppm', {
      ...pdf,
      judge: judgePrintsText,
      operands: ['read', 'write'],
      options: [
        flags(`
          -layout -raw -simple -simple2 -table -lineprinter -htmlmeta -bbox -bbox-layout -nopgbrk -nodiag -tsv -cropbox
          -listenc -png -jpeg -jpegcmyk -tiff -mono -gray -singlefile -hide-annotations -overprint -forcenum
          -progress -o -e -q -v -h --help
        `),
        values(`
          -f -l -r -rx -ry -x -y -W -H -sz -scale-to -scale-to-x -scale-to-y -enc -eol -fixed -colspacing -opw -upw -jpegopt
          -tiffcompression -freetype -thinlinemode -aa -aaVector -sep
        `),
      ],
    }),
    pdfinfo: {
      ...pdf,
      level: 'low',
      operands: ['read'],
      options: [
        flags('-box -meta -custom -js -struct -struct-text -isodates -rawdates -dests -url -listenc -v -h --help'),
        values('-f -l -enc -opw -upw'),
      ],
    },
    ...eachNamed('dot neato fdp circo twopi sfdp osage patchwork', {
      level: 'low',
      operands: { rest: 'read' },
      others: 'high',
      options: [
        flags('-V -v -x -y -?'),
        values('-T -K -G -N -E'),
        optionalValues('-q -s -n'),
        takes('write', '-o'),
        // Writes a file beside each input.
        medium(flags('-O')),
      ],
    }),
    ...eachNamed(
      'latexmk pdflatex xelatex lualatex bibtex biber makeindex',
      document([
        flags(`
        -pdf -xelatex -lualatex -c -C -quiet -f -g -halt-on-error -file-line-error -draftmode
        -no-shell-escape -silent
      `),
        values('-interaction -synctex'),
        takes('write', '-output-directory -outdir -jobname'),
      ]),
    ),
    asciidoctor: document([
      flags('-q -v -w -s -n -t -e --quiet --verbose --warnings --embedded --section-numbers --timings --trace -h'),
      values('-b -a -d -S --backend --attribute --doctype --safe-mode'),
      takes('plugin', '-r --require'),
      takes('write', '-o -D --out-file --destination-dir'),
    ]),
    doxygen: {
      level: 'medium',
      reason: 'Creates documents from files of the workspace.',
      operands: ['search'],
      judge: judgeTests,
      others: 'high',
      options: [flags('-v --version -q')],
    },
    typst: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        compile: {
          level: 'medium',
          reason: 'Creates documents from files of the workspace.',
          operands: ['read', 'write'],
          others: 'high',
          options: [values('--format -f --ppi --pages'), takes('search', '--root')],
        },
        ...eachNamed(
          'fonts query',
          fileReadingManual([flags('--variants --one'), values('--field')], ['read', 'text']),
        ),
      },
    },
  },
};
