/** Filters a report in the browser: by the result of a pair, by what differs in it, and by words. */
export const reportScript = `
'use strict';
document.documentElement.classList.add('js');
for (const route of document.querySelectorAll('.route')) {
  const rows = [...route.querySelectorAll('.pair')].map((row) => ({
    row, kind: row.dataset.kind, aspects: row.dataset.aspects.split(' '), groups: row.dataset.groups.split(' '), words: null,
  }));
  const [find, output, none] = ['input', 'output', '.none'].map((each) => route.querySelector(each));
  const tabs = [...route.querySelectorAll('[data-show]')];
  const chips = [...route.querySelectorAll('[data-aspect]')];
  const groups = [...route.querySelectorAll('[data-group]')];
  const fold = route.querySelector('.fold');
  const folded = fold === null ? [] : rows.filter((each) => each.kind === 'waits').slice(Number(fold.dataset.showFirst));
  const pressed = (buttons) => buttons.filter((button) => button.getAttribute('aria-pressed') === 'true');
  let kind = '';
  // What was compared of a pair of which something was left out is equal.
  const isOf = (each) => kind === '' || each.kind === kind || (kind === 'equal' && each.kind === 'left');
  const apply = () => {
    const wanted = find.value.trim().toLowerCase().split(/\\s+/).filter(Boolean);
    const aspects = pressed(chips).map((chip) => chip.dataset.aspect);
    const kinds = pressed(groups).map((group) => group.dataset.group);
    let shown = 0;
    for (const each of rows) {
      let fits = isOf(each) && (aspects.length === 0 || aspects.some((aspect) => each.aspects.includes(aspect)))
        && (kinds.length === 0 || kinds.some((group) => each.groups.includes(group)));
      if (fits && wanted.length > 0) {
        each.words ??= each.row.textContent.toLowerCase();
        fits = wanted.every((word) => each.words.includes(word));
      }
      each.row.hidden = !fits;
      if (fits) shown += 1;
    }
    const isFiltered = kind !== '' || aspects.length > 0 || kinds.length > 0 || wanted.length > 0;
    if (fold !== null) fold.hidden = isFiltered;
    if (!isFiltered) for (const each of folded) each.row.hidden = true;
    output.textContent = isFiltered ? shown.toLocaleString('en') + ' of ' + rows.length.toLocaleString('en') + ' shown' : '';
    none.hidden = shown > 0;
  };
  for (const tab of tabs) {
    tab.addEventListener('click', () => {
      kind = tab.dataset.show;
      for (const each of tabs) each.setAttribute('aria-pressed', String(each === tab));
      apply();
    });
  }
  for (const chip of [...chips, ...groups]) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      apply();
    });
  }
  find.addEventListener('input', apply);
  fold?.addEventListener('click', () => tabs.find((tab) => tab.dataset.show === 'waits').click());
  apply();
  route.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== find) { event.preventDefault(); find.focus(); }
  });
}
`;

/**
 * The style of a report, for light and dark, wide windows and phones. Pairs are blocks instead of list items: browsers
 * renumber thousands of list items whenever the filter hides some, which was measured to take half a minute.
 */
