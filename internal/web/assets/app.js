'use strict'

const $ = id => document.getElementById(id)
const query = values => new URLSearchParams(values)
const make = name => document.createElement(name)
const parse = text => new DOMParser().parseFromString(text, 'text/html')
const one = selector => document.querySelector(selector)
const all = selector => [...document.querySelectorAll(selector)]

// load is the page at an address, as a document.
async function load(url, signal) {
  const reply = await fetch(url, { signal, headers: { Accept: 'text/html' } })
  const page = parse(await reply.text())
  if (!page.getElementById('main')) throw new Error('not a page')
  $('lost').hidden = true
  return page
}

// leave has the browser show an address, whatever is there; but while no server answers, what is
// shown stays, with a note: what was read and typed would be gone else.
const leave = url => fetch('/healthz').then(() => location.assign(url), () => {
  $('lost').hidden = false
  follow()
})

// go shows a page in place of this one's content, or of the part with an id. What fails is left
// to the browser.
let going = new AbortController()
async function go(url, id = 'main') {
  going.abort()
  const mine = going = new AbortController()
  $('main').setAttribute('aria-busy', 'true')
  try {
    const page = await load(url, mine.signal)
    $(id).replaceChildren(...page.getElementById(id).childNodes)
    document.title = page.title
    document.body.className = page.body.className
    history.replaceState(null, '', url)
    begin()
  } catch (err) {
    if (err.name !== 'AbortError') leave(url)
  } finally {
    if (mine === going) $('main').removeAttribute('aria-busy')
  }
}
addEventListener('popstate', event => { if (event.state !== null || !location.hash) location.reload() })

// Results while typing: of what has been left alone for a moment.
let wait
const find = one('.find')
find.addEventListener('input', () => {
  clearTimeout(wait)
  if ($('q').value.trim().length > 2) wait = setTimeout(() => go('/?' + query(new FormData(find))), 250)
})
find.addEventListener('submit', () => clearTimeout(wait))

