'use strict'

const $ = id => document.getElementById(id)
const fields = ['q', 'level', 'mode', 'repo']
const around = 10 // lines shown above and below a result
const step = 200 // lines added at a time
let running = new AbortController()

// call does one operation and returns its envelope. A reply that is none is an error too.
async function call(path, request, signal) {
  const options = { signal, headers: { Accept: 'application/json' } }
  if (request) {
    options.method = 'POST'
    options.headers['Content-Type'] = 'application/json'
    options.body = JSON.stringify(request)
  }
  let reply
  try {
    reply = await (await fetch(path, options)).json()
  } catch (err) {
    if (err.name === 'AbortError') throw err
    throw new Error('The server does not answer. Is it still running?')
  }
  if (reply.meta.status === 'ERROR') throw new Error(reply.meta.message || reply.meta.error_code)
  return reply
}

function element(tag, props, ...children) {
  const e = Object.assign(document.createElement(tag), props)
  e.append(...children)
  return e
}

function tell(where, text, bad) {
  where.textContent = text
  where.classList.toggle('bad', Boolean(bad))
}

// about is one line on a reply: what the server says about it, and how fresh it is.
function about(meta, count) {
  const parts = [`${count} ${count === 1 ? 'result' : 'results'}`]
  if (meta.message) parts.push(meta.message)
  for (const w of meta.warnings || []) parts.push(w.message)
  parts.push(freshness(meta.freshness_state), `${meta.took_ms} ms`)
  return parts.join(' · ')
}

function freshness(state) {
  return { FRESH: 'fresh', STALE: 'stale', UNKNOWN: 'freshness unknown' }[state] || state
}

async function search(cursor) {
  running.abort()
  const mine = running = new AbortController()
  const request = { query: $('q').value, level: $('level').value, mode: $('mode').value, limit: 10 }
  if ($('repo').value) request.repo_filter = $('repo').value
  if (cursor) request.cursor = cursor
  else $('results').replaceChildren()
  $('more').hidden = true
  tell($('status'), 'Searching …')
  try {
    const reply = await call('/api/rag/search', request, mine.signal)
    $('results').append(...reply.items.map(result))
    tell($('status'), about(reply.meta, $('results').childElementCount))
    $('more').hidden = !reply.meta.next_cursor
    $('more').onclick = () => search(reply.meta.next_cursor)
  } catch (err) {
    if (err.name !== 'AbortError') tell($('status'), err.message, true)
  }
}

function result(item) {
  const lines = item.start_line ? `:${item.start_line}-${item.end_line}` : ''
  const place = [item.file_path ? item.file_path + lines : item.repo_id, item.symbol_name].filter(Boolean).join(' — ')
  const note = [item.repo_id, item.language, `score ${item.score.toPrecision(3)}`, item.freshness === 'STALE' && 'stale']
  const shown = element('div', {})
  const folder = item.doc_type === 'module_summary' || item.doc_type === 'repo_summary'
  return element('li', {},
    toggle(place, shown, () => folder ? showFolder(shown, item.repo_id, item.file_path) : showFile(shown, item)),
    element('p', { className: 'note', textContent: note.filter(Boolean).join(' · ') }),
    element('div', { className: 'content', textContent: item.content }),
    shown)
}

// toggle is a button that fills shown with what open makes, or empties it.
function toggle(text, shown, open) {
  const button = element('button', { type: 'button', className: 'place', textContent: text, ariaExpanded: 'false' })
  button.onclick = async () => {
    const opening = button.ariaExpanded === 'false'
    button.ariaExpanded = String(opening)
    shown.replaceChildren()
    if (!opening) return
    try {
      await open()
    } catch (err) {
      shown.replaceChildren(element('p', { className: 'note bad', textContent: err.message }))
    }
  }
  return button
}

async function showFile(shown, item) {
  const first = Math.max(1, (item.start_line || 1) - around)
  const last = item.end_line ? item.end_line + around : step
  const code = element('pre', { className: 'code', tabIndex: 0, ariaLabel: item.file_path })
  shown.append(code)
  await addLines(shown, code, item, first, last)
}

async function addLines(shown, code, item, first, last) {
  const request = { repo_id: item.repo_id, file_path: item.file_path, start_line: first, end_line: last }
  const reply = await call('/api/rag/file', request)
  const file = reply.items[0]
  file.code.replace(/\n$/, '').split('\n').forEach((text, i) => {
    const n = file.start_line + i
    const line = element('span', { textContent: text + '\n' })
    line.dataset.n = n
    line.classList.toggle('hit', n >= item.start_line && n <= item.end_line)
    code.append(line)
  })
  shown.querySelector('.next')?.remove()
  if (file.end_line >= file.total_lines) return
  const more = element('button', { type: 'button', className: 'next', textContent: `Lines ${file.end_line + 1} to ${file.total_lines}` })
  more.onclick = () => addLines(shown, code, item, file.end_line + 1, file.end_line + step)
    .catch(err => { more.textContent = err.message })
  shown.append(more)
}

async function showFolder(shown, repo, path) {
  const reply = await call('/api/rag/structure', { repo_id: repo, path: path === '.' ? '' : path || '', limit: 200 })
  const entry = (text, open) => {
    const below = element('div', {})
    return element('li', {}, toggle(text, below, () => open(below)), below)
  }
  const { directories, files } = reply.items[0]
  shown.append(element('ul', {},
    ...directories.map(d => entry(d, below => showFolder(below, repo, d.replace(/\/$/, '')))),
    ...files.map(f => entry(f.path, below => showFile(below, { repo_id: repo, file_path: f.path })))))
}

async function showRepos() {
  try {
    const { meta, items } = await call('/api/rag/repos?limit=1000')
    tell($('repos-status'), meta.message || (items.length ? '' : 'None yet.'))
    $('repo-ids').append(...items.map(r => element('option', { value: r.repo_id })))
    $('repos').append(...items.map(r => {
      const button = element('button', { type: 'button', className: 'place', textContent: r.repo_id })
      button.onclick = () => { $('repo').value = r.repo_id; $('q').focus(); submit() }
      const note = `${r.file_count} files · ${freshness(r.freshness_state)} · ${r.languages.slice(0, 3).join(', ')}`
      return element('li', {}, button, element('p', { className: 'note', textContent: note }))
    }))
  } catch (err) {
    tell($('repos-status'), err.message, true)
  }
}

// submit keeps the search in the address, so that it can be shared.
function submit() {
  const params = new URLSearchParams(fields.map(f => [f, $(f).value]).filter(([, v]) => v))
  history.replaceState(null, '', '?' + params)
  if ($('q').value.trim()) search()
}

$('search').onsubmit = event => { event.preventDefault(); submit() }
for (const f of ['level', 'mode']) $(f).onchange = submit
document.onkeydown = event => {
  if (event.key === '/' && !/INPUT|SELECT/.test(document.activeElement.tagName)) { event.preventDefault(); $('q').focus() }
}
for (const [name, value] of new URLSearchParams(location.search)) {
  if (fields.includes(name)) $(name).value = value
}
for (const f of ['level', 'mode']) if (!$(f).value) $(f).selectedIndex = 0
if ($('q').value.trim()) search()
showRepos()
