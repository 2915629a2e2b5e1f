/* Runs before the first paint and before the scripts of the page. */
const root = document.documentElement
try {
  /* Set before the first paint, so that theme and folded panel do not flash. */
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  if (localStorage.getItem('panel-folded') === 'yes') root.dataset.panel = 'folded'
} catch {
  /* Storage may be forbidden; then the system's choice holds. */
}

/* The shell of the page is shown before its scripts run: input in it is recorded for them (web/lib/shell.ts). */
const shellOf = (event) => (event.target instanceof Element ? event.target.closest('#shell') : null)
const isTouch = () => matchMedia('(pointer: coarse)').matches

function enterSends() {
  try {
    return localStorage.getItem('enter-breaks') !== 'yes'
  } catch {
    return true
  }
}

document.addEventListener('input', (event) => {
  if (!shellOf(event) || event.target.tagName !== 'TEXTAREA') return
  const button = event.target.form.querySelector('[type="submit"]')
  button?.setAttribute('aria-disabled', String(event.target.value.trim() === ''))
})
/* What is pressed before the scripts run is shown to be taken: the button is busy until they do it. */
function markBusy(button) {
  button?.setAttribute('aria-busy', 'true')
  button?.animate({ opacity: [1, 0.4, 1] }, { duration: 1200, iterations: Infinity })
}
function noteSend(shell, form) {
  shell.dataset.send = 'yes'
  markBusy(form.querySelector('[type="submit"]'))
}
document.addEventListener('submit', (event) => {
  const shell = shellOf(event)
  if (!shell) return
  event.preventDefault()
  if (event.target.querySelector('textarea')) return noteSend(shell, event.target)
  shell.dataset.pressed = event.submitter?.textContent.trim() ?? ''
  markBusy(event.submitter)
})
document.addEventListener('click', (event) => {
  const shell = shellOf(event)
  const button = shell && event.target.closest('button[type="button"], label:not([data-document])')
  if (!button) return
  /* Opens no file dialog: a file chosen in the shell would be lost with it. */
  event.preventDefault()
  shell.dataset.pressed = button.getAttribute('aria-label') ?? button.textContent.trim()
})
document.addEventListener('keydown', (event) => {
  const shell = shellOf(event)
  if (
    !shell ||
    event.key !== 'Enter' ||
    event.isComposing ||
    event.keyCode === 229 ||
    event.target.tagName !== 'TEXTAREA'
  )
    return
  const { shiftKey, ctrlKey, metaKey } = event
  /* The question before signing in is followed by another field. */
  const leadsOn = event.target.enterKeyHint === 'next' && !shiftKey
  if (!leadsOn && !(ctrlKey || metaKey) && (isTouch() || shiftKey === enterSends())) return
  event.preventDefault()
  if (event.target.value.trim() !== '') noteSend(shell, event.target.form)
})

/* The messages of a chat, drawn by the server, take the place of the skeleton; a chat opens at its end. */
function fillSlots() {
  const drawn = document.getElementById('drawn')
  for (const part of [...(drawn?.content.children ?? [])])
    document.querySelector(`#shell [data-slot=${part.dataset.slot}]`)?.replaceWith(part)
  if (drawn) scrollTo(0, root.scrollHeight)
}

/* Comes after the first frame: what is in the panel of the shell, and the files, which take longer than painting. */
function start() {
  /* One can type at once; on a touch screen that would open the keyboard. Runs twice: a chosen field keeps the focus. */
  if (!isTouch() && document.activeElement === document.body)
    document.querySelector('#shell textarea')?.focus({ preventScroll: true })
  for (const late of document.querySelectorAll('#shell template')) late.replaceWith(late.content)
  for (const link of document.querySelectorAll('link[data-file]')) {
    const { file } = link.dataset
    link.removeAttribute('data-file')
    link.crossOrigin = 'anonymous'
    link.rel = file === 'style' ? 'stylesheet' : 'modulepreload'
    if (file === 'run') run(link.href)
  }
}

function run(address) {
  const script = document.createElement('script')
  script.type = 'module'
  script.src = address
  script.crossOrigin = 'anonymous'
  script.async = false
  script.onerror = () => retry(address, sayMissing())
  document.head.append(script)
  setTimeout(sayMissing, SCRIPTS_TIMEOUT_MS)
}

/* Without its scripts the page looks finished and does nothing. A slow network is only told, not asked again. */
const SCRIPTS_TIMEOUT_MS = 20000
const RETRIES_MS = [2000, 5000, 15000]
const TRIED = 'scripts-tried'

/* In the flow of the page, so that it covers nothing; false when the scripts have come. */
function sayMissing() {
  const shell = document.getElementById('shell')
  if (!shell || shell.hidden) return false
  if (document.getElementById('missing')) return true
  const note = document.createElement('p')
  note.id = 'missing'
  note.setAttribute('role', 'alert')
  note.style.cssText = 'padding:8px 16px;text-align:center;background:var(--warning-soft)'
  note.textContent = 'Страница загрузилась не вся. '
  const again = document.createElement('button')
  again.style.cssText = 'text-decoration:underline;min-height:32px'
  again.textContent = 'Обновить'
  again.onclick = () => location.reload()
  note.append(again)
  shell.prepend(note)
  return true
}

/* The page is loaded anew, because a module that failed is not fetched twice; once the server is reached again. */
function retry(address, isMissing) {
  try {
    const tried = Number(sessionStorage.getItem(TRIED))
    if (!isMissing || tried >= RETRIES_MS.length) return
    setTimeout(() => {
      sessionStorage.setItem(TRIED, tried + 1)
      globalThis.fetch(address, { cache: 'reload' }).then(
        () => sayMissing() && location.reload(),
        () => retry(address, sayMissing()),
      )
    }, RETRIES_MS[tried])
  } catch {
    /* Storage is forbidden: the button is left. */
  }
}

/* What is typed before the scripts have come outlives a reload; they take it over from the fields. */
const TYPED = 'typed-early'
const fields = () => [...document.querySelectorAll('#shell :is(textarea, input)')]
const place = () => location.pathname + location.search

addEventListener('pagehide', () => {
  const shell = document.getElementById('shell')
  if (shell?.hidden !== false || shell.dataset.kept) return
  const values = fields().map(({ type, checked, value }) => (type === 'checkbox' ? checked : value))
  try {
    if (values.some(Boolean)) sessionStorage.setItem(TYPED, JSON.stringify([place(), values]))
  } catch {
    /* Storage may be forbidden. */
  }
})

function restoreTyped() {
  try {
    const [at, values] = JSON.parse(sessionStorage.getItem(TYPED)) ?? []
    if (at !== place()) return
    sessionStorage.removeItem(TYPED)
    for (const [i, field] of fields().entries())
      if (field.type === 'checkbox') field.checked = values[i]
      else if (values[i]) field.value = values[i]
  } catch {
    /* Storage may be forbidden. */
  }
}

const LATEST_START_MS = 1000

document.addEventListener('DOMContentLoaded', () => {
  fillSlots()
  restoreTyped()
  /* A page that is not visible has no frames. */
  if (document.hidden || !document.getElementById('shell')) return start()
  requestAnimationFrame(() => setTimeout(start))
  setTimeout(start, LATEST_START_MS)
})