// Lines of a file: "#L10-L20" in the address, set by clicks and shift.
const lines = () => (location.hash.match(/^#L(\d+)(?:-L(\d+))?$/) || []).slice(1).map(Number)
function showLines(scroll) {
  if (!one('.lines')) return
  let [from, to] = lines()
  all('tr.on').forEach(tr => tr.classList.remove('on'))
  if (!from) return
  if (!to) to = from
  if (to < from) [from, to] = [to, from]
  if (!$('L' + from)) {
    const url = new URL(location)
    if (url.searchParams.get('line') === String(from)) return
    url.searchParams.set('line', from)
    return location.replace(url)
  }
  for (let n = from; n <= to && $('L' + n); n++) $('L' + n).classList.add('on')
  if (scroll) $('L' + from).scrollIntoView({ block: 'center' })
  const about = $('about')
  if (about) about.href = about.dataset.href + encodeURIComponent(`:${from}-${to}`)
}
addEventListener('hashchange', () => showLines())

// word is the name that is pointed at in a line, with the line's number and its column in bytes.
function word(event) {
  const at = document.caretPositionFromPoint?.(event.clientX, event.clientY) ?? document.caretRangeFromPoint(event.clientX, event.clientY)
  const node = at?.offsetNode ?? at?.startContainer, src = event.target.closest('.lines .src')
  if (!src?.contains(node)) return
  const range = document.createRange()
  range.setStart(src, 0)
  range.setEnd(node, at.offset ?? at.startOffset)
  const text = src.textContent
  let from = range.toString().length, to = from
  const letter = c => c && /[\p{L}\p{N}_$]/u.test(c)
  while (letter(text[from - 1])) from--
  while (letter(text[to])) to++
  const name = text.slice(from, to)
  if (!name || /^\d/.test(name)) return
  return { name, line: src.parentNode.id.slice(1), column: new TextEncoder().encode(text.slice(0, from)).length + 1 }
}

// A card tells what a name stands for that the pointer rests on.
let resting, card
const cards = new Map()
addEventListener('pointermove', event => {
  clearTimeout(resting)
  resting = 0
  if (event.target.closest('#card')) return
  if (card && !event.target.closest('.lines .src')) card.hidePopover()
  if (event.pointerType === 'mouse' && event.target.closest('.lines .src')) resting = setTimeout(hover, 350, event)
})
async function hover(event) {
  const at = event.buttons ? null : word(event)
  card?.hidePopover()
  if (!at) return
  const { file } = one('.lines table').dataset
  if (!file) return
  const url = '/definition?' + query({ repo: document.body.dataset.repo, file, line: at.line, column: at.column })
  if (!cards.has(url)) cards.set(url, load(url).then(page => page.getElementById('card')).catch(() => null))
  const mine = resting
  const found = await cards.get(url)
  if (!found || mine !== resting) return
  card?.remove()
  card = found
  card.popover = 'manual'
  document.body.append(card)
  card.showPopover()
  const box = card.getBoundingClientRect(), below = event.clientY + 16
  card.style.left = Math.max(8, Math.min(event.clientX, innerWidth - box.width - 16)) + 'px'
  card.style.top = (below + box.height < innerHeight ? below : Math.max(8, event.clientY - box.height - 16)) + 'px'
}
addEventListener('scroll', () => { card?.hidePopover(); requestAnimationFrame(spy) }, { passive: true })

// spy shows in the outline what is being read.
function spy() {
  let here
  const links = all('.outline li > a:first-child')
  for (const link of links) {
    const start = $(decodeURIComponent(link.hash.slice(1)).replace(/-L\d+$/, ''))
    if (start && start.getBoundingClientRect().top < 140) here = link
  }
  links.forEach(link => { link.ariaCurrent = link === here ? 'location' : null })
  const list = one('.outline'), at = here?.offsetTop - list?.offsetTop - list?.scrollTop
  if (at < 0 || at > list?.clientHeight - 40) list.scrollTop += at - list.clientHeight / 2
}

// A picture that is wider than its window begins with what it is of.
one('.start')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// Lines below come as they are scrolled to, up to a few thousand.
const coming = new IntersectionObserver(entries => entries.forEach(async ({ isIntersecting, target }) => {
  if (!isIntersecting) return
  coming.unobserve(target)
  try {
    const page = await load(target.href)
    const from = all('.lines tr').length && +all('.lines tr').at(-1).id.slice(1)
    one('.lines tbody').append(...[...page.querySelectorAll('.lines tr')].filter(tr => +tr.id.slice(1) > from))
    const next = page.querySelector('.text a[rel=next]')
    if (next) target.href = next.href
    else target.parentNode.remove()
    if (next && all('.lines tr').length < 4000) coming.observe(target)
  } catch {}
}), { rootMargin: '600px' })

// mark shows where else a name is on the page.
function mark(name) {
  all('.same').forEach(e => e.replaceWith(...e.childNodes))
  all('.lines .src').forEach(src => {
    src.normalize()
    if (!src.textContent.includes(name)) return
    const walk = document.createTreeWalker(src, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walk.nextNode()) texts.push(walk.currentNode)
    const whole = new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replace(/\$/g, '\\$')}(?![\\p{L}\\p{N}_$])`, 'u')
    for (let text of texts) {
      for (let m; (m = whole.exec(text.data));) {
        const here = text.splitText(m.index), same = make('span')
        text = here.splitText(name.length)
        same.className = 'same'
        here.replaceWith(same)
        same.append(here)
      }
    }
  })
}

// uses shows what is known of a name beside the file, by the page that a link would open.
async function uses(url) {
  if (!one('[data-file]')) return
  const beside = one('.beside')
  beside.setAttribute('aria-busy', 'true')
  try {
    const panel = (await load(url)).getElementById('uses')
    if (!panel) return
    $('uses')?.remove()
    beside.prepend(panel)
    panel.focus({ preventScroll: true })
    beside.scrollTop = 0
  } catch {
    leave(url)
  } finally {
    beside.removeAttribute('aria-busy')
  }
}

document.addEventListener('click', event => {
  if (event.button || event.ctrlKey || event.metaKey) return
  const number = event.target.closest('.lines .n a')
  if (number) {
    event.preventDefault()
    const [from] = lines()
    history.replaceState(null, '', event.shiftKey && from ? `#L${from}-${number.hash.slice(1)}` : number.hash)
    return showLines()
  }
  const more = event.target.closest('a[data-uses]')
  if (more) {
    event.preventDefault()
    uses(more.href)
    return
  }
  if (event.target.closest('[data-close]')) {
    event.preventDefault()
    $('uses').remove()
    mark('\0')
    return
  }
  if (!getSelection().isCollapsed || event.target.closest('a')) return
  const at = word(event)
  if (!at) return
  mark(at.name)
  uses(`${location.pathname}?${query({ uses: at.name, at: at.line, column: at.column, line: at.line })}`)
})

// An answer as it comes.
function listen(form) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    const asks = query(new FormData(form))
    const live = $('live'), steps = live.querySelector('.steps'), text = live.querySelector('.text')
    all('#main > .answer').forEach(e => e.remove())
    steps.replaceChildren()
    text.textContent = ''
    live.hidden = false
    form.setAttribute('aria-busy', 'true')
    const events = new EventSource('/ask/events?' + asks)
    let begun = false
    events.addEventListener('step', e => {
      begun = true
      const li = make('li')
      li.textContent = JSON.parse(e.data)
      steps.append(li)
    })
    events.addEventListener('piece', e => { begun = true; text.textContent += JSON.parse(e.data) })
    events.addEventListener('done', e => {
      events.close()
      $('lost').hidden = true
      const page = parse(JSON.parse(e.data))
      $('main').replaceChildren(...page.body.childNodes)
      history.pushState({}, '', '/ask?' + asks)
      begin()
    })
    events.onerror = () => {
      events.close()
      form.removeAttribute('aria-busy')
      if (begun) text.textContent += '\n\nThe connection was lost. Ask again.'
      else leave('/ask?' + asks)
    }
  })
}

