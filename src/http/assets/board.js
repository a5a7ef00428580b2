// Live updates, charts, and a key for the search. Everything else works without this script.
const byId = (id) => document.getElementById(id);
const pulse = document.querySelector('[data-pulse]');
let drawn = [];

/** Charts take their colours from the stylesheet, so that they change with it. */
function colour(name) {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

const faint = (found) => found.replace(/^rgba?\(([^,]+),([^,]+),([^,)]+).*$/, 'rgba($1,$2,$3,0.14)');

function boxIn(place, title, keys) {
  const box = document.createElement('div');
  box.className = 'chart';
  const heading = document.createElement('h3');
  heading.textContent = title;
  for (const [name, words] of keys) {
    const key = document.createElement('span');
    key.className = `key ${name}`;
    key.textContent = words;
    heading.append(' ', key);
  }
  box.append(heading);
  place.append(box);
  return box;
}

function draw(box, data, series, most) {
  const axis = {
    stroke: colour('dim'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  };
  const options = {
    width: Math.max(240, box.clientWidth - 16),
    height: 170,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _least, top) => [0, most ?? Math.max(4, Math.ceil(top * 1.15))] } },
    axes: [
      {
        ...axis,
        size: 28,
        space: 70,
        values: (_plot, times) => times.map((at) => new Date(at * 1000).toTimeString().slice(0, 5)),
      },
      { ...axis, size: 52, space: 36, incrs: [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000] },
    ],
    series: [{}, ...series],
  };
  drawn.push(new uPlot(options, data, box));
}

async function drawCharts() {
  const place = document.querySelector('[data-charts]');
  if (place === null || typeof uPlot === 'undefined') return;
  const answer = await fetch(place.dataset.charts);
  if (!answer.ok) return;
  const { at, tracker, github, budgetLeft } = await answer.json();
  for (const plot of drawn) plot.destroy();
  drawn = [];
  place.replaceChildren();
  const line = (name) => ({
    stroke: colour(name),
    fill: faint(colour(name)),
    width: 2,
    points: { show: false },
    paths: uPlot.paths.stepped({ align: 1 }),
  });
  // Create all boxes first: the second one changes the width of the first.
  const written = boxIn(place, 'Writes per ten minutes', [
    ['tracker', 'to the tracker'],
    ['github', 'to GitHub'],
  ]);
  const left = budgetLeft === null ? null : boxIn(place, 'GitHub creations left in the hour', []);
  draw(written, [at, tracker, github], [line('tracker'), line('github')]);
  if (left !== null) draw(left, [at, budgetLeft], [line('github')], Math.max(...budgetLeft, 10));
}

/** Replaces the content of the page, and keeps open sections and the focus. */
async function renew() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('main');
  const main = byId('main');
  if (fresh === null || main === null || main.contains(document.activeElement?.closest('input') ?? null)) return;
  const focused = document.activeElement?.id ?? '';
  const opened = [...main.querySelectorAll('details[open]')].map(({ id }) => id);
  const charts = main.querySelector('[data-charts]');
  const note = main.querySelector('.note');
  main.replaceChildren(...fresh.childNodes);
  const place = main.querySelector('[data-charts]');
  if (charts !== null && place !== null) place.replaceWith(charts);
  // A note is shown once, and its reader needs longer than until the next change.
  if (note !== null) main.prepend(note);
  for (const id of opened) byId(id)?.setAttribute('open', '');
  if (focused !== '') byId(focused)?.focus({ preventScroll: true });
  await drawCharts();
}

/** The page reloads its content at most once a second. */
function follow() {
  let isDue = false;
  const source = new EventSource('/live');
  const say = (words) => {
    if (pulse !== null) pulse.textContent = words;
  };
  source.addEventListener('open', () => say('Live.'));
  source.addEventListener('error', () => say('The bridge does not answer; retrying.'));
  source.addEventListener('changed', () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      renew().catch(() => say('The bridge does not answer; retrying.'));
    }, 1000);
  });
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector('.search input')?.focus();
});
// A note does not come back after a reload.
const place = new URL(location.href);
place.searchParams.delete('note');
history.replaceState(null, '', place);
drawCharts();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawCharts);
addEventListener('resize', drawCharts);
if ('live' in document.body.dataset) follow();
