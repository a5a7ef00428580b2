(() => {
  const { products, ranges, bugs } = window.bugferryTitles;
  const form = document.getElementById('search');
  const found = document.getElementById('found');
  const list = document.getElementById('results');
  const shownMax = 100;
  const processTerm = (term) => (term.length > 40 ? null : term.toLowerCase());
  const byId = new Map(bugs.map((bug) => [bug[0], bug]));
  const titles = new MiniSearch({ fields: ['title', 'alias'], processTerm });
  const ready = titles.addAllAsync(
    bugs.map(([id, title, alias]) => ({ id, title, alias })),
    { chunkSize: 2000 },
  );

  const indexes = new Map();
  window.bugferryWords = (range, index) =>
    indexes.set(range, MiniSearch.loadJS(index, { fields: ['text'], processTerm }));
  const load = (range) =>
    new Promise((resolve, reject) => {
      const element = document.createElement('script');
      element.src = `search/words-${range}.js`;
      element.onload = resolve;
      element.onerror = reject;
      document.head.append(element);
    });

  const part = (className, text, href) => {
    const element = document.createElement(href === undefined ? 'span' : 'a');
    element.className = className;
    element.textContent = text;
    if (href !== undefined) element.href = href;
    return element;
  };
  const rowOf = ([id, title, , product, component, status, isOpen]) => {
    const row = document.createElement('li');
    const page = `bugs/${id}.html`;
    row.append(
      part('number', id, page),
      part('title', title, page),
      part(`status ${isOpen ? 'open' : 'closed'}`, status),
    );
    row.append(part('place', `${products[product]} › ${component}`));
    return row;
  };

  let turn = 0;
  const search = async () => {
    const mine = ++turn;
    const { q, product, state, comments } = Object.fromEntries(new FormData(form));
    await ready;
    if (comments && q.trim() !== '') {
      for (const range of ranges) {
        if (indexes.has(range)) continue;
        found.textContent = `Reading the words of comments, ${ranges.indexOf(range) + 1} of ${ranges.length}`;
        try {
          await load(range);
        } catch {
          if (mine === turn) found.textContent = 'The words of comments could not be loaded.';
          return;
        }
        if (mine !== turn) return;
      }
    }
    if (mine !== turn) return;
    const scores = new Map();
    const number = /^(?:bug\s*)?#?(\d+)$/i.exec(q.trim());
    if (number && byId.has(Number(number[1]))) scores.set(Number(number[1]), Infinity);
    const options = { combineWith: 'AND', prefix: true };
    for (const { id, score } of titles.search(q, options)) scores.set(id, Math.max(scores.get(id) ?? 0, score * 4));
    if (comments) {
      for (const index of indexes.values()) {
        for (const { id, score } of index.search(q, options)) scores.set(id, (scores.get(id) ?? 0) + score);
      }
    }
    const fits = (bug) =>
      bug && (product === '' || bug[3] === Number(product)) && (state === '' || bug[6] === Number(state));
    const hits = [...scores]
      .sort(([a, x], [b, y]) => (x === y ? b - a : y > x ? 1 : -1))
      .map(([id]) => byId.get(id))
      .filter(fits);
    list.replaceChildren(...hits.slice(0, shownMax).map(rowOf));
    list.hidden = hits.length === 0;
    const more = hits.length > shownMax ? `; the best ${shownMax} are shown` : '';
    found.textContent =
      q.trim() === '' ? '' : hits.length.toLocaleString('en') + (hits.length === 1 ? ' bug' : ' bugs') + more;
  };

  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements[name];
    if (field?.type === 'checkbox') field.checked = true;
    else if (field) field.value = value;
  }
  let timer;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
  search();
})();