// Jobs that run are looked at again; what is typed beside them stays.
let looking
function follow() {
  clearTimeout(looking)
  if (one('[data-run]')) looking = setTimeout(() => document.hidden ? follow() : go(location.href, 'jobs'), 1000)
}

const opened = hit => hit.querySelector('a.go') || hit.closest('.group').querySelector('h3 a:last-of-type')
function step(by) {
  const hits = all('.hit'), at = hits.findIndex(hit => hit.classList.contains('current'))
  const next = hits[Math.min(Math.max(at + by, 0), hits.length - 1)]
  if (!next) return
  hits.forEach(hit => hit.classList.toggle('current', hit === next))
  opened(next).focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

// prompt asks for a line, or for a part of a file's name.
function prompt(id) {
  const dialog = $(id)
  if (!dialog) return
  dialog.showModal()
  dialog.querySelector('input')?.select()
}
$('line').addEventListener('submit', () => {
  const what = one('#line input').value.trim(), [at] = lines()
  if (/^\d+$/.test(what)) {
    location.hash = '#L' + what
    $('L' + what)?.scrollIntoView({ block: 'center' })
  } else if (what) {
    mark(what)
    uses(`${location.pathname}?${query({ uses: what, ...(at && { at, line: at }) })}`)
  }
})
let naming
one('#files input').addEventListener('input', event => {
  clearTimeout(naming)
  const name = event.target.value.trim()
  naming = setTimeout(async () => {
    const list = one('#files ul')
    if (!name) return list.replaceChildren()
    try {
      const page = await load('/files?' + query({ q: name, repo: document.body.dataset.repo || '' }))
      list.replaceChildren(...page.querySelectorAll('#found > li'))
    } catch {
      list.replaceChildren()
      $('lost').hidden = false
    }
  }, 150)
})
$('files').addEventListener('keydown', event => {
  const links = all('#files a'), at = links.indexOf(document.activeElement)
  if (event.key === 'Enter' && at < 0 && links[0]) links[0].click()
  else if (event.key === 'ArrowDown') (links[at + 1] ?? links[at])?.focus()
  else if (event.key === 'ArrowUp') (links[at - 1] || one('#files input')).focus()
  else return
  event.preventDefault()
})

const keys = {
  '/': () => $('q').select(),
  s: () => keys['/'](),
  t: () => prompt('find-file'),
  l: () => one('.lines') && prompt('go-line'),
  j: () => step(1),
  k: () => step(-1),
  o: () => all('.hit.current').forEach(h => opened(h).click()),
  y: () => {
    const link = $('permalink')
    if (link) history.replaceState(null, '', link.href + location.hash)
    navigator.clipboard?.writeText(location.href).catch(() => {})
    $('said').textContent = 'The address was copied.'
  },
  '?': () => prompt('help'),
  Escape: () => one('[data-close]')?.click(),
}
addEventListener('keydown', event => {
  const busy = document.activeElement.matches('input,select,textarea') || one('dialog[open]')
  if (event.ctrlKey || event.metaKey || event.altKey || busy || !keys[event.key]) return
  event.preventDefault()
  keys[event.key]()
})

// drawn brings the map of a repository, which takes longer than its page.
async function drawn(link) {
  try {
    const page = await load(link.href)
    ;['map', 'modules'].forEach(id => $(id).replaceWith(page.getElementById(id)))
    const said = [...page.querySelectorAll('.purpose')]
    all('.purpose').forEach((cell, i) => cell.replaceWith(said[i]))
  } catch {}
}

// asked lists the questions of this browser, the last one first.
function asked() {
  let list = JSON.parse(localStorage.getItem('asked') || '[]')
  const now = query(location.search), q = now.get('q')
  if (q && one('.answer')) {
    const url = '/ask?' + query({ q, repo: now.get('repo') || '' })
    list = [{ q, url }, ...list.filter(e => e.url !== url)].slice(0, 12)
    localStorage.setItem('asked', JSON.stringify(list))
  }
  $('asked').hidden = !list.length
  one('#asked ul').replaceChildren(...list.map(e => {
    const li = make('li'), a = make('a')
    li.append(Object.assign(a, { href: e.url, textContent: e.q }))
    return li
  }))
}

// begin looks after the content that has just been shown.
function begin() {
  const ask = $('ask'), next = one('.text a[rel=next]')
  if (ask) listen(ask)
  if ($('asked')) asked()
  if ($('map-later')) drawn($('map-later'))
  if (next && one('.lines')) coming.observe(next)
  follow()
  showLines(true)
  spy()
}
begin()
one('.pages a[href="/files"]').addEventListener('click', event => {
  event.preventDefault()
  prompt('find-file')
})
