(() => {
  const { kind } = document.querySelector('main').dataset;
  const id = (new URLSearchParams(location.search).get('id') ?? '').trim();
  const number = /^\d{1,9}$/.test(id)
    ? Number(id)
    : kind === 'bug'
      ? window.bugferryAliases[id.toLowerCase()]
      : undefined;
  if (typeof number === 'number')
    location.replace(`${(kind === 'bug' ? '../bugs/' : '../attachments/') + number}.html${location.hash}`);
})();
