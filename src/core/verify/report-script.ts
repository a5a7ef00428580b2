/** Filters a report in the browser: by what became of a pair, by what differs in it, and by words. */
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
  const pressed = (buttons) => buttons.filter((button) => button.getAttribute('aria-pressed') === 'true');
  let kind = '';
  const apply = () => {
    const wanted = find.value.trim().toLowerCase().split(/\\s+/).filter(Boolean);
    const aspects = pressed(chips).map((chip) => chip.dataset.aspect);
    const kinds = pressed(groups).map((group) => group.dataset.group);
    let shown = 0;
    for (const each of rows) {
      let fits = (kind === '' || each.kind === kind) && (aspects.length === 0 || aspects.some((aspect) => each.aspects.includes(aspect)))
        && (kinds.length === 0 || kinds.some((group) => each.groups.includes(group)));
      if (fits && wanted.length > 0) {
        each.words ??= each.row.textContent.toLowerCase();
        fits = wanted.every((word) => each.words.includes(word));
      }
      each.row.hidden = !fits;
      if (fits) shown += 1;
    }
    const isFiltered = kind !== '' || aspects.length > 0 || kinds.length > 0 || wanted.length > 0;
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
  route.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== find) { event.preventDefault(); find.focus(); }
  });
}
`;