export const reportStyle = `
main { max-width: 1080px; margin: 0 auto; padding: 32px 24px 80px; }
.route + .route { margin-top: 72px; }
h1 { margin: 4px 0 8px; font-size: 30px; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
h1.good, .tile.good dd { color: var(--green); }
h1.bad, .tile.bad dd { color: var(--red); }
.tile.warn dd { color: var(--amber); }
.sign { display: inline-block; min-width: 1em; }
.brand { margin: 0 0 16px; }
.what, .where { margin: 0; color: var(--dim); }
.what { font-size: 13px; }
a { text-decoration: none; }
a:hover { text-decoration: underline; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(118px, 1fr)); gap: 10px; margin: 24px 0 16px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; display: flex; flex-direction: column; }
.tile dd { margin: 0; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile dt { color: var(--dim); font-size: 13px; }
.note { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; margin: 0 0 12px; }
.note h2 { font-size: 15px; margin: 0 0 4px; }
.note ul { margin: 8px 0 0; padding-left: 20px; }
.note summary { cursor: pointer; font-weight: 600; }
.note.warn { background: var(--amber-wash); border-color: transparent; }
.note.warn h2 { color: var(--amber); }
.kinds ul { list-style: none; padding: 0; }
.kind { display: flex; gap: 10px; align-items: baseline; width: 100%; text-align: left; white-space: normal; font-size: 14px; overflow-wrap: anywhere; }
.kind > b { flex: none; min-width: 6ch; text-align: right; color: var(--ink); margin: 0; }
.kind > span { min-width: 0; }
.kind:hover { background: var(--soft); }
.kind[aria-pressed="true"] { background: var(--soft); box-shadow: inset 0 0 0 2px var(--accent); }
.kinds p { margin: 6px 11px 0; }
.reads { font-size: 13px; margin: 0 0 20px; }
.filters { display: none; }
.js .filters {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 10px;
  padding: 12px 0; background: var(--ground); border-bottom: 1px solid var(--line);
}
.tabs { display: inline-flex; background: var(--soft); border-radius: 9px; padding: 3px; }
button { font: inherit; font-size: 13px; color: var(--ink); border: 0; background: none; border-radius: 7px; padding: 5px 11px; cursor: pointer; white-space: nowrap; }
button b { font-weight: 600; color: var(--dim); font-variant-numeric: tabular-nums; margin-left: 2px; }
.tabs button[aria-pressed="true"] { background: var(--card); box-shadow: 0 1px 2px rgb(0 0 0 / 0.18); }
.chips { display: flex; flex-wrap: wrap; gap: 6px; flex-basis: 100%; }
.chip { background: var(--soft); border-radius: 99px; padding: 3px 11px; }
.chip[aria-pressed="true"] { background: var(--accent); color: var(--ground); }
.chip[aria-pressed="true"] b { color: inherit; opacity: 0.8; }
input[type="search"] {
  flex: 1 1 220px; min-width: 0; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 9px; padding: 6px 12px;
}
output { font-size: 13px; }
output:empty { display: none; }
.pairs { list-style: none; margin: 14px 0 0; padding: 0; }
.pair { display: block; content-visibility: auto; contain-intrinsic-size: auto 37px; padding: 7px 16px; line-height: 22px; border: 1px solid var(--line); border-top-width: 0; background: var(--card); }
.pair:first-child { border-top-width: 1px; border-radius: 10px 10px 0 0; }
.pair:last-child { border-radius: 0 0 10px 10px; }
.pair[hidden] { display: none; }
.pair.differs { contain-intrinsic-size: auto 150px; padding: 14px 16px 16px; box-shadow: inset 3px 0 0 var(--red); }
.pair-head { display: flex; gap: 14px; align-items: baseline; min-width: 0; }
.names { flex: none; font-size: 14px; font-variant-numeric: tabular-nums; }
.names i { color: var(--dim); font-style: normal; }
.title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; text-align: left; }
.differs .title { font-weight: 600; white-space: normal; overflow-wrap: anywhere; }
.waits .pair-head::before { content: "…"; color: var(--amber); }
.equal .pair-head::before { content: "✓"; color: var(--green); }
.left .pair-head::before { content: "–"; color: var(--dim); width: 0.8em; text-align: center; }
.differences { list-style: none; margin: 10px 0 0; padding: 0; display: grid; gap: 12px; }
.badge { display: inline-block; background: var(--red-wash); color: var(--red); border-radius: 6px; padding: 0 8px; font-size: 12.5px; font-weight: 600; margin-right: 4px; }
.badge.hot { background: var(--red); color: var(--card); }
.values { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; margin: 6px 0 0; }
.values > div { min-width: 0; border: 1px solid var(--line); border-radius: 8px; padding: 6px 10px; }
.values dt { font-size: 12px; color: var(--dim); }
.values dd { margin: 0; font: 13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; max-height: 240px; overflow: auto; }
.known { margin: 10px 0 0; padding: 6px 10px; background: var(--amber-wash); color: var(--amber); border-radius: 8px; font-size: 14px; }
.left-out { margin: 6px 0 2px; padding-left: 18px; color: var(--dim); font-size: 13.5px; }
.left-out b { font-weight: 500; }
.fold { display: none; margin: 10px 0 0; }
.js .fold:not([hidden]) { display: block; }
.fold button { background: var(--soft); }
.none { text-align: center; color: var(--dim); padding: 40px 0; }
@media (max-width: 640px) {
  main { padding: 20px 14px 60px; }
  h1 { font-size: 24px; }
  .tiles { grid-template-columns: repeat(3, 1fr); gap: 8px; }
  .tile { padding: 9px 10px; }
  .tile dd { font-size: 18px; }
  .tile:last-child:nth-child(3n + 1) { grid-column: 1 / -1; }
  .tabs { flex-basis: 100%; flex-wrap: wrap; }
  .chips { flex-wrap: nowrap; overflow-x: auto; }
  .values { grid-template-columns: 1fr; }
  .pair-head { flex-wrap: wrap; gap: 2px 10px; }
  .title { flex-basis: 100%; }
  .names { flex: 0 1 auto; overflow-wrap: anywhere; }
  .equal .title, .left .title, .waits .title { flex-basis: 0; flex-grow: 1; }
}
@media print {
  .js .filters { display: none; }
  .pair { content-visibility: visible; break-inside: avoid; }
  .equal .title, .left .title, .waits .title { white-space: normal; }
  .values dd { max-height: none; }
  .badge, .known, mark { print-color-adjust: exact; }
}
`;
