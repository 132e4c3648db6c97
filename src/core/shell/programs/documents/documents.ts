import { each, type Family, type Manual } from '../../calls/manual';
import { flags, high, optionalValues, type Options, takes, values } from '../../calls/options';
import { fileReadingManual } from '../shared/kinds';
import { judgeBuild, judgeTests } from '../shared/projectCode';
import { convertsMedia } from './media';

const document = (options: Options): Manual => ({
  level: 'medium',
  reason: 'Creates documents from files of the workspace.',
  operands: { rest: 'read' },
  judge: judgeTests,
  style: 'words',
  others: 'high',
  options: [flags('--version -v --help'), ...options],
});

export const documentsFamily: Family = {
  programs: {
    pandoc: {
      ...convertsMedia,
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
    ctags: {
      level: 'medium',
      reason: 'Changes files of the workspace.',
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
      reason: 'Builds or serves the project.',
      declared: true,
      operands: { rest: 'text' },
      judge: judgeBuild,
      options: [
        flags(`
          --version --help -D --buildDrafts --minify --strict --watch --livereload --clean --gc
          --quiet -q 
        `),
        values('--port -p'),
        takes('write', '-d --destination'),
      ],
    }),
    ...each('sphinx-build sphinx-apidoc', {
      level: 'medium',
      reason: 'Builds the project.',
      operands: ['search', 'write'],
      options: [flags('-q -W -n -a -E --keep-going -f'), values('-b -j -M'), takes('write', '-o')],
    }),
    ...each('pdftotext pdfinfo pdftoppm', {
      level: 'medium',
      reason: 'Converts files of the workspace.',
      operands: ['read', 'write'],
      options: [flags('-layout -png -jpeg -nopgbrk'), values('-f -l -r')],
    }),
    ...each('dot neato fdp circo twopi', {
      level: 'low',
      operands: { rest: 'read' },
      others: 'high',
      style: 'words',
      options: [flags('-Tsvg -Tpng -Tpdf -Tjson -V'), values('-K -G -N -E'), takes('write', '-o')],
    }),
    ...each(
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
    asciidoctor: document([flags('-q -v -w -s -n -t'), values('-b -a -d -S'), takes('write', '-o -D')]),
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
        ...each('fonts query', fileReadingManual([flags('--variants --one'), values('--field')], ['read', 'text'])),
      },
    },
  },
};
