'use strict'

const $ = id => document.getElementById(id)
const typing = () => /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)

// go shows a page in place of this one's content. What fails is left to the browser.
let going = new AbortController()
async function go(url, push) {
  going.abort()
  const mine = going = new AbortController()
  $('main').setAttribute('aria-busy', 'true')
  try {
    const reply = await fetch(url, { signal: mine.signal, headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
    if (!page.getElementById('main')) throw new Error('not a page')
    $('main').replaceChildren(...page.getElementById('main').childNodes)
    document.title = page.title
    document.body.className = page.body.className
    history[push ? 'pushState' : 'replaceState'](null, '', url)
  } catch (err) {
    if (err.name !== 'AbortError') location.assign(url)
  } finally {
    if (mine === going) $('main').removeAttribute('aria-busy')
  }
}

// Results while typing: of what has been left alone for a moment.
let wait
const find = document.querySelector('.find')
find.addEventListener('input', () => {
  clearTimeout(wait)
  if ($('q').value.trim().length > 2) wait = setTimeout(() => go('/?' + new URLSearchParams(new FormData(find))), 250)
})
find.addEventListener('submit', () => clearTimeout(wait))
addEventListener('popstate', () => location.reload())

function results() { return [...document.querySelectorAll('.hit')] }

function step(by) {
  const all = results()
  if (!all.length) return
  const at = all.findIndex(hit => hit.classList.contains('current'))
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)]
  all.forEach(hit => hit.classList.toggle('current', hit === next))
  const link = next.querySelector('a.go') || next.closest('.group').querySelector('h2 a')
  link.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

const keys = {
  '/': () => $('q').select(),
  s: () => $('q').select(),
  j: () => step(1),
  k: () => step(-1),
  o: () => document.querySelector('.hit.current a')?.click(),
}
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing() || !keys[event.key]) return
  event.preventDefault()
  keys[event.key]()
})
