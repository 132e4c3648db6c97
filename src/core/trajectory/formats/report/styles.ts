/** Styles of all reports: light and dark colors, and a header with figures. Nothing is loaded. */
export const baseStyles = `
:root {
  color-scheme: light dark;
  --page: #f7f6f2;
  --card: #fff;
  --text: #1d252c;
  --soft: #5b6670;
  --line: #dcdad2;
  --trail: #c9c5b8;
  --mark: #a4480f;
  --mark-text: #fff;
  --code: #f1efe8;
  --added: #e2f3e5;
  --removed: #fbe6e3;
  --added-text: #17602a;
  --removed-text: #9c2a1c;
  --low: #2c6e49;
  --medium: #8a5a00;
  --high: #b3261e;
  --unknown: #5b6670;
  --shadow: 0 1px 2px rgb(0 0 0 / 0.06);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14191d;
    --card: #1b2228;
    --text: #e4e7e9;
    --soft: #9aa5ae;
    --line: #2d363d;
    --trail: #3a454d;
    --mark: #f0a35e;
    --mark-text: #1b1208;
    --code: #12171b;
    --added: #14301f;
    --removed: #3a1a18;
    --added-text: #8fd6a4;
    --removed-text: #f2a49b;
    --low: #7fc79c;
    --medium: #e2b25c;
    --high: #ff9a90;
    --unknown: #9aa5ae;
    --shadow: none;
  }
}
* {
  box-sizing: border-box;
}
html {
  scroll-behavior: smooth;
  scroll-padding-top: 1rem;
  -webkit-text-size-adjust: 100%;
}
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font:
    15px/1.55 system-ui,
    -apple-system,
    "Segoe UI",
    Roboto,
    "Helvetica Neue",
    Arial,
    sans-serif;
}
a {
  color: inherit;
}
:focus-visible {
  outline: 2px solid var(--mark);
  outline-offset: 2px;
  border-radius: 3px;
}
.skip {
  position: absolute;
  left: -99rem;
}
.skip:focus {
  left: 1rem;
  top: 1rem;
  background: var(--card);
  padding: 0.4rem 0.8rem;
}
header .brand {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  color: var(--soft);
  font-size: 0.8rem;
  letter-spacing: 0.04em;
  text-transform: uppercase;
}
header .brand svg {
  width: 1.1rem;
  height: 1.1rem;
  color: var(--mark);
}
h1 {
  font-size: clamp(1.5rem, 1.1rem + 1.6vw, 2.1rem);
  line-height: 1.2;
  margin: 0.6rem 0 0.5rem;
  font-weight: 650;
  letter-spacing: -0.012em;
  overflow-wrap: anywhere;
  text-wrap: balance;
}
h2 {
  font-size: 0.8rem;
  font-weight: 600;
  letter-spacing: 0.05em;
  text-transform: uppercase;
  color: var(--soft);
  margin: 0 0 0.6rem;
}
.facts {
  color: var(--soft);
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem 1.1rem;
  align-items: center;
  margin: 0;
}
.pill {
  display: inline-flex;
  align-items: center;
  gap: 0.35rem;
  border: 1px solid currentColor;
  border-radius: 99px;
  padding: 0.05rem 0.6rem;
  font-size: 0.82rem;
  font-weight: 600;
  white-space: nowrap;
}
.pill::before {
  content: "";
  width: 0.5rem;
  height: 0.5rem;
  border-radius: 50%;
  background: currentColor;
}
.good {
  color: var(--low);
}
.bad {
  color: var(--high);
}
.fair {
  color: var(--medium);
}
.plain {
  color: var(--soft);
}
.tiles {
  display: flex;
  flex-wrap: wrap;
  gap: 1px;
  background: var(--line);
  border: 1px solid var(--line);
  border-radius: 10px;
  overflow: hidden;
  margin: 1.4rem 0 0;
}
.tiles div {
  flex: 1 1 8.5rem;
  background: var(--card);
  padding: 0.75rem 1rem;
}
.tiles dt {
  color: var(--soft);
  font-size: 0.78rem;
}
.tiles dd {
  margin: 0;
  font-size: 1.25rem;
  font-weight: 600;
  font-variant-numeric: tabular-nums;
}
.tiles small {
  display: block;
  font-size: 0.78rem;
  font-weight: 400;
  color: var(--soft);
}
code {
  font:
    0.9em ui-monospace,
    SFMono-Regular,
    Menlo,
    Consolas,
    monospace;
  background: var(--code);
  border-radius: 4px;
  padding: 0.05em 0.3em;
}
footer {
  color: var(--soft);
  font-size: 0.8rem;
  border-top: 1px solid var(--line);
  padding-top: 1rem;
}
`;

/** Styles of a run report: a timeline with a mark for each step. For screen and print. */
export const styles = `${baseStyles}
.layout {
  max-width: 78rem;
  margin: 0 auto;
  padding: 2.5rem 1.5rem 4rem;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 2rem;
}
@media (min-width: 70rem) {
  .layout {
    grid-template-columns: 17rem minmax(0, 1fr);
  }
  .layout > header,
  .layout > footer {
    grid-column: 1 / -1;
  }
}
.warning {
  border: 1px solid var(--high);
  border-left-width: 4px;
  border-radius: 8px;
  padding: 0.6rem 1rem;
  margin: 0 0 0.9rem;
  overflow-wrap: anywhere;
}
.warning strong {
  color: var(--high);
}
.warning ul {
  margin: 0.2rem 0 0;
  padding-left: 1.1rem;
}
.picture {
  display: block;
  max-width: 100%;
  max-height: 24rem;
  margin-top: 0.6rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  break-inside: avoid;
}
.chart {
  margin: 1.2rem 0 0;
}
.chart svg {
  display: block;
  width: 100%;
  height: 3.4rem;
  color: var(--mark);
}
.chart figcaption {
  color: var(--soft);
  font-size: 0.78rem;
}
.changed {
  margin: 1.2rem 0 0;
  font-size: 0.88rem;
}
.changed h2 {
  margin: 0 0 0.3rem;
  font-size: 1rem;
}
.changed ul {
  list-style: none;
  margin: 0;
  padding: 0;
  max-height: 16rem;
  overflow: auto;
}
.changed li {
  padding: 0.16rem 0;
}
.changed .name {
  font-weight: 600;
  overflow-wrap: anywhere;
}
.changed .plus {
  color: var(--added-text);
}
.changed .minus {
  color: var(--removed-text);
}
.changed .in {
  color: var(--soft);
}
.changed a {
  font-variant-numeric: tabular-nums;
}
nav {
  font-size: 0.85rem;
  min-width: 0;
}
@media (min-width: 70rem) {
  nav {
    position: sticky;
    top: 1rem;
    align-self: start;
    max-height: calc(100vh - 2rem);
    overflow: auto;
    padding-right: 0.5rem;
  }
}
nav ol {
  list-style: none;
  margin: 0;
  padding: 0;
}
nav li a {
  display: grid;
  grid-template-columns: 2.2rem 1fr;
  gap: 0.3rem;
  padding: 0.16rem 0.3rem;
  border-radius: 5px;
  text-decoration: none;
  color: var(--soft);
}
nav li a:hover {
  background: var(--card);
  color: var(--text);
}
nav li a span:first-child {
  text-align: right;
  font-variant-numeric: tabular-nums;
}
nav li a span:last-child {
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
nav .bad span:first-child {
  font-weight: 700;
}
@media (max-width: 69.99rem) {
  nav ol {
    max-height: 14rem;
    overflow: auto;
  }
}
main {
  min-width: 0;
  position: relative;
}
main > ol {
  list-style: none;
  margin: 0;
  padding: 0 0 0 3rem;
  position: relative;
}
main > ol::before {
  content: "";
  position: absolute;
  left: 1.05rem;
  top: 0.5rem;
  bottom: 0.5rem;
  border-left: 2px dashed var(--trail);
}
main > ol > li {
  position: relative;
  margin: 0 0 1.25rem;
}
.mark {
  position: absolute;
  left: -3rem;
  top: 0.1rem;
  min-width: 2.2rem;
  height: 1.6rem;
  padding: 0 0.3rem;
  border-radius: 5px;
  background: var(--mark);
  color: var(--mark-text);
  font-size: 0.8rem;
  font-weight: 700;
  display: grid;
  place-items: center;
  font-variant-numeric: tabular-nums;
  text-decoration: none;
}
.mark.small {
  left: -2.34rem;
  top: 0.45rem;
  min-width: 0.9rem;
  width: 0.9rem;
  height: 0.9rem;
  padding: 0;
  border-radius: 50%;
  background: var(--page);
  border: 2px solid var(--trail);
}
.mark.failed {
  background: var(--high);
  color: var(--page);
}
.meta {
  color: var(--soft);
  font-size: 0.8rem;
  display: flex;
  flex-wrap: wrap;
  gap: 0.1rem 0.8rem;
  font-variant-numeric: tabular-nums;
  padding-top: 0.16rem;
}
.words {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  margin: 0.3rem 0 0;
}
.words p {
  margin: 0;
}
.said {
  background: var(--card);
  border: 1px solid var(--line);
  border-left: 3px solid var(--mark);
  border-radius: 8px;
  padding: 0.7rem 1rem;
  box-shadow: var(--shadow);
}
.said.by-waymark {
  border-left-color: var(--trail);
  background: transparent;
  color: var(--soft);
  box-shadow: none;
}
.action {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
  margin: 0.6rem 0 0;
  box-shadow: var(--shadow);
  overflow: hidden;
  break-inside: avoid-page;
}
.action > .head {
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 0.7rem;
  align-items: baseline;
  padding: 0.5rem 0.9rem;
}
.action .title {
  font-weight: 600;
  overflow-wrap: anywhere;
  flex: 1 1 12rem;
}
.action .tool {
  color: var(--soft);
  font-size: 0.8rem;
}
.badge {
  font-size: 0.78rem;
  font-weight: 600;
  white-space: nowrap;
}
.risk-medium {
  color: var(--medium);
}
.risk-high {
  color: var(--high);
}
.risk-unknown {
  color: var(--unknown);
}
.why {
  color: var(--soft);
  font-size: 0.82rem;
  margin: 0;
  padding: 0 0.9rem 0.5rem;
}
pre {
  margin: 0;
  font:
    12.5px/1.5 ui-monospace,
    SFMono-Regular,
    "Cascadia Code",
    Menlo,
    Consolas,
    "Liberation Mono",
    monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
}
.action pre,
.words pre,
.reasoning pre {
  background: var(--code);
  padding: 0.6rem 0.9rem;
}
.words pre {
  border: 1px solid var(--line);
  border-radius: 6px;
  margin: 0.4rem 0;
}
.diagram {
  margin: 0.4rem 0 0;
  padding: 0.6rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--card);
  overflow: auto;
}
.diagram svg {
  display: block;
}
.diagram text {
  font-size: 13.5px;
  fill: var(--text);
}
.diagram-node,
.diagram-note-box {
  fill: var(--code);
  stroke: var(--soft);
}
.diagram-note-box {
  stroke-dasharray: 4 2;
}
.diagram-group {
  fill: none;
  stroke: var(--trail);
}
.diagram-edge,
.diagram-line,
.diagram-head {
  fill: none;
  stroke: var(--soft);
}
.diagram-life,
.diagram-frame {
  fill: none;
  stroke: var(--trail);
}
.is-dotted {
  stroke-dasharray: 3 3;
}
.is-thick {
  stroke-width: 2.5px;
}
.diagram-arrow,
.diagram-full {
  fill: var(--soft);
}
.diagram-hollow {
  fill: var(--card);
  stroke: var(--soft);
}
.diagram :is(.diagram-title, .is-head) {
  font-weight: 600;
}
.diagram :is(.diagram-group-title, .diagram-frame-words) {
  fill: var(--soft);
}
.diagram :is(.diagram-label, .diagram-group-title, .diagram-frame-words) {
  paint-order: stroke;
  stroke: var(--card);
  stroke-width: 5px;
  stroke-linejoin: round;
}
.command {
  border-top: 1px solid var(--line);
}
.command::before {
  content: "$ ";
  color: var(--mark);
  font-weight: 700;
}
details {
  border-top: 1px solid var(--line);
}
summary {
  cursor: pointer;
  padding: 0.35rem 0.9rem;
  color: var(--soft);
  font-size: 0.82rem;
}
summary:hover {
  color: var(--text);
}
details[open] > summary {
  border-bottom: 1px solid var(--line);
}
.reasoning {
  border: 0;
  margin: 0.2rem 0 0;
}
.reasoning > summary {
  padding: 0.1rem 0;
}
.reasoning > div {
  border-left: 2px solid var(--line);
  padding: 0.2rem 0 0.2rem 0.9rem;
  color: var(--soft);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  font-size: 0.92rem;
}
.diff .file {
  padding: 0.4rem 0.9rem;
  border-top: 1px solid var(--line);
  font-size: 0.82rem;
  font-weight: 600;
  overflow-wrap: anywhere;
}
.diff .file .plus {
  color: var(--added-text);
}
.diff .file .minus {
  color: var(--removed-text);
}
.diff pre {
  padding: 0;
}
.diff pre span {
  display: block;
  padding: 0 0.9rem;
}
.diff .hunk {
  color: var(--soft);
}
.diff .add {
  background: var(--added);
  color: var(--added-text);
}
.diff .del {
  background: var(--removed);
  color: var(--removed-text);
}
.unseen {
  border: 1px solid var(--medium);
  border-radius: 3px;
  color: var(--medium);
  font-size: 0.75em;
  padding: 0 0.2em;
}
.end {
  border: 1px solid currentColor;
  border-radius: 8px;
  padding: 0.7rem 1rem;
}
.end .words {
  color: var(--text);
}
.end .results {
  color: var(--text);
  margin: 0.5rem 0 0;
  padding-left: 1.2rem;
  overflow-wrap: anywhere;
}
@media (max-width: 40rem) {
  .layout {
    padding: 1.2rem 0.9rem 2rem;
  }
  main > ol {
    padding-left: 2.4rem;
  }
  .mark {
    left: -2.4rem;
  }
  .mark.small {
    left: -1.74rem;
  }
  main > ol::before {
    left: 0.9rem;
  }
}
@media print {
  :root {
    --page: #fff;
    --card: #fff;
    --code: #f6f6f3;
    --shadow: none;
  }
  body {
    font-size: 10.5pt;
  }
  nav,
  .skip {
    display: none;
  }
  .layout {
    display: block;
    padding: 0;
    max-width: none;
  }
  pre {
    font-size: 8.5pt;
  }
  details::details-content {
    content-visibility: visible;
    display: block;
    block-size: auto;
  }
  summary {
    list-style: none;
  }
  .tiles,
  .pill,
  .mark,
  .diff .add,
  .diff .del {
    print-color-adjust: exact;
    -webkit-print-color-adjust: exact;
  }
  h1,
  .head,
  .meta {
    break-after: avoid;
  }
  main {
    margin-top: 1.5rem;
  }
  @page {
    margin: 16mm 14mm;
  }
}
@media (prefers-reduced-motion: reduce) {
  html {
    scroll-behavior: auto;
  }
}
@media (forced-colors: active) {
  .mark,
  .tiles div {
    border: 1px solid CanvasText;
  }
}
`;
